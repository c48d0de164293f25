"""Merge the dependency files of both sides."""

from pathlib import Path

from dovetail.frontend import Dependencies, merge_dependencies
from dovetail.frontend.dependencies import dependency_paths


def test_prerequisites() -> None:
    text = "a.o: a.cpp \\\n  my\\ file.h c$$d.h e\\#f.h \\\n  -\n\nmy\\ file.h:\n"
    assert dependency_paths(text) == ["a.cpp", "my file.h", "c$d.h", "e#f.h"]
    assert dependency_paths("") == []


def test_common_prerequisites_are_not_added() -> None:
    text = "a.o x: a.cpp \\\n  b.h\n"
    assert merge_dependencies(text, ["other.bc: b.h a.cpp\n"], phony=False) == text


def test_prerequisites_of_only_the_device_are_added() -> None:
    text, other = "a.o: a.cpp b.h\n\nb.h:\n", "t.bc: a.cpp \\\n  my\\ device.h\n"
    joined = merge_dependencies(text, [other], phony=True)
    assert dependency_paths(joined) == ["a.cpp", "b.h", "my device.h"]
    assert joined.startswith("a.o: ")
    assert joined.endswith("\nb.h:\nmy\\ device.h:\n")
    assert "my\\ device.h:" not in merge_dependencies(text, [other], phony=False)


def test_paths_and_options() -> None:
    assert Dependencies("-MD").path("dir/a.o") == Path("dir/a.d")
    assert Dependencies("-MD", "x.dep").path("dir/a.o") == Path("x.dep")
    options = Dependencies("-MMD", targets=("-MT", "t"), others=("-MP",)).options("a.o", Path("f"))
    assert options == ("-MMD", "-MP", "-MT", "t", "-MF", "f")
    assert Dependencies("-MD").options("a.o", Path("f")) == ("-MD", "-MQ", "a.o", "-MF", "f")
