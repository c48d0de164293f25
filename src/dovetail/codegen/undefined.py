"""Errors for functions that an image calls but that are not defined.

A linker would name only the symbol. This message names the kernel and the user's line, even if
the call is made in a header.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from dovetail.analysis.graph import CallStep, build_graph, path_to
from dovetail.artifacts import DeviceImage
from dovetail.codegen.generator import CodeGenerationError
from dovetail.facts import Place
from dovetail.ir import CallGraph, demangle
from dovetail.resources import include_directory

_MATH_PREFIX = "__spirv_ocl_"
"""The prefix of math functions, before the name that users know."""


def undefined_functions(image: DeviceImage) -> frozenset[str]:
    """Return the functions without a body that the entry points call, except LLVM's intrinsics."""
    declared = {
        function.name
        for function in image.module.functions()
        if function.is_declaration and not function.name.startswith("llvm.")
    }
    if not declared:
        return frozenset()
    return frozenset(declared & CallGraph.of(image.module).reachable(image.entry_points))


def refuse_undefined(
    image: DeviceImage, undefined: Collection[str], *, without_library: Mapping[str, str]
) -> None:
    """Raise `CodeGenerationError` if there are undefined functions.

    `without_library` maps functions of a library that is not installed to advice.
    """
    left = sorted({*undefined, *without_library})
    if not left:
        return
    lines = [
        f"{_caller(image, symbol)} calls '{name.removeprefix(_MATH_PREFIX)}',"
        f" {_reason(symbol, name, without_library)}"
        for symbol, name in zip(left, demangle(left), strict=True)
    ]
    raise CodeGenerationError("\n".join(lines), hint=next(iter(without_library.values()), ""))


def _reason(symbol: str, name: str, without_library: Mapping[str, str]) -> str:
    if symbol in without_library:
        return "which needs a library that is not installed"
    if name.startswith("__spirv_"):
        return "which is not available on this target"
    return "which no source defines; code for this target is not linked at run time"


def _caller(image: DeviceImage, symbol: str) -> str:
    """Return the kernel that calls a function, and the place of the call in the user's code."""
    graph = build_graph(image.sources)
    symbols = {kernel.symbol for kernel in image.info.kernels}
    last_calls = graph.shortest_paths(
        [kernel.code for kernel in graph.kernels if kernel.fact.entry_symbol in symbols]
    )
    for number in last_calls:
        if graph.nodes[number].fact.symbol == symbol:
            root, steps = path_to(number, last_calls)
            kernel = graph.kernel_of[root].fact
            place = _user_place(steps) or f"{kernel.file}:{kernel.line}"
            return f"{place}: kernel '{kernel.name}'"
    return _caller_in_code(image, symbol)


def _user_place(steps: Sequence[CallStep]) -> Place | None:
    """Return the place of the last call outside Dovetail's headers."""
    headers = include_directory()
    places = (step.place for step in reversed(steps))
    return next((each for each in places if not Path(each.file).is_relative_to(headers)), None)


def _caller_in_code(image: DeviceImage, symbol: str) -> str:
    """Return the caller found in the IR, which has the lines of kernels only."""
    graph = CallGraph.of(image.module)
    kernels = {kernel.symbol: kernel for kernel in image.info.kernels}
    callers = [entry for entry in image.entry_points if symbol in graph.reachable([entry])]
    for entry in callers:
        if entry in kernels:
            kernel = kernels[entry]
            return f"{kernel.file}:{kernel.line}: kernel '{kernel.name}'"
    return f"'{callers[0]}'"
