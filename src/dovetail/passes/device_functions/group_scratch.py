"""Local memory through which the algorithms of work-groups exchange values.

The one device function that SPIR-V lacks too: an array of 64 words, one for each module, that
counts as a kernel's local memory where the kernel uses it.
"""

from dovetail.ir import Function
from dovetail.passes.device_functions.definition import DeviceFunction
from dovetail.targets.ir_family import IRFamily

_ARRAY = "@dovetail.group_scratch"

_DECLARED = f"{_ARRAY} = internal addrspace(3) global [64 x i64] poison, align 8\n"
HELPERS = dict.fromkeys(IRFamily, _DECLARED)


def _address(_family: IRFamily, declaration: Function) -> str:
    return f"ret {declaration.return_type} {_ARRAY}"


FUNCTIONS = {"__dovetail_groupScratch": DeviceFunction((), _address, families=tuple(IRFamily))}
