"""Count accesses to members of classes that contain a `double` as uses of `fp64`.

In: a module before optimization, which removes the types of address computations. Out: the module
with `fp64` in `!sycl_used_aspects` of functions that compute the address of any member of such a
class. Local variables do not count; `remaining-types` finds what optimization leaves of them.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.device_metadata import USED, used_aspects
from dovetail.graphs import from_bits, to_bits
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.targets import aspect_number


@dataclass(frozen=True)
class ClassAddresses(ModulePass):
    """Mark functions that access classes that contain a `double`."""

    name: ClassVar[str] = "class-addresses"

    def apply(self, context: PassContext, module: Module) -> None:
        used, fp64 = used_aspects(module), to_bits([aspect_number("fp64")])
        module.set_function_metadata(
            USED,
            {
                symbol: list(from_bits(used.get(symbol, 0) | fp64))
                for symbol in module.class_addresses()
            },
        )
