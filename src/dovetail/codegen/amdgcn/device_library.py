"""AMD's library of functions on numbers, and what it wants to know of the processor.

The library asks variables that others define. AMD ships a file for each processor with the answers;
here they are computed, so that an older library serves newer processors too.
"""

from functools import cache

from dovetail.codegen.amdgcn.processor import Processor
from dovetail.codegen.device_code import MathLibrary
from dovetail.compilers.math_libraries import OCML_PACKAGE, ocml_path
from dovetail.files import LLVM_IR, read_bytes

_ADVICE = (
    f"AMD's library has such functions. On Debian: apt-get install {OCML_PACKAGE}; elsewhere"
    " install ROCm's device libraries and name its folder in ROCM_PATH"
)

_CODE_OBJECT_VERSION = 600


def device_library() -> MathLibrary:
    """The installed library, if there is one."""
    return MathLibrary(_read(ocml_path()), _ADVICE)


@cache
def _read(path: str | None) -> bytes:
    return read_bytes(path, LLVM_IR) if path else b""


def answers(processor: Processor, wavefront_size: int) -> bytes:
    """What the library asks, as a module that defines it: exact results, nothing flushed."""
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
