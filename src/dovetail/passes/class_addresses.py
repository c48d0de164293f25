"""Count accesses to objects of classes that hold a `double` as uses of `fp64`.

In: a module before optimisation, which forgets the types of addresses. Out: the same with `fp64` in
`!sycl_used_aspects` of functions that compute an address within such an object, whichever member it
is of. Objects that are variables of the function do not count: what optimisation leaves of them is
what `remaining-types` finds.
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
    """Addresses within classes that hold a `double` become used aspects."""

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
