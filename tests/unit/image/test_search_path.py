"""The program's folder in the search path of its host code."""

import struct

import pytest
from fuzz.objects import elf

from dovetail.errors import FormatError
from dovetail.image.search_path import PLACEHOLDER, needed_libraries, resolve_origin

RUNPATH, RPATH, NEEDED = 29, 15, 1


def library(path: bytes, tag: int = RUNPATH) -> bytes:
    strings = b"\0libm.so.6\0" + path + b"\0after\0"
    dynamic = struct.pack("<QQQQQQ", NEEDED, 1, tag, 11, 0, 0)
    return elf((b".dynamic", dynamic), (b".dynstr", strings))


@pytest.mark.parametrize("tag", [RUNPATH, RPATH])
@pytest.mark.parametrize("origin", ["$ORIGIN", "${ORIGIN}"])
def test_the_folder_is_written(origin: str, tag: int) -> None:
    path = f"/first:{origin}/../lib:{origin}:{PLACEHOLDER}"
    content = library(path.encode(), tag)
    resolved = bytes(resolve_origin(content, "/home/me/bin"))
    assert len(resolved) == len(content)
    assert b"\0/first:/home/me/bin/../lib:/home/me/bin\0\0" in resolved
    assert b"\0after\0" in resolved
    assert b"ORIGIN" not in resolved


def test_without_enough_space_nothing_changes() -> None:
    content = library(b"$ORIGIN/lib")
    assert resolve_origin(content, "/home/me/bin") == content
    assert b"\0/a/lib\0" in bytes(resolve_origin(content, "/a"))
    longer = library(f"$ORIGIN:{PLACEHOLDER}".encode())
    assert resolve_origin(longer, "/" + 5000 * "a") == longer


def test_libraries_without_origin_are_not_parsed() -> None:
    """Most programs do not use `$ORIGIN`, and their sections are not read."""
    assert resolve_origin(b"no ELF file", "/a") == b"no ELF file"
    content = library(b"/lib:$ORIGINAL")
    assert resolve_origin(content, "/a") == content


def test_libraries_that_are_needed() -> None:
    assert needed_libraries(library(b"$ORIGIN::")) == ["libm.so.6"]
    with pytest.raises(FormatError):
        needed_libraries(b"no library")


def test_a_dynamic_section_of_half_an_entry() -> None:
    content = elf((b".dynamic", struct.pack("<QQQ", RUNPATH, 1, 0)), (b".dynstr", b"\0$ORIGIN\0"))
    with pytest.raises(FormatError, match="dynamic section, 24, is not a multiple of 16"):
        resolve_origin(content, "/a")


def test_entries_that_share_a_long_path() -> None:
    """Otherwise each would cost the whole length."""
    dynamic = struct.pack("<QQ", RUNPATH, 1) * 1000
    strings = b"\0$ORIGIN:" + b"x" * 1000 + b"\0"
    with pytest.raises(FormatError, match="the search paths are longer than the file"):
        resolve_origin(elf((b".dynamic", dynamic), (b".dynstr", strings)), "/a")
