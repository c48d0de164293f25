"""Validation of SPIR-V modules with `spirv-val`."""

from dovetail.errors import FormatError, ToolFailed, ToolMissing
from dovetail.resources import SPIRV_VAL, tool_path
from dovetail.spirv import SpirvModule
from dovetail.spirv.stripping import strip_for_validator

# The newest version of SPIR-V that Dovetail writes; modules of older versions are valid too.
ENVIRONMENT = "spv1.4"
TIMEOUT_S = 60.0
"""Only a module constructed for this purpose takes longer."""


def validator_command(path: str = "-") -> tuple[str, ...] | None:
    """Return the command that validates a file, or None if the validator is not installed."""
    try:
        return (tool_path(SPIRV_VAL), "--target-env", ENVIRONMENT, path)
    except ToolMissing:
        return None


def validation_error(code: bytes) -> str | None:
    """Return the validator's message; empty for a valid module, None without a validator."""
    command = validator_command()
    if command is None:
        return None
    # Imported here: most code is already known to be valid.
    from dovetail.processes.pool import current_pool

    try:
        finished = current_pool().run(
            command, stdin=_supported_by_validator(code), seconds=TIMEOUT_S
        )
    except ToolFailed as error:
        return error.message
    if finished.status == 0:
        return ""
    return finished.log or f"the validator failed ({finished.termination})"


def _supported_by_validator(code: bytes) -> bytes:
    """Remove user-defined decorations, and those that are newer than the validator."""
    try:
        return strip_for_validator(SpirvModule.read(code)).to_bytes()
    except FormatError:
        # The validator reports the error.
        return code
