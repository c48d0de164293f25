"""Validate emitted SPIR-V against the specification with spirv-val.

Drivers may crash on an invalid module, so the digests of valid modules are recorded for the
runtime. For an invalid module, `InvalidCode` is raised, which contains it.

The validator does not support conditions. So conditional code is validated in specialized forms:
with all constants on, with all off, and with one off at a time.
"""

import shlex
from collections.abc import Mapping, Sequence

from dovetail.codegen.generator import InvalidCode
from dovetail.errors import FormatError
from dovetail.resources import SPIRV_VAL, tool_path
from dovetail.spirv import SpirvModule
from dovetail.spirv.opcodes import CAPABILITY, ENTRY_POINT
from dovetail.spirv_validator import validation_error, validator_command
from dovetail.trust import is_known, remember

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.image import Constants

_SUFFIX = ".spv"

_MAX_CONSTANTS_OFF = 8
"""How many constants are turned off one at a time, those that kernels require first."""
MAX_BYTES_VALIDATED_SEPARATELY = 1 << 20
"""The size of code after which constants are no longer turned off one at a time. The validator
takes half as long as the back-end for the same code, and must not dominate a build."""
_LINKAGE = 5
"""The capability `Linkage`."""


def validate_spirv(code: bytes, kernels: Sequence[str]) -> None:
    """Raise `InvalidCode` for `kernels` unless code is valid; the runtime then trusts it."""
    tool_path(SPIRV_VAL)  # raises `ToolMissing`: a build never skips validation
    complaint = validation_error(code)
    if complaint:
        command = shlex.join(validator_command(f"NAME.invalid{_SUFFIX}") or ())
        raise InvalidCode(
            f"the SPIR-V for {', '.join(kernels)} is invalid:\n"
            f"{complaint}\nto check it again, build with -save-temps and run: {command}",
            code,
            _SUFFIX,
        )
    remember(code)


def validate_conditional(code: bytes, constants: "Constants", kernels: Sequence[str]) -> None:
    """Raise `InvalidCode` unless conditional code is valid; the runtime then trusts it.

    Only a sample of the constants' values is checked. Code for targets of ahead-of-time compilers
    is validated when it is specialized.
    """
    spec_ids = sorted((*constants.required, *constants.asked))
    validated_bytes = 0
    for is_on in (True, False):
        values = dict.fromkeys(spec_ids, is_on)
        validated_bytes += len(specialise_and_validate(code, values, kernels))
    for off in spec_ids[:_MAX_CONSTANTS_OFF]:
        if validated_bytes < MAX_BYTES_VALIDATED_SEPARATELY:
            values = {spec_id: spec_id != off for spec_id in spec_ids}
            validated_bytes += len(specialise_and_validate(code, values, kernels))
    remember(code)


def specialise_and_validate(
    code: bytes, values: Mapping[int, bool], kernels: Sequence[str]
) -> bytes:
    """Specialize conditional code with `values`, validate it, and return the plain SPIR-V.

    Raise `InvalidCode` if either fails.
    """
    # Imported here because most code has no conditions.
    from dovetail.spirv.specialise import specialised

    try:
        plain = specialised(SpirvModule.read(code), values)
    except FormatError as error:
        raise InvalidCode(
            f"the conditional SPIR-V for {', '.join(kernels)} is invalid: {error}", code, _SUFFIX
        ) from error
    plain_code = plain.to_bytes()
    # The validator rejects modules without entry points and exports.
    if _has_callable_code(plain) and not is_known(plain_code):
        validate_spirv(plain_code, kernels)
    return plain_code


def _has_callable_code(module: SpirvModule) -> bool:
    """Return whether a module has entry points or linkage."""
    return any(
        opcode == ENTRY_POINT or (opcode == CAPABILITY and module.operand(offset, 1) == _LINKAGE)
        for opcode, offset, _ in module.instructions()
    )
