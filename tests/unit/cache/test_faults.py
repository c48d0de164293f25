"""Killed writers, full disks and read-only folders."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from mounts import mount_point, run_mounted

from dovetail.cache import PROGRAMS, get, key_of, put, size_limit
from dovetail.cache.contents import cached_items, remove_unfinished_files
from dovetail.settings import CACHE_DIR, CACHE_SIZE

KEY = key_of(("test", "before"))

WRITE_FOR_EVER = """
import itertools, os, random, sys
from dovetail.cache import PROGRAMS, key_of, put
print("ready", flush=True)
for number in itertools.count():
    key = key_of(("writer", str(os.getpid())), ("number", str(number)))
    put(PROGRAMS, key, bytes.fromhex(key) * random.choice([1, 1000, 30000]))
    print("written", flush=True)
"""

WRITE_UNTIL_FULL = """
import json, os, sys
from dovetail.cache import PROGRAMS, get, key_of, put
keys = [key_of(("number", str(number))) for number in range(8)]
for key in keys:
    put(PROGRAMS, key, bytes.fromhex(key) * 10000)
kept = [get(PROGRAMS, key) == bytes.fromhex(key) * 10000 for key in keys]
print(json.dumps([kept, os.listdir(os.environ["DOVETAIL_CACHE_DIR"] + "/programs")]))
"""

READ_AND_WRITE = """
import sys
from dovetail.cache import PROGRAMS, get, key_of, put
print(get(PROGRAMS, sys.argv[1]))
for number in range(3):
    put(PROGRAMS, key_of(("number", str(number))), b"new")
    assert get(PROGRAMS, key_of(("number", str(number)))) is None
"""


def test_killed_at_any_moment(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # Small, so that some are killed while they evict items.
    monkeypatch.setenv(CACHE_SIZE.variable, "16M")
    chance = random.Random(1)
    for _ in range(10):
        command = [sys.executable, "-c", WRITE_FOR_EVER]
        writers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
        for writer in writers:
            assert writer.stdout
            assert writer.stdout.readline() == b"ready\n"
            for _ in range(chance.randrange(1, 20)):
                assert writer.stdout.readline() == b"written\n"
        time.sleep(chance.uniform(0, 0.01))
        for writer in writers:
            writer.kill()
            assert writer.wait() == -signal.SIGKILL
            assert writer.stdout
            writer.stdout.close()
    entries = [path for path in (root / PROGRAMS.name).iterdir() if path.name[0] != "."]
    assert len(entries) > 10
    for path in entries:
        content = get(PROGRAMS, path.name)
        assert content
        assert content[:32].hex() == path.name
        assert content == content[:32] * (len(content) // 32)
    assert capfd.readouterr().err == ""
    _check_removal_of_unfinished_files(root)
    put(PROGRAMS, KEY, b"after")
    assert get(PROGRAMS, KEY) == b"after"
    # Each killed eviction may leave an eighth more than the limit.
    assert sum(item.size for item in cached_items()) <= 1.5 * size_limit.configured_limit()


def _check_removal_of_unfinished_files(root: Path) -> None:
    folder = root / PROGRAMS.name
    begun = [path for path in folder.iterdir() if path.name[0] == "."]
    assert len(cached_items()) == len(list(folder.iterdir())) - len(begun)
    for path in begun:
        os.utime(path, (1, 1))
    remove_unfinished_files()
    assert not any(path.exists() for path in begun)


def test_many_processes_write_the_same(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    script = (
        "import sys\n"
        "from dovetail.cache import PROGRAMS, get, put\n"
        "key, content = sys.argv[1], bytes.fromhex(sys.argv[1]) * 20000\n"
        "for _ in range(50):\n"
        "    put(PROGRAMS, key, content)\n"
        "    assert get(PROGRAMS, key) == content\n"
    )
    command = [sys.executable, "-c", script, KEY]
    for process in [subprocess.Popen(command) for _ in range(4)]:
        assert process.wait() == 0
    assert get(PROGRAMS, KEY) == bytes.fromhex(KEY) * 20000
    assert [path.name for path in (root / PROGRAMS.name).iterdir()] == [KEY]
    assert capfd.readouterr().err == ""


def test_many_processes_make_room(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CACHE_SIZE.variable, "4M")
    script = (
        "import sys\n"
        "from dovetail.cache import PROGRAMS, get, key_of, put\n"
        "for number in range(150):\n"
        "    key = key_of(('writer', sys.argv[1]), ('number', str(number)))\n"
        "    put(PROGRAMS, key, bytes.fromhex(key) * 1000)\n"
        "    assert get(PROGRAMS, key) in (None, bytes.fromhex(key) * 1000)\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(n)]) for n in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    assert capfd.readouterr().err == ""
    left = cached_items()
    for item in left:
        (file,) = item.files
        assert get(PROGRAMS, file.name) == bytes.fromhex(file.name) * 1000
    limit = size_limit.configured_limit()
    assert 0.5 * limit < sum(item.size for item in left) <= 1.2 * limit


def test_limited_file_size(root: Path) -> None:
    """The system's limit on the size of files: writing stops in the middle, as on a full disk."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    command = [sys.executable, "-c", WRITE_UNTIL_FULL]
    done = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=limit)
    assert json.loads(done.stdout) == [[False] * 8, []]
    _check_warning(done.stderr, "File too large")


def test_full_disk(tmp_path: Path) -> None:
    folder = mount_point(tmp_path)
    script = f"mount -t tmpfs -o size=1m,mode=700 none {folder}"
    done = _run(script, [sys.executable, "-c", WRITE_UNTIL_FULL], folder)
    kept, names = json.loads(done.stdout)
    assert kept == [True] * sum(kept) + [False] * (8 - sum(kept))
    assert 0 < sum(kept) < 8
    assert len(names) == sum(kept), "failed writes leave no files"
    _check_warning(done.stderr, "No space left on device")


def test_read_only_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Existing entries are used."""
    folder = mount_point(tmp_path)
    monkeypatch.setenv(CACHE_DIR.variable, str(folder))
    put(PROGRAMS, KEY, b"before")
    os.utime(folder / PROGRAMS.name / KEY, (1, 1))
    script = f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}"
    done = _run(script, [sys.executable, "-c", READ_AND_WRITE, KEY], folder)
    assert done.stdout == "b'before'\n"
    _check_warning(done.stderr, "Read-only file system")


def test_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = os.environ | {CACHE_DIR.variable: str(tmp_path / "file" / "cache")}
    command = [sys.executable, "-c", READ_AND_WRITE, KEY]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "None\n"
    _check_warning(done.stderr, "Not a directory")


def test_no_home(tmp_path: Path) -> None:
    nowhere = {"HOME": "/proc/nowhere"}
    environment = {k: v for k, v in os.environ.items() if k != CACHE_DIR.variable} | nowhere
    environment.pop("XDG_CACHE_HOME", None)
    command = [sys.executable, "-c", READ_AND_WRITE, KEY]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "None\n"
    _check_warning(done.stderr, "No such file or directory")


def _check_warning(output: str, reason: str) -> None:
    """Expect one warning for all failures, with a hint."""
    warning, advice = output.splitlines()
    assert warning.startswith("dovetail: warning: results are not cached: cannot ")
    assert warning.endswith(f": {reason}")
    assert advice.startswith("dovetail: ")
    assert CACHE_DIR.variable in advice


def _run(script: str, command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    done = run_mounted(script, command, {CACHE_DIR.variable: str(folder)})
    done.check_returncode()
    return done
