"""Generates modules with many kernels, each with its own functions, to split."""

from collections.abc import Sequence
from enum import Enum
from itertools import pairwise

from dovetail.ir import Context, Module

FUNCTIONS = 19
"""The number of functions of each kernel, which call each other in a chain."""

SHARED = "shared"
"""The function that the last one of each chain calls."""

_ASPECTS = ("!{}", "!{i32 5}", "!{i32 6}", "!{i32 5, i32 6}")
"""The aspects that the last function of a chain uses; kernels alternate between these."""


class DebugInfo(Enum):
    """The debug information of a module: each function, and the place of each instruction."""

    NONE = "no debug information"
    ONE_UNIT = "debug information, all in one source"
    UNIT_PER_KERNEL = "debug information, each in its own source"


def module_of_kernels(kernels: int, debug: DebugInfo = DebugInfo.NONE) -> bytes:
    """Return the bitcode of a module with a number of kernels."""
    return Module.parse(Context(), _text(kernels, debug), "kernels").to_bitcode()


def kernel_name(number: int) -> str:
    """Return the name of a kernel, counted from 0."""
    return f"kernel{number}"


def reached_from(number: int) -> list[str]:
    """Return all functions that a kernel needs, including itself."""
    return [kernel_name(number), *_chain(number)]


def _chain(number: int) -> list[str]:
    return [*(f"f{number}_{place}" for place in range(FUNCTIONS)), SHARED]


def _text(kernels: int, debug: DebugInfo) -> bytes:
    text = _Text(debug)
    aspects = [text.add_node(node) for node in _ASPECTS]
    text.begin_source("shared.cpp")
    text.define("spir_func i32", SHARED, "i32 %x", ["ret i32 %x"])
    for number in range(kernels):
        if debug is DebugInfo.UNIT_PER_KERNEL:
            text.begin_source(f"{number}.cpp")
        used = number % len(aspects)
        _define_kernel(text, number, f" !sycl_used_aspects {aspects[used]}" if used else "")
    return text.finished().encode()


def _define_kernel(text: "_Text", number: int, uses_aspects: str) -> None:
    chain = _chain(number)
    for name, callee in pairwise(chain):
        body = [
            f"%y = call spir_func i32 @{callee}(i32 %x)",
            f"%z = add i32 %y, {number}",
            "ret i32 %z",
        ]
        labels = uses_aspects if callee == SHARED else ""
        text.define("spir_func i32", name, "i32 %x", body, labels)
    body = [
        f"%y = call spir_func i32 @{chain[0]}(i32 1)",
        "store i32 %y, ptr addrspace(1) %p",
        "ret void",
    ]
    text.define("spir_kernel void", kernel_name(number), "ptr addrspace(1) %p", body)


class _Text:
    """Textual IR, function by function."""

    def __init__(self, debug: DebugInfo) -> None:
        self._has_debug_info = debug is not DebugInfo.NONE
        self._functions: list[str] = []
        self._nodes: list[str] = []
        self._units: list[str] = []
        self._file = ""
        self._type = ""

    def add_node(self, node: str) -> str:
        """Add a metadata node and return its number."""
        self._nodes.append(node)
        return f"!{len(self._nodes) - 1}"

    def begin_source(self, name: str) -> None:
        """Start a source; the functions defined next are in it."""
        if not self._has_debug_info:
            return
        self._file = self.add_node(f'!DIFile(filename: "{name}", directory: "/src")')
        self._type = self._type or self.add_node("!DISubroutineType(types: !{null})")
        unit = (
            f"distinct !DICompileUnit(language: DW_LANG_C_plus_plus_17, file: {self._file},"
            ' producer: "clang", isOptimized: true, emissionKind: FullDebug)'
        )
        self._units.append(self.add_node(unit))

    def define(
        self, kind: str, name: str, parameters: str, body: Sequence[str], labels: str = ""
    ) -> None:
        """Add a function."""
        if self._has_debug_info:
            scope = self._add_subprogram(name)
            labels += f" !dbg {scope}"
            body = [f"{instruction}, !dbg {self._add_place(scope)}" for instruction in body]
        instructions = "\n  ".join(body)
        self._functions.append(
            f"define {kind} @{name}({parameters}){labels} {{\n  {instructions}\n}}"
        )

    def finished(self) -> str:
        """Return the module."""
        named: list[str] = []
        if self._has_debug_info:
            version = self.add_node('!{i32 2, !"Debug Info Version", i32 3}')
            named.append(f"!llvm.module.flags = !{{{version}}}")
            named.append(f"!llvm.dbg.cu = !{{{', '.join(self._units)}}}")
        nodes = [f"!{number} = {node}" for number, node in enumerate(self._nodes)]
        return "\n".join(self._functions + named + nodes)

    def _add_subprogram(self, name: str) -> str:
        line = len(self._nodes)
        return self.add_node(
            f'distinct !DISubprogram(name: "{name}", linkageName: "{name}", scope: {self._file},'
            f" file: {self._file}, line: {line}, type: {self._type}, scopeLine: {line},"
            f" spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: {self._units[-1]})"
        )

    def _add_place(self, scope: str) -> str:
        # All places differ, so that nodes are not merged.
        line = len(self._nodes)
        return self.add_node(f"!DILocation(line: {line}, column: 3, scope: {scope})")
