"""SPIR-V's validator: whether a module keeps to what drivers take for granted."""

from dovetail.errors import FormatError, ToolFailed, ToolMissing
from dovetail.resources import SPIRV_VAL, tool_path
from dovetail.spirv import Module
from dovetail.spirv.reduced import for_validator

# The newest version of SPIR-V that we write; older modules are valid under it too.
ENVIRONMENT = "spv1.4"
SECONDS = 60.0
"""A module that takes longer was made to."""


def validator_command(path: str = "-") -> tuple[str, ...] | None:
    """The command that validates a file; None if the validator is not installed."""
    try:
        return (tool_path(SPIRV_VAL), "--target-env", ENVIRONMENT, path)
    except ToolMissing:
        return None


def validation_error(code: bytes) -> str | None:
    """What is wrong with the module; empty if nothing is, None if there is no validator."""
    command = validator_command()
    if command is None:
        return None
    # Most code that is loaded was validated before.
    from dovetail.processes.pool import current_pool

    try:
        finished = current_pool().run(command, stdin=_with_what_is_known(code), seconds=SECONDS)
    except ToolFailed as error:
        return error.message
    if finished.status == 0:
        return ""
    return finished.log or f"the validator failed ({finished.termination})"


def _with_what_is_known(code: bytes) -> bytes:
    """The module without decorations that are newer than the validator, or of a user's own."""
    try:
        return for_validator(Module.read(code)).to_bytes()
    except FormatError:
        # The validator tells what is wrong with it.
        return code
