"""All device functions by their names in the headers, and how the text of a module is made."""

import re
from collections.abc import Iterable

from dovetail.ir import Function
from dovetail.passes.device_functions import (
    atomics,
    barriers,
    group_scratch,
    sub_groups,
    work_items,
)
from dovetail.passes.device_functions.definition import DeviceFunction, definition
from dovetail.targets.ir_family import IRFamily

FUNCTIONS: dict[str, DeviceFunction] = {
    **work_items.FUNCTIONS,
    **barriers.FUNCTIONS,
    **atomics.FUNCTIONS,
    **sub_groups.FUNCTIONS,
    **group_scratch.FUNCTIONS,
}

_DATA_LAYOUTS = {
    IRFamily.NVPTX64: "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64",
    IRFamily.AMDGCN: (
        "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32"
        "-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256"
        "-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
    ),
}
"""As clang writes them: linking warns of others."""


def defined_here(family: IRFamily, declared: Iterable[Function]) -> list[Function]:
    """Those of the declared functions that are to be defined."""
    return [
        function
        for function in declared
        if function.is_declaration
        and (entry := FUNCTIONS.get(_plain_name(function.name)))
        and family in entry.families
    ]


def module_text(family: IRFamily, declared: Iterable[Function]) -> str:
    """A module that defines the functions, all of which have to be known."""
    parts = (work_items, barriers, sub_groups, atomics, group_scratch)
    return "".join(
        (
            f'target datalayout = "{_DATA_LAYOUTS[family]}"\n' if family in _DATA_LAYOUTS else "",
            f'target triple = "{family.triple}"\n',
            *(part.HELPERS.get(family, "") for part in parts),
            *(definition(family, f, FUNCTIONS[_plain_name(f.name)]) for f in declared),
        )
    )


def _plain_name(symbol: str) -> str:
    """What C++ calls a function outside of any namespace."""
    mangled = re.match(r"_Z(\d+)", symbol)
    return symbol[mangled.end() :][: int(mangled[1])] if mangled else symbol
