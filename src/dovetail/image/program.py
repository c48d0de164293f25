"""A packaged program: a SYCLBIN inside an OffloadBinary, which is what Intel's runtime loads."""

import os

from dovetail.errors import FormatError
from dovetail.image import offload_binary, syclbin
from dovetail.image.executable import HEAD, begins_as_executable
from dovetail.image.offload_binary import ImageKind, OffloadEntry, OffloadKind
from dovetail.image.offload_reader import read_offload_binary
from dovetail.image.offload_writer import write_offload_binary
from dovetail.image.syclbin import SyclBin
from dovetail.image.syclbin_reader import read_syclbin
from dovetail.image.syclbin_writer import write_syclbin
from dovetail.image.window import Bytes, flat

_BARE_MAGIC = syclbin.MAGIC.to_bytes(4, "little")


def read_program(data: Bytes) -> SyclBin:
    """The program in `data`; a SYCLBIN without its wrapper is taken too."""
    magic = bytes(flat(data)[:4])
    if magic == _BARE_MAGIC:
        return read_syclbin(data)
    if magic != offload_binary.MAGIC:
        raise FormatError("byte 0: neither an offload binary nor a SYCLBIN")
    entries = read_offload_binary(data)
    programs = [entry for entry in entries if entry.image_kind == ImageKind.SYCLBIN]
    if len(programs) != 1:
        raise FormatError(f"byte 0: an offload binary with {len(programs)} SYCLBINs, not with one")
    return read_syclbin(programs[0].image, start=programs[0].image_offset)


def is_program(data: Bytes) -> bool:
    """Whether a file begins as programs do, or as those that are started by themselves."""
    head = bytes(flat(data)[:HEAD])
    return head.startswith((_BARE_MAGIC, offload_binary.MAGIC)) or begins_as_executable(head)


def naming_file(error: FormatError, path: str | os.PathLike[str]) -> FormatError:
    """What to raise when it is a file whose content is wrong."""
    return FormatError(
        f"'{os.fspath(path)}' is not a SYCL program file, or is damaged: {error.message}",
        hint="programs are made by 'dovetail c++ -fsycl -fsyclbin' and by Program.save",
    )


def write_program(syclbin: SyclBin) -> bytes:
    """The bytes of a program as Intel's runtime loads it."""
    entry = OffloadEntry(ImageKind.SYCLBIN, OffloadKind.SYCL, 0, {}, write_syclbin(syclbin))
    # LLVM 22 and Intel's runtime up to 2026.1 know version 1 alone; later ones know both.
    return write_offload_binary(entry, version=1)
