"""The CPU kinds that Intel's OpenCL CPU runtime generates code for.

The runtime accepts a binary for its own CPU kind and for older ones. Accepting an older one has a
side effect: from then on it compiles everything else in the process for that older kind. So only
binaries for the kind that it compiles for itself may be passed to it; compiling a minimal kernel
shows which kind that is.
"""

import struct

CPU_KINDS = (
    "corei7",
    "corei7-avx",
    "core-avx2",
    "skx",
    "cascadelake",
    "icelake-client",
    "icelake-server",
    "sapphirerapids",
    "graniterapids",
    "diamondrapids",
)
"""LLVM's names, oldest first. Each kind has the instruction sets of all kinds before it."""

TARGET_SETTING = "CL_CONFIG_CPU_TARGET_ARCH"
"""The environment variable that makes the runtime generate code for another kind than the host's.

The runtime reads it once per process."""

_ELF_HEADER = struct.Struct("<4s12xH30xI")
"""An ELF64 header: the magic number, `e_type`, `e_flags`."""
_MAGIC = b"\x7fELF"
_EXECUTABLE = 0xFF04
"""The `e_type` of the runtime's binaries with machine code."""

# SPIR-V: opcodes and their operands.
_CAPABILITY, _MEMORY_MODEL, _ENTRY_POINT = 17, 14, 15
_TYPE_VOID, _TYPE_FUNCTION, _FUNCTION, _FUNCTION_END, _LABEL, _RETURN = 19, 33, 54, 56, 248, 253
_ADDRESSES, _KERNEL = 4, 6
_PHYSICAL64, _OPENCL = 2, 2
_VERSION = 0x10000


def kind_of_binary(binary: bytes | bytearray | memoryview) -> str:
    """Return the CPU kind that a binary of the runtime is for; empty if it is not such a binary."""
    if len(binary) < _ELF_HEADER.size:
        return ""
    magic: bytes
    file_type: int
    flags: int
    magic, file_type, flags = _ELF_HEADER.unpack_from(binary)
    if magic != _MAGIC or file_type != _EXECUTABLE:
        return ""
    # In `e_flags`, the runtime numbers the kinds from 1, in this order.
    return CPU_KINDS[flags - 1] if 0 < flags <= len(CPU_KINDS) else f"kind {flags}"


def minimal_kernel() -> bytes:
    """Return a SPIR-V module with one empty kernel."""
    # Imported here: every program with native code compares kinds, which needs none of this.
    from array import array

    from dovetail.spirv import instruction
    from dovetail.spirv.module import MAGIC

    kernel, void, function, label, bound = range(1, 6)
    words = array("I", (MAGIC, _VERSION, 0, bound, 0))
    for encoded in (
        instruction(_CAPABILITY, _ADDRESSES),
        instruction(_CAPABILITY, _KERNEL),
        instruction(_MEMORY_MODEL, _PHYSICAL64, _OPENCL),
        instruction(_ENTRY_POINT, _KERNEL, kernel, "minimal"),
        instruction(_TYPE_VOID, void),
        instruction(_TYPE_FUNCTION, function, void),
        instruction(_FUNCTION, void, kernel, 0, function),
        instruction(_LABEL, label),
        instruction(_RETURN),
        instruction(_FUNCTION_END),
    ):
        words.extend(encoded)
    return words.tobytes()
