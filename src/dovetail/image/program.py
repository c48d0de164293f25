"""Packaged programs: a SYCLBIN inside an OffloadBinary, the format that Intel's runtime loads."""

import os

from dovetail.errors import FormatError
from dovetail.image import offload_binary, syclbin
from dovetail.image.executable import HEAD_SIZE, begins_as_executable
from dovetail.image.offload_binary import ImageKind, OffloadEntry, OffloadKind
from dovetail.image.offload_reader import read_offload_binary
from dovetail.image.offload_writer import write_offload_binary
from dovetail.image.syclbin import SyclBin
from dovetail.image.syclbin_reader import read_syclbin
from dovetail.image.syclbin_writer import write_syclbin
from dovetail.image.window import Bytes, flat

_BARE_MAGIC = syclbin.MAGIC.to_bytes(4, "little")


def read_program(data: Bytes) -> SyclBin:
    """Read the program in `data`, which may also be a bare SYCLBIN."""
    magic = bytes(flat(data)[:4])
    if magic == _BARE_MAGIC:
        return read_syclbin(data)
    if magic != offload_binary.MAGIC:
        raise FormatError("byte 0: expected the magic number of an offload binary or a SYCLBIN")
    entries = read_offload_binary(data)
    programs = [entry for entry in entries if entry.image_kind == ImageKind.SYCLBIN]
    if len(programs) != 1:
        raise FormatError(f"byte 0: expected one SYCLBIN in the binary, got {len(programs)}")
    return read_syclbin(programs[0].image, start=programs[0].image_offset)


def is_program(data: Bytes) -> bool:
    """Whether `data` begins like a packaged program or a self-contained executable."""
    head = bytes(flat(data)[:HEAD_SIZE])
    return head.startswith((_BARE_MAGIC, offload_binary.MAGIC)) or begins_as_executable(head)


def naming_file(error: FormatError, path: str | os.PathLike[str]) -> FormatError:
    """Return `error` as an error about the file at `path`."""
    return FormatError(
        f"'{os.fspath(path)}' is not a SYCL program file, or is damaged: {error.message}",
        hint="programs are made by 'dovetail c++ -fsycl -fsyclbin' and by Program.save",
    )


def write_program(syclbin: SyclBin) -> bytes:
    """Return the bytes of a packaged program."""
    entry = OffloadEntry(ImageKind.SYCLBIN, OffloadKind.SYCL, 0, {}, write_syclbin(syclbin))
    # LLVM 22 and Intel's runtime up to 2026.1 read only version 1; later ones read both.
    return write_offload_binary(entry, version=1)
