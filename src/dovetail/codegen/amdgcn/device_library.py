"""AMD's math library (OCML), and the control constants that it reads.

AMD ships the control constants (`__oclc_*`) as one bitcode file for each processor. Here they are
generated, so that an older library works with newer processors too.
"""

from functools import cache

from dovetail.codegen.amdgcn.processor import Processor
from dovetail.codegen.gpu_code import MathLibrary
from dovetail.compilers.math_libraries import OCML_PACKAGE, ocml_path
from dovetail.files import LLVM_IR, read_bytes

_ADVICE = (
    f"AMD's library has such functions. On Debian: apt-get install {OCML_PACKAGE}; elsewhere"
    " install ROCm's device libraries and name its folder in ROCM_PATH"
)

_CODE_OBJECT_VERSION = 600


def device_library() -> MathLibrary:
    """Return the installed library; its code is empty if there is none."""
    return MathLibrary(_read(ocml_path()), _ADVICE)


@cache
def _read(path: str | None) -> bytes:
    return read_bytes(path, LLVM_IR) if path else b""


def control_constants(processor: Processor, wavefront_size: int) -> bytes:
    """Return a module with the control constants, for exact results without flushing denormals."""
    values = {
        "finite_only_opt": (8, 0),
        "unsafe_math_opt": (8, 0),
        "daz_opt": (8, 0),
        "correctly_rounded_sqrt32": (8, 1),
        "wavefrontsize64": (8, int(wavefront_size == 64)),
        "ISA_version": (32, processor.version),
        "ABI_version": (32, _CODE_OBJECT_VERSION),
    }
    lines = (
        f"@__oclc_{name} = addrspace(4) constant i{bits} {value}"
        for name, (bits, value) in values.items()
    )
    return "\n".join(lines).encode()
