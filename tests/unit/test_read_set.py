"""Read sets: when they are current."""

import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.frontend.read_set import (
    ReadSet,
    depends_only_on_files,
    folder_lookups,
    now,
    searched_names,
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def recorded(files: Iterable[str], lookups: Mapping[str, Iterable[str] | None]) -> ReadSet:
    time.sleep(0.02)  # longer than the resolution of timestamps
    reads = ReadSet.record(files, lookups, now())
    assert reads is not None
    return ReadSet.from_fields(json.loads(json.dumps(reads.fields())))


def test_files_count_by_content() -> None:
    write("a", "one")
    reads = recorded(["a"], {})
    assert reads.is_current()
    os.utime("a", (1, 1))
    assert reads.is_current()
    assert not reads.is_current(exact_time=True), "clang rejects such a file"
    write("a", "two")
    assert not reads.is_current()
    write("a", "one")
    assert reads.is_current()
    Path("a").unlink()
    assert not reads.is_current()


def test_a_change_that_keeps_size_and_time_is_detected() -> None:
    write("a", "one")
    os.utime("a", (1, 1))
    reads = recorded(["a"], {})
    reliable = reads._replace(
        files={name: state._replace(has_reliable_times=True) for name, state in reads.files.items()}
    )
    assert reliable.is_current()
    write("a", "two")
    os.utime("a", (1, 1))
    assert not reliable.is_current()


def test_no_read_set_if_a_file_changes_meanwhile() -> None:
    started = now()
    write("a", "one")
    assert ReadSet.record(["a"], {}, started) is None
    assert ReadSet.record(["none"], {}, now()) is None


def test_folders_count_by_the_names_looked_up() -> None:
    write("f/x.h", "")
    reads = recorded([], {"f": ["x.h", "y.h"], "none": ["x.h"]})
    write("f/other.h", "")
    assert reads.is_current()
    write("f/y.h", "")
    assert not reads.is_current()
    Path("f/y.h").unlink()
    assert reads.is_current()
    Path("f/x.h").unlink()
    assert not reads.is_current()
    write("f/x.h", "")
    write("none/other.h", "")
    assert reads.is_current()
    write("none/x.h", "")
    assert not reads.is_current()


def test_a_folder_can_count_as_a_whole() -> None:
    write("versions/12/x", "")
    lookups = folder_lookups(searched_names([]), [], ["versions/12/../../include"])
    assert lookups == {"versions": None}
    reads = recorded([], lookups)
    assert reads.is_current()
    write("versions/13/x", "")
    assert not reads.is_current()


def test_identity_depends_on_contents() -> None:
    write("a", "one")
    write("f/x.h", "")
    first = recorded(["a"], {"f": ["x.h"], ".": ["a"]}).identity
    os.utime("a", (1, 1))
    assert recorded(["a"], {".": ["a"], "f": ["x.h"]}).identity == first
    write("a", "two")
    assert recorded(["a"], {"f": ["x.h"], ".": ["a"]}).identity != first


def test_lookups_by_folder() -> None:
    names = searched_names(
        [b'#include <a/b.h>\n# include "c.h"\n#if __has_include(<d.h>)\n#include_next <e.h>\n']
    )
    assert names.angled == {"a/b.h", "d.h", "e.h"}
    assert names.quoted == {"c.h"}
    write("src/s.cpp", "")
    write("inc/a/b.h", "")
    lookups = folder_lookups(names, ["src/s.cpp", "inc/a/b.h"], ["inc"])
    assert lookups["inc"] == {"a", "c.h", "d.h", "e.h"}
    assert lookups["inc/a"] == {"b.h", "c.h"}
    assert lookups["src"] == {"c.h"}
    computed = searched_names([b"#define B <a/b.h>\n#include B\n"])
    assert folder_lookups(computed, ["src/s.cpp", "inc/a/b.h"], ["inc"])["src"] == {"a"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"int f();", True),
        (b'#include "a.h"\n#if __has_include(<b.h>)\n#ifdef __has_include\n', True),
        (b"char t[] = __TIMESTAMP__;", False),
        (b"#if __has_include(NAME)", False),
        (b"#  embed <x>", False),
        (b'asm(".incbin x")', False),
    ],
)
def test_sources_that_depend_only_on_files(text: bytes, expected: bool) -> None:
    assert depends_only_on_files(text) is expected


def test_time_macros_are_allowed_with_a_fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    assert depends_only_on_files(b"char t[] = __TIME__;")
    assert not depends_only_on_files(b"char t[] = __TIME__; incbin")


def test_only_regular_files_are_read() -> None:
    """A read set from the cache can name anything; a device or a pipe may never end."""
    os.mkfifo("pipe")
    for path in ("pipe", "/dev/zero"):
        reads = ReadSet.from_fields([{path: ["", 0, 0, 0, 0, False]}, [], []])
        assert not reads.is_current()


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_impossible_paths(path: str) -> None:
    reads = ReadSet.from_fields([{path: ["", 0, 0, 0, 0, True]}, [], []])
    assert not reads.is_current()
    assert not ReadSet.from_fields([{}, [["a"]], [[path, 0, 0, 0, ["a"]]]]).is_current()


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
def test_malformed_fields(text: str) -> None:
    with pytest.raises(FormatError):
        ReadSet.from_fields(json.loads(text))
