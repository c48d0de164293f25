"""Split reads of specialization constants into reads of scalars.

In: calls by which the headers read the value of a `specialization_id` into memory. Out: for each
scalar in the value, a call of a function without side effects, whose result is stored there. The
functions are only declared, so that the optimizer knows that the value does not change, but not
what it is. Post-link defines them, in the form that the target needs.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.device_metadata import CONSTANT_SCALAR, SCALAR_PREFIX
from dovetail.errors import CompileError, IRError
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext, external_name, unique_part

READER = "_Z37__dovetail_readSpecializationConstantPvPKv"


@dataclass(frozen=True)
class SpecializationConstants(ModulePass):
    """Split reads of specialization constants."""

    name: ClassVar[str] = "specialization-constants"

    def apply(self, context: PassContext, module: Module) -> None:
        if all(function.name != READER for function in module.functions()):
            return
        unique = unique_part(context, module)
        # The plugin generates the same identifiers in host code (native/plugin/identification.h).
        identifiers = {
            variable.name: external_name(variable.name, unique)
            for variable in module.global_variables()
            if variable.linkage in ("internal", "private")
        }
        try:
            module.split_constant_reads(READER, SCALAR_PREFIX, CONSTANT_SCALAR, identifiers)
        except IRError as error:
            raise CompileError(
                f"{module.name}: error: the default value of a specialization constant is not known"
                f" when the program is compiled: {error.message}",
                hint="declare it constexpr, without addresses in its value",
            ) from None
