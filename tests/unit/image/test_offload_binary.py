"""OffloadBinary: golden bytes, LLVM's own tool, both versions, errors."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from patience import PATIENCE

from dovetail.errors import FormatError
from dovetail.image import (
    ImageKind,
    OffloadEntry,
    OffloadKind,
    read_offload_binary,
    write_offload_binary,
)

DATA = Path(__file__).parent / "data"
TOOL = shutil.which("llvm-offload-binary", path="/usr/lib/llvm-22/bin") or shutil.which(
    "llvm-offload-binary-22"
)
needs_tool = pytest.mark.skipif(TOOL is None, reason="LLVM 22's llvm-offload-binary is missing")

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
ENTRIES = st.builds(
    OffloadEntry,
    image_kind=st.integers(0, 2**16 - 1),
    offload_kind=st.integers(0, 2**16 - 1),
    flags=st.integers(0, 2**32 - 1),
    strings=st.dictionaries(TEXTS, TEXTS, max_size=3),
    image=st.binary(max_size=30),
)

SPIRV = OffloadEntry(
    ImageKind.SPIRV,
    OffloadKind.SYCL,
    3,
    {"triple": "spirv64-unknown-unknown", "arch": "generic"},
    b"some code",
)
PTX = OffloadEntry(
    ImageKind.PTX, OffloadKind.CUDA, 0, {"triple": "nvptx64-nvidia-cuda", "arch": "sm_90"}, b"ptx"
)


def test_golden_version_2() -> None:
    entry = OffloadEntry(ImageKind.SYCLBIN, OffloadKind.SYCL, 1, {"k": "vw"}, b"code!")
    assert write_offload_binary(entry) == (
        b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 2, 112, 32, 1)
        + struct.pack("<HHIQQQQ", 7, 8, 1, 72, 1, 104, 5)
        + struct.pack("<QQQ", 96, 98, 2)
        + b"k\0vw\0\0\0\0"
        + b"code!\0\0\0"
    )  # fmt: skip


def test_golden_version_1() -> None:
    entry = OffloadEntry(ImageKind.OBJECT, OffloadKind.HIP, 0, {"k": "vw"}, b"code!")
    assert write_offload_binary(entry, version=1) == (
        b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 1, 104, 32, 40)
        + struct.pack("<HHIQQQQ", 1, 4, 0, 72, 1, 96, 5)
        + struct.pack("<QQ", 88, 90)
        + b"k\0vw\0\0\0\0"
        + b"code!\0\0\0"
    )  # fmt: skip


@pytest.mark.parametrize("name", ["reference.syclbin", "reference-sizes.syclbin"])
def test_intels_wrapper_is_reproduced_exactly(name: str) -> None:
    data = (DATA / name).read_bytes()
    (entry,) = read_offload_binary(data)
    assert (entry.image_kind, entry.offload_kind) == (ImageKind.SYCLBIN, OffloadKind.SYCL)
    assert (entry.flags, entry.strings, entry.image_offset) == (0, {}, 72)
    assert write_offload_binary(entry) == data


def test_images_are_not_copied() -> None:
    data = write_offload_binary([SPIRV, PTX])
    image = read_offload_binary(data)[1].image
    assert isinstance(image, memoryview)
    assert image.obj is data


def test_wide_elements_count_as_their_bytes() -> None:
    wide = memoryview(struct.pack("<3I", 1, 2, 3)).cast("I")
    data = write_offload_binary(OffloadEntry(0, 0, 0, {}, wide))
    assert bytes(read_offload_binary(data)[0].image) == wide.tobytes()


@needs_tool
def test_llvm_extracts_what_we_write(tmp_path: Path) -> None:
    assert TOOL
    packed = tmp_path / "packed"
    packed.write_bytes(write_offload_binary([SPIRV, PTX], version=1))
    for name, entry in (("first", SPIRV), ("second", PTX)):
        wanted = ",".join(f"{key}={value}" for key, value in entry.strings.items())
        subprocess.run(
            [TOOL, packed, f"--image=file={tmp_path / name},{wanted}"], check=True, timeout=PATIENCE
        )
        assert (tmp_path / name).read_bytes() == entry.image


@needs_tool
def test_files_of_llvm_are_read(tmp_path: Path) -> None:
    assert TOOL
    images: list[str] = []
    for number, kind in enumerate(("sycl", "cuda")):
        (tmp_path / kind).write_bytes(kind.encode() * (number + 1))
        images.append(f"--image=file={tmp_path / kind},triple=t{number},arch=a,kind={kind}")
    packed = tmp_path / "packed"
    subprocess.run([TOOL, "-o", packed, *images], check=True, timeout=PATIENCE)
    first, second = read_offload_binary(packed.read_bytes())
    assert first == OffloadEntry(0, OffloadKind.SYCL, 0, {"triple": "t0", "arch": "a"}, b"sycl")
    assert second.strings == {"triple": "t1", "arch": "a"}
    assert (second.offload_kind, bytes(second.image)) == (OffloadKind.CUDA, b"cudacuda")


@given(st.lists(ENTRIES, min_size=1, max_size=4), st.sampled_from([1, 2]))
def test_what_is_written_can_be_read(entries: list[OffloadEntry], version: int) -> None:
    data = write_offload_binary(entries, version=version)
    assert list(read_offload_binary(data)) == entries
    assert write_offload_binary(entries, version=version) == data
    assert len(data) % 8 == 0


def test_versions_can_be_mixed() -> None:
    data = write_offload_binary([SPIRV, PTX]) + write_offload_binary([PTX], version=1)
    assert read_offload_binary(data) == (SPIRV, PTX, PTX)


def test_a_sized_value_may_hold_a_zero() -> None:
    entry = OffloadEntry(0, 0, 0, {"k": "a\0b"}, b"")
    assert read_offload_binary(write_offload_binary(entry)) == (entry,)
    with pytest.raises(FormatError, match="contains a zero"):
        write_offload_binary(entry, version=1)


@pytest.mark.parametrize(
    "entries",
    [
        [],
        [OffloadEntry(2**16, 0, 0, {}, b"")],
        [OffloadEntry(0, -1, 0, {}, b"")],
        [OffloadEntry(0, 0, 2**32, {}, b"")],
        [OffloadEntry(0, 0, 0, {"a\0": ""}, b"")],
        [OffloadEntry(0, 0, 0, {"\ud800": ""}, b"")],
    ],
)
def test_values_out_of_range_are_not_written(entries: list[OffloadEntry]) -> None:
    with pytest.raises(FormatError):
        write_offload_binary(entries)


def test_unknown_versions_are_not_written() -> None:
    with pytest.raises(FormatError, match="offload binaries, got 3"):
        write_offload_binary(SPIRV, version=3)


# In a binary of SPIRV and PTX: the entries are at 32 and 72, their strings' tables at 112 and 160.
HUGE = 2**64 - 1
PATCHES = [
    (0, "<I", 0, 0, "magic"),
    (4, "<I", 0, 4, "version 0"),
    (4, "<I", 3, 4, "version 3"),
    (8, "<Q", 8, 8, "less than that of a header"),
    (8, "<Q", HUGE, 8, "the binary extends to"),
    (16, "<Q", HUGE, 16, "the table of entries extends to"),
    (16, "<Q", 36, 16, "misaligned"),
    (16, "<Q", 0, 16, "overlaps the header"),
    (24, "<Q", 0, 24, "no entries"),
    (24, "<Q", 2**32, 16, "the table of entries extends to"),
    (24, "<Q", HUGE, 16, "the table of entries extends to"),
    (40, "<Q", HUGE, 40, "a table of strings extends to"),
    (40, "<Q", 116, 80, "overlaps a table of strings"),
    (40, "<Q", 160, 80, "overlaps a table of strings"),
    (40, "<Q", 40, 40, "overlaps the table of entries"),
    (48, "<Q", HUGE, 40, "a table of strings"),
    (56, "<Q", HUGE, 56, "an image extends to"),
    (64, "<Q", HUGE, 56, "an image extends to"),
    (56, "<Q", 8, 56, "an image overlaps the header"),
    (112, "<Q", HUGE, 112, "a key has no terminating zero"),
    (120, "<Q", HUGE, 120, "a string extends to"),
    (128, "<Q", HUGE, 120, "a string extends to"),
    (136, "<Q", 208, 136, "string 'triple' appears twice"),
    (208, "<B", 255, 112, "a key is not UTF-8"),
]


@pytest.mark.parametrize(("offset", "layout", "value", "named", "problem"), PATCHES)
def test_a_wrong_claim_is_named(
    offset: int, layout: str, value: int, named: int, problem: str
) -> None:
    data = bytearray(write_offload_binary([SPIRV, PTX]))
    struct.pack_into(layout, data, offset, value)
    with pytest.raises(FormatError) as caught:
        read_offload_binary(data)
    assert f"byte {named}:" in caught.value.message
    assert problem in caught.value.message


def test_version_1_has_an_entry_of_the_right_size() -> None:
    data = bytearray(write_offload_binary(SPIRV, version=1))
    struct.pack_into("<Q", data, 24, 48)
    with pytest.raises(FormatError, match="byte 24: expected an entry of 40 bytes, got 48"):
        read_offload_binary(data)


def test_later_binaries_name_offsets_of_the_file() -> None:
    first = write_offload_binary(PTX)
    with pytest.raises(FormatError, match=f"byte {len(first) + 4}: version 9"):
        read_offload_binary(first + b"\x10\xff\x10\xad\x09" + bytes(40))
    with pytest.raises(FormatError, match=f"byte {len(first)}: the header extends to"):
        read_offload_binary(first + b"\x10")


@pytest.mark.parametrize("version", [1, 2])
def test_truncated_files_are_rejected(version: int) -> None:
    data = write_offload_binary(SPIRV, version=version)
    for size in range(len(data)):
        with pytest.raises(FormatError, match="byte"):
            read_offload_binary(data[:size])


def file_with_shared_text(step: int) -> bytes:
    """Thousands of values in one long text, each `step` bytes after the previous one."""
    count, text = 2000, b"x" * 20_000 + b"\0"
    keys = b"".join(b"%06d\0" % n for n in range(count))
    table_offset, keys_offset = 72, 72 + count * 16
    text_offset = keys_offset + len(keys)
    rows = b"".join(
        struct.pack("<QQ", keys_offset + 7 * n, text_offset + n * step) for n in range(count)
    )
    size = text_offset + len(text)
    data = b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 1, size, 32, 40)
    data += struct.pack("<HHIQQQQ", 0, 0, 0, table_offset, count, size, 0) + rows + keys + text
    return data


def test_strings_may_be_used_more_than_once() -> None:
    (entry,) = read_offload_binary(file_with_shared_text(step=0))
    assert set(entry.strings.values()) == {"x" * 20_000}
    same = [OffloadEntry(0, 0, 0, {"key": "x" * 500}, b"")] * 20
    assert list(read_offload_binary(write_offload_binary(same))) == same


def test_overlapping_strings_have_a_size_limit() -> None:
    with pytest.raises(FormatError, match=r"has no terminating zero|longer than the binary"):
        read_offload_binary(file_with_shared_text(step=1))
