"""Hold emitted SPIR-V against the specification before any driver sees it.

A driver may end the process over an invalid module, so what passed is remembered by its digest and
what did not is an error of ours, with the module kept for the report.
"""

import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dovetail.resources import SPIRV_VAL, tool_path
from dovetail.spirv_validator import complaint_about, validator_command
from dovetail.trust import remember


class InvalidSpirv(Exception):
    """LLVM's back-end wrote a module that is not valid: a bug, not a mistake of the user's."""


def validate_spirv(code: bytes, kernels: Sequence[str]) -> None:
    """Return if code is valid; it is then known as such to the runtime. `kernels` are its names."""
    tool_path(SPIRV_VAL)  # what we build is always validated
    complaint = complaint_about(code)
    if complaint:
        kept = _keep(code)
        command = shlex.join(validator_command(str(kept)) or ())
        raise InvalidSpirv(
            f"the SPIR-V for {', '.join(kernels)} is invalid:\n"
            f"{complaint}\nkept as {kept}; check again with: {command}"
        )
    remember(code)


def _keep(code: bytes) -> Path:
    with tempfile.NamedTemporaryFile(prefix="dovetail-", suffix=".spv", delete=False) as file:
        file.write(code)
    return Path(file.name)
