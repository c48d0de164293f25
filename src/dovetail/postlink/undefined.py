"""Refuse a program whose kernels call functions that no source defines.

Left alone, they would reach the device's driver, whose message names no source and comes only when
the program is started.
"""

from dovetail.artifacts import DeviceModule
from dovetail.errors import CompileError
from dovetail.ir import CallGraph, demangle

# What a device's compiler itself knows: LLVM's intrinsics, and SPIR-V's built-ins.
_BUILT_IN = ("llvm.", "__spirv_")

_NOT_ON_DEVICES = {
    "__cxa_": "device code cannot throw, nor have static variables that need a constructor",
    "_Unwind_": "device code cannot throw",
    "__clang_call_terminate": "device code cannot throw",
    "malloc": "device code cannot allocate memory; pass it as an argument",
}
"""What calls of what clang itself knows or puts in give away, by how the name begins."""


def refuse_undefined(linked: DeviceModule) -> None:
    """Raise `CompileError` if a kernel calls, itself or through others, what is not defined."""
    declared = {f.name for f in linked.module.functions() if f.is_declaration}
    kernels = [kernel.entry_symbol for kernel in linked.facts.kernels]
    graph = CallGraph.of(linked.module)
    missing = sorted(declared & graph.reachable(kernels))
    names = {
        symbol: name
        for symbol, name in zip(missing, demangle(missing), strict=True)
        if not name.startswith(_BUILT_IN)
    }
    if not names:
        return
    symbol = next(iter(names))
    caller = next(k for k in linked.facts.kernels if symbol in graph.reachable([k.entry_symbol]))
    raise CompileError(
        f"{caller.file}:{caller.line}: error: kernel '{caller.name}' calls '{names[symbol]}',"
        " which no source defines",
        hint=_advice(names[symbol]),
    )


def _advice(name: str) -> str:
    for start, advice in _NOT_ON_DEVICES.items():
        if name.startswith(start):
            return advice
    return "add the source that defines it, marked SYCL_EXTERNAL there and where it is declared"
