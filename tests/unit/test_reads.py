"""What a compiler read: when it still holds."""

import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.frontend.reads import Reads, can_be_told, now, places_of, sought_by


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def observed(files: Iterable[str], places: Mapping[str, Iterable[str] | None]) -> Reads:
    time.sleep(0.02)  # longer than the clock of files takes to move on
    reads = Reads.observed(files, places, now())
    assert reads is not None
    return Reads.of_fields(json.loads(json.dumps(reads.fields())))


def test_files_count_by_content() -> None:
    write("a", "one")
    reads = observed(["a"], {})
    assert reads.hold()
    os.utime("a", (1, 1))
    assert reads.hold()
    assert not reads.hold(to_the_time=True), "clang refuses such a file"
    write("a", "two")
    assert not reads.hold()
    write("a", "one")
    assert reads.hold()
    Path("a").unlink()
    assert not reads.hold()


def test_a_file_that_keeps_its_size_and_time_is_noticed() -> None:
    write("a", "one")
    os.utime("a", (1, 1))
    reads = observed(["a"], {})
    settled = reads._replace(
        files={name: state._replace(is_settled=True) for name, state in reads.files.items()}
    )
    assert settled.hold()
    write("a", "two")
    os.utime("a", (1, 1))
    assert not settled.hold()


def test_what_changes_meanwhile_is_not_known() -> None:
    started = now()
    write("a", "one")
    assert Reads.observed(["a"], {}, started) is None
    assert Reads.observed(["none"], {}, now()) is None


def test_folders_count_by_the_names_that_were_sought() -> None:
    write("f/x.h", "")
    reads = observed([], {"f": ["x.h", "y.h"], "none": ["x.h"]})
    write("f/other.h", "")
    assert reads.hold()
    write("f/y.h", "")
    assert not reads.hold()
    Path("f/y.h").unlink()
    assert reads.hold()
    Path("f/x.h").unlink()
    assert not reads.hold()
    write("f/x.h", "")
    write("none/other.h", "")
    assert reads.hold()
    write("none/x.h", "")
    assert not reads.hold()


def test_a_folder_can_count_as_a_whole() -> None:
    write("versions/12/x", "")
    places = places_of(sought_by([]), [], ["versions/12/../../include"])
    assert places == {"versions": None}
    reads = observed([], places)
    assert reads.hold()
    write("versions/13/x", "")
    assert not reads.hold()


def test_identity_is_that_of_contents() -> None:
    write("a", "one")
    write("f/x.h", "")
    first = observed(["a"], {"f": ["x.h"], ".": ["a"]}).identity
    os.utime("a", (1, 1))
    assert observed(["a"], {".": ["a"], "f": ["x.h"]}).identity == first
    write("a", "two")
    assert observed(["a"], {"f": ["x.h"], ".": ["a"]}).identity != first


def test_names() -> None:
    sought = sought_by(
        [b'#include <a/b.h>\n# include "c.h"\n#if __has_include(<d.h>)\n#include_next <e.h>\n']
    )
    assert sought.angled == {"a/b.h", "d.h", "e.h"}
    assert sought.quoted == {"c.h"}
    write("src/s.cpp", "")
    write("inc/a/b.h", "")
    places = places_of(sought, ["src/s.cpp", "inc/a/b.h"], ["inc"])
    assert places["inc"] == {"a", "c.h", "d.h", "e.h"}
    assert places["inc/a"] == {"b.h", "c.h"}
    assert places["src"] == {"c.h"}
    made_up = sought_by([b"#define B <a/b.h>\n#include B\n"])
    assert places_of(made_up, ["src/s.cpp", "inc/a/b.h"], ["inc"])["src"] == {"a"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"int f();", True),
        (b'#include "a.h"\n#if __has_include(<b.h>)\n#ifdef __has_include\n', True),
        (b"char t[] = __TIMESTAMP__;", False),
        (b"#if __has_include(NAME)", False),
        (b"#  embed <x>", False),
        (b'asm(".incbin x")', False),
    ],
)
def test_what_can_be_told(text: bytes, told: bool) -> None:
    assert can_be_told(text) is told


def test_with_a_fixed_time_the_time_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    assert can_be_told(b"char t[] = __TIME__;")
    assert not can_be_told(b"char t[] = __TIME__; incbin")


def test_what_is_no_plain_file_is_not_read() -> None:
    """A list can name anything; a device or a pipe may never end."""
    os.mkfifo("pipe")
    for path in ("pipe", "/dev/zero"):
        reads = Reads.of_fields([{path: ["", 0, 0, 0, 0, False]}, [], []])
        assert not reads.hold()


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_paths_that_cannot_be(path: str) -> None:
    reads = Reads.of_fields([{path: ["", 0, 0, 0, 0, True]}, [], []])
    assert not reads.hold()
    assert not Reads.of_fields([{}, [["a"]], [[path, 0, 0, 0, ["a"]]]]).hold()


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        "[{}, []]",
        '[{"a": ["", 1, 1, 1, 1]}, [], []]',
        '[{"a": ["", 1, 1, 1, 1, 1]}, [], []]',
        '[{}, ["a"], []]',
        '[{}, [], [["a", 0, 0, 0, []]]]',
        "[{}, [], [[5, -1, 0, 0, []]]]",
        '[{}, [], [["a", -2, 0, 0, []]]]',
    ],
)
def test_fields_of_another_shape(text: str) -> None:
    with pytest.raises(FormatError):
        Reads.of_fields(json.loads(text))
