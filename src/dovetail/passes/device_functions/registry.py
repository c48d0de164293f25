"""The table of device functions, by their names in the headers, and their definitions."""

import re
from collections.abc import Iterable

from dovetail.ir import Function
from dovetail.passes.device_functions import atomics, barriers, sub_groups, work_items
from dovetail.passes.device_functions.definition import DeviceFunction, definition
from dovetail.targets.ir_family import IRFamily

FUNCTIONS: dict[str, DeviceFunction] = {
    **work_items.FUNCTIONS,
    **barriers.FUNCTIONS,
    **atomics.FUNCTIONS,
    **sub_groups.FUNCTIONS,
}


def defined_here(functions: Iterable[Function]) -> list[Function]:
    """Return the functions that are only declared, and that FUNCTIONS has a definition for."""
    return [
        function
        for function in functions
        if function.is_declaration and _plain_name(function.name) in FUNCTIONS
    ]


def text_of(family: IRFamily, declared: Iterable[Function]) -> str:
    """Return LLVM IR that defines functions returned by `defined_here`."""
    parts = (work_items, barriers, sub_groups, atomics)
    return "".join(
        (
            *(part.HELPERS[family] for part in parts),
            *(definition(family, f, FUNCTIONS[_plain_name(f.name)]) for f in declared),
        )
    )


def _plain_name(symbol: str) -> str:
    """Return the unmangled name of a function outside of all namespaces."""
    # Longer numbers are not lengths of names, and Python refuses to convert thousands of digits.
    mangled = re.match(r"_Z([0-9]{1,9})", symbol)
    return symbol[mangled.end() :][: int(mangled[1])] if mangled else symbol
