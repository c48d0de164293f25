"""Code with conditions as plain code for the device that its constants were set for."""

from dovetail import trust
from dovetail.errors import FormatError, ProgramBuildError
from dovetail.runtime.backend import Code
from dovetail.spirv import Module
from dovetail.spirv.specialise import specialised


def plain(code: Code) -> Code:
    """The code without conditions; `ProgramBuildError` if they make no sense."""
    if not code.values:
        return code
    try:
        module = specialised(Module.read(code.data), dict(code.values))
    except FormatError as error:
        raise ProgramBuildError(f"the code cannot be specialised: {error.message}") from None
    # Who made the whole has validated what can come of it.
    return Code(code.kind, module.to_bytes(), is_ours=trust.is_known(code.data))
