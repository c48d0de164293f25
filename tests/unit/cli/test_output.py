"""What commands print is safe for terminals, wherever it came from."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from dovetail.cli.main import main

REVERSED = "a\u202eb"
"""A name that terminals show in another order than it is written."""
ODD = f"{REVERSED}\x1b[31m\x9b\u2066\u200b\u2028"
SHOWN = r"a\u202eb\x1b[31m\x9b\u2066\u200b\u2028"

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    "words",
    [
        ["inspect", ODD],
        ["run", ODD],
        ["c++", "-fsycl", f"{ODD}.cpp"],
        ["targets", "--device-config-file", ODD],
        ["targets", ODD],
        ["table", "-extract=a", ODD],
        [ODD],
    ],
    ids=lambda words: " ".join(words).replace(ODD, "ODD"),
)
def test_names_in_messages(words: list[str], capsys: Capture) -> None:
    assert main(words) in (1, 2)
    captured = capsys.readouterr()
    assert SHOWN in captured.err
    assert not set(captured.err + captured.out) & set("\u202e\x1b\x9b\u2066\u200b\u2028")


def test_a_target_of_a_configuration_file(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text('"my_\\u202egpu": {aspects: [fp16]}\n')
    assert main(["targets", "--device-config-file", str(file)]) == 1
    assert r"expected the name of a target, got 'my_\u202egpu'" in capsys.readouterr().err


def test_json_is_exact(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / REVERSED).write_text("[Code]\n\n")
    (tmp_path / "a.table").write_text(f"[Code|Properties]\n{tmp_path / REVERSED}|\n")
    assert main(["inspect", "--json", str(tmp_path / "a.table")]) == 0
    printed = capsys.readouterr().out
    assert printed.isascii()
    assert json.loads(printed)["images"][0]["code"][0]["file"] == str(tmp_path / REVERSED)


def test_tables_are_exact_in_files_and_safe_on_terminals(tmp_path: Path) -> None:
    (tmp_path / "a.table").write_text(f"[Code]\n{REVERSED}\n")
    words = [sys.executable, "-m", "dovetail", "table", "-rename=Code,C", "a.table"]
    piped = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True).stdout
    assert piped.decode() == f"[C]\n{REVERSED}\n"
    ours, theirs = pty.openpty()
    try:
        subprocess.run(words, cwd=tmp_path, stdout=theirs, check=True)
        assert os.read(ours, 1000) == b"[C]\r\na\\u202eb\r\n"
    finally:
        os.close(ours)
        os.close(theirs)


def test_streams_are_given_back(capsys: Capture) -> None:
    before = sys.stdout, sys.stderr
    main(["--version"])
    assert (sys.stdout, sys.stderr) == before
