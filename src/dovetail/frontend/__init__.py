"""The front-end: C++ in, unoptimised device IR and facts out, by stock clang with our plugin.

The same clang compiles the host side; both sides' command lines are made here.
"""

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
from dovetail.frontend.compile import (
    Tools,
    load_device_module,
    load_facts,
    run_clang,
)
from dovetail.frontend.dependencies import Dependencies, merged
from dovetail.frontend.messages import ErrorHead, error_heads, join_messages
from dovetail.frontend.precompiled import (
    PrecompiledHeader,
    bodies_command,
    can_take_header,
    header_of_object,
    headers_can_be_stored,
    precompile_command,
    precompile_input,
    precompiled_header,
    store_bodies,
    store_precompiled,
    weaken_command,
)

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
    "embed_command",
    "error_heads",
    "header_of_object",
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
