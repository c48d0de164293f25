"""The front-end: C++ in, unoptimised device IR and facts out, by stock clang with our plugin.

The same clang compiles the host side; both sides' command lines are made here.
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.frontend.command import (
        CXX,
        Flags,
        Side,
        Source,
        base_words,
        check_command,
        compile_command,
        coverage_words,
        embed_command,
        host_check_command,
        host_compile_command,
        host_link_command,
        object_command,
    )
    from dovetail.frontend.dependencies import (
        Dependencies,
        dependency_paths,
        merged,
    )
    from dovetail.frontend.load import load_device_module, load_facts
    from dovetail.frontend.messages import (
        ErrorHead,
        error_heads,
        join_messages,
    )
    from dovetail.frontend.precompiled import (
        PrecompiledHeader,
        bodies_command,
        can_take_header,
        header_of_object,
        header_reads,
        headers_can_be_stored,
        precompile_command,
        precompile_input,
        precompiled_header,
        store_bodies,
        store_precompiled,
        weaken_command,
    )
    from dovetail.frontend.tools import Tools, run_clang

__all__ = [
    "CXX",
    "Dependencies",
    "ErrorHead",
    "Flags",
    "PrecompiledHeader",
    "Side",
    "Source",
    "Tools",
    "base_words",
    "bodies_command",
    "can_take_header",
    "check_command",
    "compile_command",
    "coverage_words",
    "dependency_paths",
    "embed_command",
    "error_heads",
    "header_of_object",
    "header_reads",
    "headers_can_be_stored",
    "host_check_command",
    "host_compile_command",
    "host_link_command",
    "join_messages",
    "load_device_module",
    "load_facts",
    "merged",
    "object_command",
    "precompile_command",
    "precompile_input",
    "precompiled_header",
    "run_clang",
    "store_bodies",
    "store_precompiled",
    "weaken_command",
]

__getattr__ = on_demand(
    __name__,
    {
        "command": (
            "CXX",
            "Flags",
            "Side",
            "Source",
            "base_words",
            "check_command",
            "compile_command",
            "coverage_words",
            "embed_command",
            "host_check_command",
            "host_compile_command",
            "host_link_command",
            "object_command",
        ),
        "load": ("load_device_module", "load_facts"),
        "tools": ("Tools", "run_clang"),
        "dependencies": (
            "Dependencies",
            "dependency_paths",
            "merged",
        ),
        "messages": (
            "ErrorHead",
            "error_heads",
            "join_messages",
        ),
        "precompiled": (
            "PrecompiledHeader",
            "bodies_command",
            "can_take_header",
            "header_of_object",
            "header_reads",
            "headers_can_be_stored",
            "precompile_command",
            "precompile_input",
            "precompiled_header",
            "store_bodies",
            "store_precompiled",
            "weaken_command",
        ),
    },
)
