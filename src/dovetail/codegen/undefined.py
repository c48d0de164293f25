"""Functions that an image calls and nobody defines.

A linker would name a symbol at best. Here the message has the kernel, and the line that the user
wrote, whatever headers lie between it and the function.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

from dovetail.analysis.graph import Step, build_graph, way_to
from dovetail.artifacts import DeviceImage
from dovetail.codegen.generator import CodeGenerationError
from dovetail.device_metadata import facts_of
from dovetail.ir import CallGraph, demangle
from dovetail.resources import include_directory


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
        f"{_caller(image, symbol)} calls '{name}', {_complaint(symbol, name, without_library)}"
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
    graph = build_graph([facts_of(image.module)])
    names = {kernel.symbol: kernel.name for kernel in image.kernels}
    roots = [each.code for each in graph.kernels if each.fact.entry_symbol in names]
    arrivals = graph.arrivals(roots)
    found = (number for number in arrivals if graph.nodes[number].fact.symbol == symbol)
    for number in found:
        root, steps = way_to(number, arrivals)
        place = _users_step(steps)
        kernel = graph.kernel_of[root].fact.name
        return f"{place.place}: kernel '{kernel}'" if place else f"kernel '{kernel}'"
    return _caller_by_code(image, symbol, names)


def _users_step(steps: tuple[Step, ...]) -> Step | None:
    """The last call that is not in our headers."""
    headers = include_directory()
    for step in reversed(steps):
        if not Path(step.place.file).is_relative_to(headers):
            return step
    return None


def _caller_by_code(image: DeviceImage, symbol: str, names: Mapping[str, str]) -> str:
    """What can be told of another toolchain's code, or of calls that only the optimiser made."""
    graph = CallGraph.of(image.module)
    for entry in image.entry_points:
        if symbol in graph.reachable([entry]):
            return f"kernel '{names[entry]}'" if entry in names else f"'{entry}'"
    return "the image"
