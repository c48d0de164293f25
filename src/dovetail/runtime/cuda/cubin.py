"""Checks of the form and architecture of code before it is passed to NVIDIA's driver.

A cubin is an ELF file for one architecture, whose number is in the header's flags. Where in the
flags depends on the version of the ABI. PTX is text that names its architecture.
"""

import re
import struct

from dovetail.errors import ProgramBuildError

_HEADER = struct.Struct("<4sBBBBB7xHHIQQQIHHHHHH")
_ELF64_LITTLE_ENDIAN = (2, 1)
_EXECUTABLE = 2
_MACHINE = 190  # EM_CUDA
_PROGRAM_SIZE = 56
_SECTION_SIZE = 64
_OFFSET_IN_SECTION, _SIZE_IN_SECTION, _TYPE_IN_SECTION = 24, 32, 4
_NO_BITS = 8  # SHT_NOBITS

_FIRST_NEW_ABI = 8
_TARGET = re.compile(rb"^[ \t]*\.target[ \t]+sm_(\d{1,4})([a-z]?)", re.MULTILINE)
_VERSION = re.compile(rb"^[ \t]*\.version[ \t]+\d+\.\d+", re.MULTILINE)


def check_cubin(data: bytes, capability: tuple[int, int], device: str) -> None:
    """Raise `ProgramBuildError` if a device of that compute capability cannot run the code."""
    architecture = cubin_architecture(data)
    major, minor = divmod(architecture, 10)
    if major != capability[0] or minor > capability[1]:
        own = "".join(map(str, capability))
        raise ProgramBuildError(
            f"the cubin is for sm_{architecture}, which '{device}' (sm_{own}) does not run"
        )


def cubin_architecture(data: bytes) -> int:
    """Return the architecture of a cubin, such as 90, or raise `ProgramBuildError`."""
    if len(data) < _HEADER.size:
        raise _damaged("it is too short for an ELF header")
    fields = _HEADER.unpack_from(data)
    magic, bits, order, _, _, abi, kind, machine, _, _, programs, sections, flags = fields[:13]
    program_size, program_count, section_size, section_count = fields[14:18]
    if magic != b"\x7fELF" or (bits, order) != _ELF64_LITTLE_ENDIAN:
        raise _damaged("it is not a 64-bit ELF file")
    if machine != _MACHINE or kind != _EXECUTABLE:
        raise _damaged("it is not an executable for NVIDIA's GPUs")
    _check_table(len(data), "program headers", programs, program_count, program_size, _PROGRAM_SIZE)
    _check_table(len(data), "section headers", sections, section_count, section_size, _SECTION_SIZE)
    _check_sections(data, sections, section_count)
    return (flags >> 8) & 0xFF if abi >= _FIRST_NEW_ABI else flags & 0xFF


def check_ptx(data: bytes, capability: tuple[int, int], device: str) -> None:
    """Raise `ProgramBuildError` if the driver cannot compile the PTX for the device."""
    target = _TARGET.search(data)
    if target is None or not _VERSION.search(data) or b"\0" in data:
        raise ProgramBuildError("the PTX is damaged: it does not have a version and a target")
    architecture = int(target[1])
    own = 10 * capability[0] + capability[1]
    if architecture > own or (target[2] and architecture != own):
        name = target[1].decode() + target[2].decode()
        raise ProgramBuildError(
            f"the PTX is for sm_{name}, which '{device}' (sm_{own}) does not run"
        )


def _check_table(
    length: int, what: str, offset: int, count: int, entry_size: int, expected_size: int
) -> None:
    if count and (entry_size != expected_size or offset + count * entry_size > length):
        raise _damaged(f"its {what} are outside of the file")


def _check_sections(data: bytes, offset: int, count: int) -> None:
    for number in range(count):
        place = offset + number * _SECTION_SIZE
        (kind,) = struct.unpack_from("<I", data, place + _TYPE_IN_SECTION)
        (begin,) = struct.unpack_from("<Q", data, place + _OFFSET_IN_SECTION)
        (size,) = struct.unpack_from("<Q", data, place + _SIZE_IN_SECTION)
        if kind not in (0, _NO_BITS) and begin + size > len(data):
            raise _damaged(f"its section {number} is outside of the file")


def _damaged(why: str) -> ProgramBuildError:
    return ProgramBuildError(f"the cubin is damaged: {why}")
