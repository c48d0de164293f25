"""Hold emitted SPIR-V against the specification before any driver sees it.

A driver may end the process over an invalid module, so what passed is remembered by its digest and
what did not is an error of ours, which carries the module for the report.
"""

import shlex
from collections.abc import Sequence

from dovetail.codegen.generator import InvalidCode
from dovetail.resources import SPIRV_VAL, tool_path
from dovetail.spirv_validator import complaint_about, validator_command
from dovetail.trust import remember

_SUFFIX = ".spv"


def validate_spirv(code: bytes, kernels: Sequence[str]) -> None:
    """Return if code is valid; it is then known as such to the runtime. `kernels` are its names."""
    tool_path(SPIRV_VAL)  # what we build is always validated
    complaint = complaint_about(code)
    if complaint:
        command = shlex.join(validator_command(f"NAME.invalid{_SUFFIX}") or ())
        raise InvalidCode(
            f"the SPIR-V for {', '.join(kernels)} is invalid:\n"
            f"{complaint}\n-save-temps keeps it; check again with: {command}",
            code,
            _SUFFIX,
        )
    remember(code)
