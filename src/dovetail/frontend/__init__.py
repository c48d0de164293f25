"""The front-end: C++ in, unoptimised device IR and facts out, by stock clang with our plugin.

The same clang compiles the host side; both sides' command lines are made here.
"""

from dovetail.frontend.command import (
    Flags,
    Side,
    Source,
    check_command,
    compile_command,
    embed_command,
    host_compile_command,
    host_link_command,
)
from dovetail.frontend.compile import load_device_module, load_facts, run_clang
from dovetail.frontend.messages import ErrorHead, error_heads, join_messages
from dovetail.frontend.precompiled import (
    PrecompiledHeader,
    bodies_command,
    can_take_header,
    headers_can_be_stored,
    precompile_command,
    precompile_input,
    precompiled_header,
    store_bodies,
    store_precompiled,
)

__all__ = [
    "ErrorHead",
    "Flags",
    "PrecompiledHeader",
    "Side",
    "Source",
    "bodies_command",
    "can_take_header",
    "check_command",
    "compile_command",
    "embed_command",
    "error_heads",
    "headers_can_be_stored",
    "host_compile_command",
    "host_link_command",
    "join_messages",
    "load_device_module",
    "load_facts",
    "precompile_command",
    "precompile_input",
    "precompiled_header",
    "run_clang",
    "store_bodies",
    "store_precompiled",
]
