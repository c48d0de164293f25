"""Excerpts and `-W` words, compared with what clang itself makes of the same."""

import subprocess
from pathlib import Path

import pytest

from dovetail.analysis import RULES, Finding, SourceLines, message_text, parse_warning_options
from dovetail.facts import Place
from dovetail.resources import CLANG, tool_path

OURS, CLANGS = "sycl-undeclared-aspect", "extra-tokens"


def clang(file: Path, *words: str) -> list[str]:
    """What clang prints about a file."""
    command = [tool_path(CLANG), "-fsyntax-only", *words, file.name]
    finished = subprocess.run(command, cwd=file.parent, capture_output=True, check=False)
    return finished.stderr.decode().splitlines()


@pytest.mark.parametrize(
    "line",
    [
        b"int x = undefined;",
        b"\tint\tx =\tundefined;\t",
        'const char *s = u8"äöü 日本", *t = undefined;'.encode(),
        b"/* \xff\xfe */ int x = undefined;",
        b"/* \x01\x7f */ int x = undefined; // \xe2\x80\x8b",
        b"int x = undefined;\r",
        b"int y = 1 " + b"+ 1 " * 300 + b"+ undefined;",
        b"int y = 1 " + b"+ 1 " * 1030 + b"+ undefined;",
    ],
)
@pytest.mark.parametrize("above", [0, 9982, 9983])
def test_excerpts(tmp_path: Path, line: bytes, above: int) -> None:
    file = tmp_path / "a.cpp"
    file.write_bytes(b"\n" * above + line + b"\n")
    theirs = clang(file, "-std=c++17", "-w")
    head = next(text for text in theirs if "undeclared" in text)
    name, row, column = head.split(":")[:3]
    finding = Finding(RULES["sycl-recursion"], "m", Place(str(file), int(row), int(column)))
    assert name == file.name
    ours = message_text(finding, parse_warning_options([]), SourceLines()).splitlines()[1:]
    # Clang also underlines; we know where a thing starts, not where it ends.
    at = theirs.index(head)
    assert ours == [text.replace("^~~~~~~~~", "^") for text in theirs[at + 1 : -1]]


@pytest.mark.parametrize(
    "words",
    [
        "",
        "-Wno-NAME",
        "-Werror=NAME -Wno-NAME",
        "-Werror=NAME -WNAME",
        "-Wno-error=NAME -WNAME -Werror",
        "-Wno-error=NAME -Werror=NAME",
        "-Werror=NAME -Wno-error=NAME",
        "-Werror=NAME -Wno-error",
        "-Werror=NAME -Wno-NAME -WNAME",
        "-Wno-NAME -Werror=NAME",
        "-Wno-NAME -Wno-error=NAME",
        "-Wno-everything",
        "-Wno-everything -WNAME",
        "-Wno-error=NAME -Weverything -Werror",
        "-Wno-NAME -Werror=everything",
        "-Wno-error=everything -Werror",
        "-Werror=NAME -w",
        "-w -Werror=NAME",
        "-w -WNAME",
    ],
)
def test_words(tmp_path: Path, words: str) -> None:
    file = tmp_path / "a.cpp"
    file.write_text("#if 1\n#endif x\n")
    theirs = clang(file, *words.replace("NAME", CLANGS).split())
    head = next((text for text in theirs if text.startswith(file.name)), "")
    options = parse_warning_options(words.replace("NAME", OURS).split())
    level = options.level(RULES[OURS])
    assert (level or "") == (head.split(": ")[1] if head else "")
    if head:
        assert head.endswith(f"[{options.flag(RULES[OURS])}]".replace(OURS, CLANGS))
