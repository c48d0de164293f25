"""LLVM's OffloadBinary: images of any kind, each with its kind, its producer and some strings.

Version 1, which LLVM 22 reads and writes, holds one entry; several binaries are concatenated.
Version 2, which Intel's runtime reads and writes, holds a table of entries and stores the size of
each string's value. This module has the layouts that reader and writer share.
"""

from dataclasses import dataclass, field
from enum import IntEnum
from struct import Struct

from dovetail.image.window import Bytes

MAGIC = b"\x10\xff\x10\xad"

HEADER = Struct("<4sIQQQ")
"""Magic, version, total size; then the entry's offset and size (version 1), or the entries' offset
and count (version 2)."""

ENTRY = Struct("<HHIQQQQ")
"""Image kind, offload kind, flags; offset and count of strings; offset and size of the image."""

STRING_OF_VERSION = {1: Struct("<QQ"), 2: Struct("<QQQ")}
"""Offsets of key and value; version 2 adds the value's size."""


class ImageKind(IntEnum):
    """The format of an image: LLVM's numbers, and SYCLBIN, which DPC++ added."""

    NONE = 0
    OBJECT = 1
    BITCODE = 2
    CUBIN = 3
    FATBINARY = 4
    PTX = 5
    SPIRV = 6
    SYCLBIN = 7


class OffloadKind(IntEnum):
    """The programming model of an image."""

    NONE = 0
    OPENMP = 1
    CUDA = 2
    HIP = 4
    SYCL = 8


@dataclass(frozen=True)
class OffloadEntry:
    """One image of an OffloadBinary. Kinds may be numbers that are not in the enumerations."""

    image_kind: int
    offload_kind: int
    flags: int
    strings: dict[str, str]
    """LLVM's tools look for `triple` and `arch`."""
    image: Bytes
    image_offset: int = field(default=0, compare=False)
    """The offset of the image in its file, for errors about its content."""
