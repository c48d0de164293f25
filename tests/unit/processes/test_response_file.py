"""Response files for long commands."""

import os
from pathlib import Path

from dovetail.cli.response_files import split_arguments
from dovetail.processes.response_file import MAX_COMMAND_BYTES, shortened

ODD_WORDS = [
    *("", " ", "a b", "a\nb", "a\tb", "a\rb", '"', "'", "\\", 'a\\"b', "$HOME", "#x", "\\n"),
    *("@nothing", "-DX='y z'", "\u2028", "\udcff"),
]


def test_short_commands_are_unchanged() -> None:
    assert shortened(["clang", *ODD_WORDS]) == (["clang", *ODD_WORDS], None)


def test_long_commands_can_be_read_back() -> None:
    words = [*ODD_WORDS, "x" * MAX_COMMAND_BYTES]
    command, file = shortened(["clang", *words])
    assert file is not None
    try:
        assert command == ["clang", f"@/proc/self/fd/{file}"]
        text = Path(f"/proc/self/fd/{file}").read_bytes()
    finally:
        os.close(file)
    assert split_arguments(text.decode(errors="surrogateescape")) == words
