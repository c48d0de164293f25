"""Post-link: turn the device modules of all sources into device images with their requirements.

linked = link_modules(modules)
program = PostLinked.of(linked, SplitMode.AUTO)
findings = find_in_program(linked, program.used, conditional=program.conditional)
images = list(program.images())
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.postlink.condition_resolution import (
        Variant as Variant,
        conditions_in as conditions_in,
        resolve_conditions as resolve_conditions,
        unknown_conditions as unknown_conditions,
        variants_of as variants_of,
    )
    from dovetail.postlink.exports import (
        exported_functions as exported_functions,
        has_code as has_code,
        refuse_calls_between as refuse_calls_between,
        undefined_functions as undefined_functions,
    )
    from dovetail.postlink.files import (
        BITCODE as BITCODE,
        TEXT as TEXT,
        CodeFormat as CodeFormat,
        ImageFiles as ImageFiles,
        WrittenImage as WrittenImage,
        write_images as write_images,
    )
    from dovetail.postlink.findings import (
        find_between_sources as find_between_sources,
        find_in_program as find_in_program,
    )
    from dovetail.postlink.imports import refuse_undefined as refuse_undefined
    from dovetail.postlink.link import LinkedProgram as LinkedProgram, link_modules as link_modules
    from dovetail.postlink.options import (
        OptionalFeatures as OptionalFeatures,
        SplitMode as SplitMode,
    )
    from dovetail.postlink.post_link import PostLinked as PostLinked
    from dovetail.postlink.properties import WantedProperties as WantedProperties
    from dovetail.postlink.split import EntryPoint as EntryPoint, ImagePlan as ImagePlan
    from dovetail.postlink.variables import refuse_variables as refuse_variables
