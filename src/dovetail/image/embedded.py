"""Packaged programs in ELF executables and shared libraries."""

from dovetail.errors import FormatError
from dovetail.image.elf import CODE_SECTION, is_elf, sections_named
from dovetail.image.offload_binary import ImageKind
from dovetail.image.offload_reader import read_offload_binary
from dovetail.image.syclbin import SyclBin
from dovetail.image.syclbin_reader import read_syclbin
from dovetail.image.window import Bytes


def has_embedded_program(data: Bytes) -> bool:
    """Return whether `data` is an ELF file with packaged device code."""
    return is_elf(data) and bool(sections_named(data, CODE_SECTION))


def read_embedded_program(data: Bytes) -> SyclBin:
    """Return the packaged device code of an executable or shared library.

    One that another linker linked has a program for each of its objects.
    """
    programs = [
        read_syclbin(entry.image, start=entry.image_offset)
        for section in sections_named(data, CODE_SECTION)
        for entry in read_offload_binary(section.content)
        if entry.image_kind == ImageKind.SYCLBIN
    ]
    if not programs:
        raise FormatError("the ELF file has no packaged device code")
    modules = (module for program in programs for module in program.abstract_modules)
    return SyclBin(programs[0].metadata, tuple(modules))
