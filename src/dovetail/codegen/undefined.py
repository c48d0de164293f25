"""Functions that an image calls and nobody defines.

A linker would name a symbol at best. Here the message has the kernel, and the line that the user
wrote, whatever headers lie between it and the function.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from dovetail.analysis.graph import CallStep, build_graph, path_to
from dovetail.artifacts import DeviceImage
from dovetail.codegen.generator import CodeGenerationError
from dovetail.facts import Place
from dovetail.ir import CallGraph, demangle
from dovetail.resources import include_directory

_FUNCTION_ON_NUMBERS = "__spirv_ocl_"
"""What stands before names that users know."""


def undefined_functions(image: DeviceImage) -> frozenset[str]:
    """What is called from the image's entry points and has no body, LLVM's own functions aside."""
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
    """Raise `CodeGenerationError` for what is left undefined.

    `without_library` has, of functions for which a library is missing, what is to be done.
    """
    left = sorted({*undefined, *without_library})
    if not left:
        return
    lines = [
        f"{_caller(image, symbol)} calls '{name.removeprefix(_FUNCTION_ON_NUMBERS)}',"
        f" {_complaint(symbol, name, without_library)}"
        for symbol, name in zip(left, demangle(left), strict=True)
    ]
    raise CodeGenerationError("\n".join(lines), hint=next(iter(without_library.values()), ""))


def _complaint(symbol: str, name: str, without_library: Mapping[str, str]) -> str:
    if symbol in without_library:
        return "for which LLVM has no code of its own"
    if name.startswith("__spirv_"):
        return "which there is no code for on this target"
    return "which no source defines; code for this target is not linked as a program runs"


def _caller(image: DeviceImage, symbol: str) -> str:
    """The kernel that calls a function, after the place where the user does so."""
    graph = build_graph(image.sources)
    symbols = {kernel.symbol for kernel in image.info.kernels}
    last_calls = graph.shortest_paths(
        [kernel.code for kernel in graph.kernels if kernel.fact.entry_symbol in symbols]
    )
    for number in last_calls:
        if graph.nodes[number].fact.symbol == symbol:
            root, steps = path_to(number, last_calls)
            kernel = graph.kernel_of[root].fact
            place = _users_place(steps) or f"{kernel.file}:{kernel.line}"
            return f"{place}: kernel '{kernel.name}'"
    return _caller_by_code(image, symbol)


def _users_place(steps: Sequence[CallStep]) -> Place | None:
    """That of the last call that is not in our headers."""
    headers = include_directory()
    places = (step.place for step in reversed(steps))
    return next((each for each in places if not Path(each.file).is_relative_to(headers)), None)


def _caller_by_code(image: DeviceImage, symbol: str) -> str:
    """The same as the code has it, which knows no lines but those of kernels."""
    graph = CallGraph.of(image.module)
    kernels = {kernel.symbol: kernel for kernel in image.info.kernels}
    callers = [entry for entry in image.entry_points if symbol in graph.reachable([entry])]
    for entry in callers:
        if entry in kernels:
            kernel = kernels[entry]
            return f"{kernel.file}:{kernel.line}: kernel '{kernel.name}'"
    return f"'{callers[0]}'"
