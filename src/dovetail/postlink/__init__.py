"""Post-link: the device modules of all sources in; device images, with what they require, out.

program = PostLinked.of(link_modules(modules), SplitMode.AUTO)
for finding in find_in_program(program): ...
for image in program.images(): ...
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.postlink.deciding import (
        Variant,
        conditions_in,
        decide,
        open_questions,
        variants_of,
    )
    from dovetail.postlink.exports import (
        exported_functions,
        holds_code,
        refuse_calls_between,
        undefined_functions,
    )
    from dovetail.postlink.files import (
        ImageFiles,
        WrittenImage,
        module_content,
        write_images,
    )
    from dovetail.postlink.findings import (
        find_between_sources,
        find_in_program,
    )
    from dovetail.postlink.imports import (
        refuse_undefined,
    )
    from dovetail.postlink.link import (
        LinkedProgram,
        link_modules,
    )
    from dovetail.postlink.options import OptionalFeatures, SplitMode
    from dovetail.postlink.post_link import (
        PostLinked,
    )
    from dovetail.postlink.properties import (
        Wanted,
    )
    from dovetail.postlink.split import (
        EntryPoint,
        ImagePlan,
    )
    from dovetail.postlink.variables import (
        refuse_variables,
    )

__all__ = [
    "EntryPoint",
    "ImageFiles",
    "ImagePlan",
    "LinkedProgram",
    "OptionalFeatures",
    "PostLinked",
    "SplitMode",
    "Variant",
    "Wanted",
    "WrittenImage",
    "conditions_in",
    "decide",
    "exported_functions",
    "find_between_sources",
    "find_in_program",
    "holds_code",
    "link_modules",
    "module_content",
    "open_questions",
    "refuse_calls_between",
    "refuse_undefined",
    "refuse_variables",
    "undefined_functions",
    "variants_of",
    "write_images",
]

__getattr__ = on_demand(
    __name__,
    {
        "deciding": (
            "Variant",
            "conditions_in",
            "decide",
            "open_questions",
            "variants_of",
        ),
        "exports": (
            "exported_functions",
            "holds_code",
            "refuse_calls_between",
            "undefined_functions",
        ),
        "files": (
            "ImageFiles",
            "WrittenImage",
            "module_content",
            "write_images",
        ),
        "findings": (
            "find_between_sources",
            "find_in_program",
        ),
        "imports": ("refuse_undefined",),
        "link": (
            "LinkedProgram",
            "link_modules",
        ),
        "options": ("OptionalFeatures", "SplitMode"),
        "post_link": ("PostLinked",),
        "properties": ("Wanted",),
        "split": (
            "EntryPoint",
            "ImagePlan",
        ),
        "variables": ("refuse_variables",),
    },
)
