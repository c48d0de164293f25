"""Functions that a program calls and does not define: imports, or mistakes.

A SYCL_EXTERNAL function may be defined in another program, which the runtime links. Anything else
would reach the device's driver, whose message names no source and comes only when the program is
started.
"""

from collections.abc import Collection

from dovetail.errors import CompileError
from dovetail.ir import CallGraph, demangle
from dovetail.postlink.link import LinkedProgram
from dovetail.processor_functions import PROCESSOR_FUNCTIONS

# What a device's compiler itself knows: LLVM's intrinsics, SPIR-V's built-ins, what NVIDIA's driver
# has for assertions, what is defined for each processor.
_BUILT_IN = ("llvm.", "__spirv_", "__assertfail", *PROCESSOR_FUNCTIONS)

# Names that no program may define: they belong to compilers and their libraries.
_RESERVED = ("llvm.", "__")

_NOT_ON_DEVICES = {
    "__cxa_": "device code cannot throw, nor have static variables that need a constructor",
    "_Unwind_": "device code cannot throw",
    "__clang_call_terminate": "device code cannot throw",
    "malloc": "device code cannot allocate memory; pass it as an argument",
}
"""What calls of what clang itself knows or puts in give away, by how the name begins."""


def importable(undefined: Collection[str]) -> frozenset[str]:
    """Those functions that another program may define."""
    symbols = list(undefined)
    return frozenset(
        symbol
        for symbol, name in zip(symbols, demangle(symbols), strict=True)
        if not symbol.startswith(_RESERVED) and not name.startswith(_RESERVED)
    )


def refuse_undefined(linked: LinkedProgram) -> None:
    """Raise `CompileError` if a kernel calls, itself or through others, what nobody will define."""
    external = {fact.symbol for fact in linked.facts.functions if fact.is_external}
    undefined = linked.undefined - external
    kernels = list(linked.kernels)
    graph = CallGraph.of(linked.module)
    missing = sorted(undefined & graph.reachable(kernels))
    names = {
        symbol: name
        for symbol, name in zip(missing, demangle(missing), strict=True)
        if not name.startswith(_BUILT_IN)
    }
    if not names:
        return
    symbol = next(iter(names))
    caller = next(k for s, k in linked.kernels.items() if symbol in graph.reachable([s]))
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
