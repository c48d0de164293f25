"""Functions that take pointers as pointers to bytes, whatever they and their callers do with them.

LLVM's pointers have no pointee types, and SPIR-V's have. The back-end deduces them, also from a
function for its callers and from callers for what they call. So what every device needs could get
a type, such as that of pointers to `double`, from what only some devices can run. It takes `byref`
as it is and looks no further.
"""

import re
from collections.abc import Iterator

from dovetail.ir import Context, Module

_HEAD = re.compile(r'^define (?:[^@"\n]|"[^"\n]*")*@(?:"[^"\n]*"|[^\s"(]+)\(', re.MULTILINE)
_STRING_OR_BRACKET = re.compile(r'"[^"]*"|[(),]')
_STRING = re.compile(r'"[^"]*"')
_POINTER = re.compile(r"ptr(?: addrspace\(\d+\))?(?= )")
_KERNEL = " spir_kernel "
_BYTES = " byref(i8)"
_HAS_ITS_TYPE = re.compile(r"\b(?:byval|byref|sret|inalloca|preallocated|inreg|nest)\b")
"""Attributes that `byref` cannot stand beside."""


def with_byte_pointers(module: Module) -> Module:
    """The module, or a new one in which all functions but kernels take pointers to bytes."""
    if not any(
        each.calling_convention != "spir_kernel"
        and not each.is_declaration
        and any(type_name.startswith("ptr") for type_name in each.parameter_types)
        for each in module.functions()
    ):
        return module
    return Module.parse(Context(), _rewritten(module.to_text()).encode(), module.name)


def _rewritten(text: str) -> str:
    parts: list[str] = []
    kept = 0
    for head in _HEAD.finditer(text):
        if _KERNEL in head[0]:
            continue
        for start, end in _parameters(text, head.end()):
            pointer = _POINTER.match(text, start, end)
            if pointer and not _HAS_ITS_TYPE.search(_STRING.sub("", text[start:end])):
                parts += text[kept : pointer.end()], _BYTES
                kept = pointer.end()
    return "".join((*parts, text[kept:]))


def _parameters(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Where parameters begin and end, in a list of which the first bracket was read."""
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text, start):
        if found[0] == "(":
            depth += 1
        elif found[0] in ",)" and not depth:
            yield start, found.start()
            start = found.end() + 1
            if found[0] == ")":
                return
        elif found[0] == ")":
            depth -= 1
