"""Builds with a cache or a directory for temporary files that cannot be written to."""

import errno
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from mounts import mount_point, run_mounted
from precompiled_headers import copy_headers

from dovetail import files, trust
from dovetail.cache import store
from dovetail.cli.main import main
from dovetail.errors import CompileError, InputError
from dovetail.frontend import Tools
from dovetail.settings import CACHE_DIR

Capture = pytest.CaptureFixture[str]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
SOURCE = f"#include <sycl/sycl.hpp>\n{TASK} void k(int *p) {{ *p = 1; }}\nint main() {{}}\n"

DOVETAIL = [sys.executable, "-P", "-m", "dovetail"]
# The headers' bodies take long to optimize, and nothing here depends on it.
BUILD = ("c++", "-fsycl", "-O0")
WARNING = "dovetail: warning: results are not cached: cannot "


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where commands work, with a cache of its own and nothing warned of yet."""
    (tmp_path / "a.cpp").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "cache"))
    monkeypatch.setattr(store, "_warned_topics", set[str]())
    return tmp_path


@pytest.fixture
def fail(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int, str], None]:
    """Make every file of the cache whose name ends so fail to be written."""
    write_temporary = files._write_temporary  # pyright: ignore[reportPrivateUsage]

    def start(number: int, ending: str = "") -> None:
        def failing(target: str, data: bytes, mode: int) -> str:
            if target.startswith(str(folder / "cache")) and target.endswith(ending):
                raise OSError(number, os.strerror(number))
            return write_temporary(target, data, mode)

        monkeypatch.setattr(files, "_write_temporary", failing)

    return start


def _check_warned_once(output: str, reason: str) -> None:
    warning, advice = output.splitlines()
    assert warning.startswith(WARNING)
    assert warning.endswith(f": {reason}")
    assert CACHE_DIR.variable in advice


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "a.cpp -o app"),
        pytest.param(errno.EDQUOT, "-fsyclbin a.cpp -o app", marks=pytest.mark.thorough),
        pytest.param(errno.EROFS, "-fsyclbin a.cpp -o app", marks=pytest.mark.thorough),
        pytest.param(errno.EIO, "-fsyclbin a.cpp -o app", marks=pytest.mark.thorough),
    ],
)
def test_a_cache_that_takes_nothing(
    folder: Path, fail: Callable[..., None], capsys: Capture, number: int, words: str
) -> None:
    fail(number)
    assert main([*BUILD, *words.split()]) == 0
    assert (folder / "app").is_file()
    _check_warned_once(capsys.readouterr().err, os.strerror(number))
    assert not list((folder / "cache" / "headers").iterdir())


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (".pch", "-c a.cpp -o a.o"),
        pytest.param(".pch", "-fsyntax-only a.cpp", marks=pytest.mark.thorough),
        pytest.param(".o", "a.cpp -o app", marks=pytest.mark.thorough),
        pytest.param(".inputs.json", "-fsyclbin a.cpp -o app", marks=pytest.mark.thorough),
    ],
)
def test_one_file_of_a_header_that_does_not_fit(
    fail: Callable[..., None], capsys: Capture, ending: str, words: str
) -> None:
    fail(errno.ENOSPC, ending)
    assert main([*BUILD, *words.split()]) == 0
    _check_warned_once(capsys.readouterr().err, os.strerror(errno.ENOSPC))


def test_what_is_there_of_an_older_header_is_not_taken(
    folder: Path,
    fail: Callable[..., None],
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    own_cache: Path,
) -> None:
    copy_headers(own_cache, folder / "cache")
    assert main([*BUILD, "-c", "a.cpp", "-o", "before.o"]) == 0
    headers = folder / "cache" / "headers"
    lists = list(headers.glob("*.inputs.json"))
    assert lists
    for each in lists:
        each.unlink()
    for each in headers.glob("*.pch"):
        each.unlink()
        each.write_bytes(b"of another time")
    shutil.rmtree(folder / "cache" / "steps")
    fail(errno.ENOSPC)
    assert main([*BUILD, "-c", "a.cpp", "-o", "after.o"]) == 0
    assert (folder / "after.o").read_bytes() == (folder / "before.o").read_bytes()
    _check_warned_once(capsys.readouterr().err, os.strerror(errno.ENOSPC))
    # Nothing vouches for what is left.
    assert not list(headers.glob("*.inputs.json"))
    monkeypatch.undo()


def test_objects_are_linked_without_their_header(
    folder: Path, fail: Callable[..., None], capsys: Capture, own_cache: Path
) -> None:
    """The bodies are compiled for the link alone."""
    copy_headers(own_cache, folder / "cache")
    assert main([*BUILD, "-c", "a.cpp", "-o", "a.o"]) == 0
    shutil.rmtree(folder / "cache")
    capsys.readouterr()
    fail(errno.ENOSPC)
    assert main([*BUILD, "a.o", "-o", "app"]) == 0
    assert (folder / "app").is_file()
    _check_warned_once(capsys.readouterr().err, os.strerror(errno.ENOSPC))


def test_digests_of_code(fail: Callable[..., None], capsys: Capture) -> None:
    fail(errno.ENOSPC)
    trust.remember(b"code")
    trust.remember(b"other code")
    assert not trust.is_known(b"code")
    _check_warned_once(capsys.readouterr().err, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(("size", "words"), [("16k", ("-fsyclbin",)), ("12m", ())])
def test_a_full_file_system_under_the_cache(
    folder: Path, size: str, words: tuple[str, ...]
) -> None:
    """Nothing fits, or one header does and the other does not."""
    full = mount_point(folder)
    done = run_mounted(
        f"mount -t tmpfs -o size={size},mode=700 none {full}",
        [*DOVETAIL, *BUILD, *words, "a.cpp", "-o", "app"],
        {CACHE_DIR.variable: str(full)},
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "app").is_file()
    _check_warned_once(done.stderr, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("size", [pytest.param("16k", marks=pytest.mark.thorough), "3m"])
def test_a_full_file_system_for_temporary_files(folder: Path, size: str) -> None:
    full = mount_point(folder)
    done = run_mounted(
        f"mount -t tmpfs -o size={size},mode=700 none {full}",
        [*DOVETAIL, *BUILD, "a.cpp", "-o", "app"],
        {"TMPDIR": str(full)},
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"dovetail: error: cannot write temporary files in '{full}': No space left on device\n"
        "dovetail: free disk space there, or set TMPDIR to another directory\n"
    )
    assert not (folder / "app").exists()
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("number", files.DISK_FULL_ERRORS)
def test_a_program_that_finds_no_room(tmp_path: Path, number: int) -> None:
    script = f"echo 'fatal error: {os.strerror(number)}' >&2; exit 1"
    with pytest.raises(InputError, match=f"'{tmp_path}': {os.strerror(number)}\n"):
        Tools(tmp_path / "work").run(["/bin/sh", "-c", script])


def test_a_program_that_fails_otherwise(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=r"^Bus error$"):
        Tools(tmp_path).run(["/bin/sh", "-c", "echo Bus error >&2; exit 1"])


def test_a_step_of_ours_that_finds_no_room(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Disk quota exceeded"), files.naming_full_disk(tmp_path):
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))
    with pytest.raises(PermissionError), files.naming_full_disk(tmp_path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
