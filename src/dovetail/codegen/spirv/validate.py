"""Hold emitted SPIR-V against the specification before any driver sees it.

A driver may end the process over an invalid module, so what passed is remembered by its digest and
what did not is an error of ours, with the module kept for the report.
"""

import subprocess
import tempfile
from pathlib import Path

from dovetail.artifacts import CompiledImage
from dovetail.resources import SPIRV_VAL, tool_path
from dovetail.trust import remember

ENVIRONMENT = "spv1.4"


class InvalidSpirv(Exception):
    """LLVM's back-end wrote a module that is not valid: a bug, not a mistake of the user's."""


def validate_command(path: str) -> tuple[str, ...]:
    """The validator's command line."""
    return (tool_path(SPIRV_VAL), "--target-env", ENVIRONMENT, path)


def validate_spirv(image: CompiledImage) -> None:
    """Return if the image is valid; it is then known as such to the runtime."""
    finished = subprocess.run(validate_command("-"), input=image.code, capture_output=True)
    if finished.returncode:
        kept = _keep(image.code)
        raise InvalidSpirv(
            f"the SPIR-V for {', '.join(kernel.name for kernel in image.kernels)} is invalid:\n"
            f"{finished.stderr.decode(errors='replace').strip()}\n"
            f"kept as {kept}; check again with: {' '.join(validate_command(str(kept)))}"
        )
    remember(image.code)


def _keep(code: bytes) -> Path:
    with tempfile.NamedTemporaryFile(prefix="dovetail-", suffix=".spv", delete=False) as file:
        file.write(code)
    return Path(file.name)
