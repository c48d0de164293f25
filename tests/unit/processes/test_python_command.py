"""The modules that Python child processes import."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dovetail
from dovetail.compilers import ptxas
from dovetail.processes.python_command import python_command

PACKAGE = Path(dovetail.__file__).parent

# `dovetail.told` is a module of the package that runs in a child process.
TELL = """\
import json, sys
import numpy
files = [json.__file__, numpy.__file__, sys.modules["dovetail"].__file__]
print(json.dumps([sys.argv[1:], files, sys.path]))
"""

ASK = """\
import subprocess, sys
from dovetail.processes.python_command import python_command
command = python_command("dovetail.told", ["two", "words"], ["numpy", "no_such_package"])
sys.exit(subprocess.run(command).returncode)
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A directory with this package, a dependency, and modules that shadow the standard library."""
    directory = tmp_path / "installed"
    (directory / "dovetail" / "processes").mkdir(parents=True)
    for name in ("__init__.py", "version.py", "on_demand.py", "processes/__init__.py"):
        (directory / "dovetail" / name).symlink_to(PACKAGE / name)
    # Not a link: its own place is what it tells.
    script = "processes/python_command.py"
    (directory / "dovetail" / script).write_bytes((PACKAGE / script).read_bytes())
    (directory / "dovetail" / "told.py").write_text(TELL)
    (directory / "numpy").mkdir()
    (directory / "numpy" / "__init__.py").touch()
    (directory / "json.py").write_text("raise SystemExit('json was taken from here')\n")
    return directory


def _told(environment: dict[str, str], *flags: str, cwd: Path) -> tuple[list[str], list[str], str]:
    command = [sys.executable, *flags, "-c", ASK]
    finished = subprocess.run(
        command, env=os.environ | environment, cwd=cwd, capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stderr
    words, files, path = json.loads(finished.stdout)
    return words, files, path


def test_from_where_this_process_has_them(installed: Path, tmp_path: Path) -> None:
    """Only `PYTHONPATH` names the directory; the standard library still has precedence."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    given = os.pathsep.join([str(installed), str(elsewhere)])
    # The parent must not load the planted one either.
    words, files, path = _told({"PYTHONPATH": given}, "-P", cwd=tmp_path)
    assert words == ["two", "words"]
    assert files[0] == json.__file__
    assert files[1:] == [
        str(installed / "numpy" / "__init__.py"),
        str(installed / "dovetail" / "__init__.py"),
    ]
    assert str(installed) in path
    assert str(elsewhere) not in path
    assert str(tmp_path) not in path
    assert "" not in path


def test_the_current_directory_is_not_passed_on(tmp_path: Path) -> None:
    """This process imports from it; the child does not."""
    script = "import sys; from dovetail.processes.python_command import python_command\n"
    script += "assert sys.path[0] == ''; print(python_command('m', ['w'], ['numpy']))"
    command = [sys.executable, "-c", script]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert str(tmp_path) not in printed.stdout
    assert "''" not in printed.stdout


def test_variables_and_flags_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert "-B" not in python_command("m")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert {"-E", "-P", "-B"} < set(python_command("m"))


def test_a_package_that_was_not_imported_from_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    mock = type(sys)("mock_package")
    assert mock.__spec__ is None
    monkeypatch.setitem(sys.modules, "mock_package", mock)
    assert python_command("m", [], ["mock_package"]) == python_command("m")


LIMITS = """\
import resource
print(resource.getrlimit(resource.RLIMIT_AS), resource.getrlimit(resource.RLIMIT_CORE))
"""


def test_memory_is_limited_before_anything_is_loaded(installed: Path) -> None:
    (installed / "dovetail" / "told.py").write_text(LIMITS)
    ask = "import subprocess; from dovetail.processes.python_command import python_command\n"
    ask += "subprocess.run(python_command('dovetail.told', memory=1 << 32), check=True)"
    finished = subprocess.run(
        [sys.executable, "-P", "-c", ask],
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert finished.stdout == f"({1 << 32}, {1 << 32}) (0, 0)\n"


def test_programs_next_to_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An assembler in the current directory is not used instead of an installed one."""
    planted = tmp_path / "nvidia" / "cuda_nvcc" / "bin" / "ptxas"
    planted.parent.mkdir(parents=True)
    planted.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n")
    planted.chmod(0o700)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    asked: list[str] = []
    monkeypatch.setattr(ptxas, "_described", asked.append)
    with pytest.raises(ptxas.ToolMissing):
        ptxas.find_ptxas()
    assert not [path for path in asked if Path(path).resolve() == planted]
