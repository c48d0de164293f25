"""The section of object files that carries device code."""

import pytest
from fuzz.objects import elf

from dovetail.errors import FormatError
from dovetail.image import ImageKind, OffloadEntry, OffloadKind, write_offload_binary
from dovetail.image.device_section import (
    SECTION,
    DeviceCode,
    DeviceSection,
    read_device_section,
    write_device_section,
)

CODE = DeviceCode(
    "spirv64-unknown-unknown", b"BC\xc0\xde1", "a b.cpp", ("_Z1fv", "_Z1gv"), ("x86_64", "spir64")
)
OTHER = DeviceCode("nvptx64-nvidia-cuda", b"BC\xc0\xde2", "a b.cpp")
GIVEN = DeviceSection((CODE, OTHER), (("-std=c++17", "-O2"), ("-I/a b",)))


def object_with(*contents: bytes) -> bytes:
    return elf((b".text", b"code"), *((SECTION.encode(), content) for content in contents))


def test_round_trip() -> None:
    found = read_device_section(object_with(write_device_section(GIVEN)))
    assert found == GIVEN


def test_sections_of_several_objects() -> None:
    """Sections that `ld -r` has joined or kept separate."""
    one = write_device_section(DeviceSection((CODE,)))
    two = write_device_section(DeviceSection((OTHER,)))
    assert read_device_section(object_with(one + two)).code == (CODE, OTHER)
    assert read_device_section(object_with(one, two)).code == (CODE, OTHER)


def test_plain_objects_have_no_device_code() -> None:
    assert not read_device_section(elf((b".text", b"code")))
    assert not read_device_section(object_with(b""))


def test_device_code_of_other_compilers() -> None:
    """DPC++'s code is read, although it has fewer strings; other programming models are ignored."""
    strings = {"triple": "spir64-unknown-unknown"}
    entries = [
        OffloadEntry(ImageKind.BITCODE, OffloadKind.SYCL, 0, strings, b"sycl"),
        OffloadEntry(ImageKind.BITCODE, OffloadKind.OPENMP, 0, strings, b"openmp"),
        OffloadEntry(ImageKind.PTX, OffloadKind.SYCL, 0, strings, b"ptx"),
    ]
    found = read_device_section(object_with(write_offload_binary(entries)))
    assert found == DeviceSection((DeviceCode("spir64-unknown-unknown", b"sycl"),))


@pytest.mark.parametrize("text", ["", "{", "{}", "[1]", '"x"', "[" * 100_000])
def test_invalid_lists_of_words(text: str) -> None:
    strings = {"dovetail-bodies": text}
    entry = OffloadEntry(ImageKind.NONE, OffloadKind.SYCL, 0, strings, b"")
    with pytest.raises(FormatError, match="is not a JSON list of strings"):
        read_device_section(object_with(write_offload_binary(entry)))


def test_damage() -> None:
    with pytest.raises(FormatError, match="offload binary, byte"):
        read_device_section(object_with(b"nothing of the kind"))
