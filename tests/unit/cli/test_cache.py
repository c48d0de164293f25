"""`dovetail cache` shows and clears the cache."""

import json
import os
import time
from datetime import datetime
from pathlib import Path

import pytest

from dovetail import trust
from dovetail.cache import PROGRAMS, get, key_of, put
from dovetail.cli.main import main
from dovetail.settings import CACHE, CACHE_DIR, CACHE_SIZE

Capture = pytest.CaptureFixture[str]

OLD, NEW = key_of(("age", "old")), key_of(("age", "new"))
DAY = 86400


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with one program of 40 days ago, one of now, and a digest."""
    root = tmp_path / "cache"
    monkeypatch.setenv(CACHE_DIR.variable, str(root))
    for setting in (CACHE, CACHE_SIZE):
        monkeypatch.delenv(setting.variable, raising=False)
    put(PROGRAMS, OLD, bytes(10_000))
    put(PROGRAMS, NEW, b"new")
    trust.remember(b"code")
    then = time.time() - 40 * DAY
    os.utime(root / PROGRAMS.name / OLD, (then, then))
    return root


def test_shown_as_a_table(root: Path, capsys: Capture) -> None:
    assert main(["cache"]) == 0
    output = capsys.readouterr().out
    (programs,) = (line for line in output.splitlines() if "programs " in line)
    cells = [cell.strip() for cell in programs.split("│")]
    assert cells[1:4] == ["programs", "2", "16.0 KiB"]
    assert datetime.strptime(cells[4], "%Y-%m-%d %H:%M") < datetime.strptime(
        cells[5], "%Y-%m-%d %H:%M"
    )
    assert f"folder: {root}\nsize: 20.0 KiB, at most 1.0 GiB\n" in output


def test_shown_as_json(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv(CACHE_SIZE.variable, "2G")
    assert main(["cache", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    kinds = {kind.pop("kind"): kind for kind in report.pop("kinds")}
    assert report == {
        "folder": str(root),
        "bound": 2 << 30,
        "size": 5 * 4096,
        "keeps_programs": True,
        "problem": None,
    }
    assert list(kinds) == ["programs", "headers", "steps", "validated", "compilers"]
    assert kinds["headers"] == {"entries": 0, "size": 0, "oldest_use": None, "newest_use": None}
    programs = kinds["programs"]
    assert (programs["entries"], programs["size"]) == (2, 4 * 4096)
    oldest, newest = (
        datetime.fromisoformat(programs[f"{end}_use"]) for end in ("oldest", "newest")
    )
    assert 39 < (newest - oldest).days <= 40


def test_only_some_kinds_are_shown(capsys: Capture) -> None:
    assert main(["cache", "show", "validated", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [kind["kind"] for kind in report["kinds"]] == ["validated"]


def test_showing_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "none"))
    assert main(["cache"]) == 0
    assert "size: 0 bytes, at most" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0
    assert not (tmp_path / "none").exists()


def test_why_it_is_not_used_is_shown(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    root.chmod(0o777)
    monkeypatch.setenv(CACHE.variable, "off")
    assert main(["cache"]) == 0
    output = capsys.readouterr().out
    assert f"not in use: the cache folder '{root}' can be written by others; run 'chmod" in output
    assert "DOVETAIL_CACHE is off: built programs and build steps are not cached" in output
    assert main(["cache", "clear"]) == 1, "names may lead anywhere"
    assert "can be written by others" in capsys.readouterr().err
    assert (root / PROGRAMS.name / OLD).exists()


def test_all_is_cleared(root: Path, capsys: Capture) -> None:
    leftover = root / PROGRAMS.name / f".{OLD[:50]}.0123456789abcdef"
    leftover.touch()
    os.utime(leftover, (1, 1))
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == (
        "removed 3 entries of programs, headers, steps, validated, compilers:"
        f" 20.0 KiB in '{root}'\n"
    )
    assert not list((root / PROGRAMS.name).iterdir())
    assert not trust.is_known(b"code")
    put(PROGRAMS, NEW, b"again")
    assert get(PROGRAMS, NEW) == b"again"


def test_one_kind_is_cleared(root: Path, capsys: Capture) -> None:
    assert main(["cache", "clear", "validated"]) == 0
    assert capsys.readouterr().out == f"removed 1 entry of validated: 4.0 KiB in '{root}'\n"
    assert get(PROGRAMS, NEW) == b"new"
    assert not trust.is_known(b"code")


@pytest.mark.parametrize(("age", "removed"), [("30d", 1), ("6w", 0), ("959h", 1), ("0s", 3)])
def test_entries_older_than_an_age_are_cleared(age: str, removed: int, capsys: Capture) -> None:
    assert main(["cache", "clear", "--older-than", age, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["removed"] == removed
    assert (get(PROGRAMS, NEW) is None) == (removed == 3)


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["clear", "progams"], "unknown kind 'progams'", "did you mean 'programs'?"),
        (
            ["clear", "x"],
            "unknown kind 'x'",
            "steps, validated, compilers",
        ),
        (["claer"], "unknown action 'claer'", "did you mean 'clear'?"),
        (["clear", "--older-than", "30"], "expected an age, got '30'", "such as 30d"),
        (["clear", "--older-than", "-1d"], "expected one argument", "--help"),
        (
            ["--older-than", "30d"],
            "'--older-than' requires the action 'clear'",
            "clear --older-than AGE",
        ),
        (["--jsn"], "unrecognized arguments: --jsn", "did you mean '--json'?"),
    ],
)
def test_usage_errors(words: list[str], message: str, hint: str, capsys: Capture) -> None:
    assert main(["cache", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert hint in error
    assert get(PROGRAMS, NEW) == b"new"


def test_a_bound_that_is_no_size(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv(CACHE_SIZE.variable, "lots")
    assert main(["cache"]) == 2
    assert "DOVETAIL_CACHE_SIZE: expected a size, got 'lots'" in capsys.readouterr().err


def test_help_tells_of_kinds_and_settings(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["cache", "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for word in (
        "programs",
        "headers",
        "steps",
        "validated",
        CACHE_DIR.variable,
        CACHE_SIZE.variable,
    ):
        assert word in text
