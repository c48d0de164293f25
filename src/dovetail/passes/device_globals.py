"""Give device globals the identifiers by which the host knows them.

In: variables whose class says that they are device globals (`attach-facts`). Out: each with
`sycl-unique-id`, which is its symbol. What only one source sees, such as a `static` variable, first
gets a name that no other source has, and becomes external: the host copies to and from it, which
the optimiser must not believe impossible. The host's side has the same names from the plugin
(`native/plugin/identification.h`).
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.device_metadata import GLOBAL_ID, GLOBAL_SIZE
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext, external_name, unique_part

_INTERNAL = ("internal", "private")


@dataclass(frozen=True)
class DeviceGlobals(ModulePass):
    """Device globals are known by the same names on both sides."""

    name: ClassVar[str] = "device-globals"

    def apply(self, context: PassContext, module: Module) -> None:
        symbols = module.global_variable_attributes(GLOBAL_SIZE)
        if not symbols:
            return
        unique = unique_part(context, module)
        renamed = {
            each.name: external_name(each.name, unique)
            for each in module.global_variables()
            if each.name in symbols and each.linkage in _INTERNAL
        }
        module.rename(renamed)
        module.set_linkage(dict.fromkeys(renamed.values(), "external"))
        identifiers = [renamed.get(symbol, symbol) for symbol in symbols]
        module.set_global_variable_attributes({each: {GLOBAL_ID: each} for each in identifiers})
