"""Hold emitted SPIR-V against the specification before any driver sees it.

A driver may end the process over an invalid module, so what passed is remembered by its digest and
what did not is an error of ours, which carries the module for the report.

The validator does not know conditions. So conditional code is held against it as devices get it:
with everything, with nothing, and without one thing at a time.
"""

import shlex
from collections.abc import Mapping, Sequence

from dovetail.codegen.generator import InvalidCode
from dovetail.errors import FormatError
from dovetail.image import Constants
from dovetail.resources import SPIRV_VAL, tool_path
from dovetail.spirv import Module
from dovetail.spirv.opcodes import CAPABILITY, ENTRY_POINT
from dovetail.spirv.specialise import specialised
from dovetail.spirv_validator import validation_error, validator_command
from dovetail.trust import is_known, remember

_SUFFIX = ".spv"

_MOST_LEFT_OUT = 8
"""How many constants are off alone: first those of what kernels require, then of what is asked."""
MAX_BYTES_VALIDATED_SEPARATELY = 1 << 20
"""Bytes of code: once so much was looked at, constants are not turned off alone any more. The
validator takes half as long as the back-end for the same code, and must not dominate a build."""
_LINKAGE = 5


def validate_spirv(code: bytes, kernels: Sequence[str]) -> None:
    """Return if code is valid; it is then known as such to the runtime. `kernels` are its names."""
    tool_path(SPIRV_VAL)  # what we build is always validated
    complaint = validation_error(code)
    if complaint:
        command = shlex.join(validator_command(f"NAME.invalid{_SUFFIX}") or ())
        raise InvalidCode(
            f"the SPIR-V for {', '.join(kernels)} is invalid:\n"
            f"{complaint}\n-save-temps keeps it; check again with: {command}",
            code,
            _SUFFIX,
        )
    remember(code)


def validate_conditional(code: bytes, constants: Constants, kernels: Sequence[str]) -> None:
    """Return if code is valid however its constants are set; it is then known to the runtime.

    There are many ways to set them. Some stand for all; those that targets need ahead of time are
    validated when they are made.
    """
    spec_ids = sorted((*constants.required, *constants.asked))
    looked_at = 0
    for everything in (True, False):
        values = dict.fromkeys(spec_ids, everything)
        looked_at += len(validate_specialised(code, values, kernels))
    for left_out in spec_ids[:_MOST_LEFT_OUT]:
        if looked_at < MAX_BYTES_VALIDATED_SEPARATELY:
            values = {spec_id: spec_id != left_out for spec_id in spec_ids}
            looked_at += len(validate_specialised(code, values, kernels))
    remember(code)


def validate_specialised(code: bytes, values: Mapping[int, bool], kernels: Sequence[str]) -> bytes:
    """Conditional code for one device, in plain SPIR-V that is valid."""
    try:
        plain = specialised(Module.read(code), values)
    except FormatError as error:
        raise InvalidCode(
            f"the conditional SPIR-V for {', '.join(kernels)} is wrong: {error}", code, _SUFFIX
        ) from error
    made = plain.to_bytes()
    # What is of no use to a device is no module at all to the validator.
    if _is_entered(plain) and not is_known(made):
        validate_spirv(made, kernels)
    return made


def _is_entered(module: Module) -> bool:
    """Whether there is anything that a program can call."""
    return any(
        opcode == ENTRY_POINT or (opcode == CAPABILITY and module.operand(at, 1) == _LINKAGE)
        for opcode, at, _ in module.instructions()
    )
