"""The front-end: C++ in, unoptimised device IR and facts out, by stock clang with our plugin."""

from dovetail.frontend.command import DeviceFlags, Source, compile_command
from dovetail.frontend.compile import compile_device, run_clang
from dovetail.frontend.precompiled import (
    PrecompiledHeader,
    includes_sycl_first,
    precompile_command,
    precompile_input,
    precompiled_header,
    store_precompiled,
)

__all__ = [
    "DeviceFlags",
    "PrecompiledHeader",
    "Source",
    "compile_command",
    "compile_device",
    "includes_sycl_first",
    "precompile_command",
    "precompile_input",
    "precompiled_header",
    "run_clang",
    "store_precompiled",
]
