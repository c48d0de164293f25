"""Attach the identifiers of device globals, by which the host refers to them.

In: variables marked as device globals by `attach-facts`. Out: each with `sycl-unique-id`, its
symbol. Internal variables, such as `static` ones, first get a unique name and become external, so
that the optimizer assumes accesses by the host. The plugin generates the same identifiers in host
code (`native/plugin/identification.h`).
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.device_metadata import GLOBAL_ID, GLOBAL_SIZE
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext, external_name, unique_part

_INTERNAL = ("internal", "private")


@dataclass(frozen=True)
class DeviceGlobals(ModulePass):
    """Attach identifiers to device globals."""

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
