"""What the link of a program records about its Python."""

import ctypes
import os
import sys
from pathlib import Path

import pytest

from dovetail.interpreter import shared_library, this_interpreter


def test_this_python() -> None:
    python = this_interpreter()
    assert python.path == sys.executable
    assert python.version == f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert any(Path(folder, "dovetail", "interpreter.py").is_file() for folder in python.folders)
    assert any(Path(folder, "numpy").is_dir() for folder in python.folders)


@pytest.mark.skipif(not shared_library(), reason="this Python has no shared library")
def test_its_library_is_a_python() -> None:
    library = ctypes.CDLL(shared_library(), mode=os.RTLD_LOCAL)
    assert library.Py_IsInitialized is not None


@pytest.mark.parametrize(
    "variables",
    [
        {"INSTSONAME": "libpython3.11.a", "LIBDIR": "/usr/lib"},
        {"INSTSONAME": None, "LIBDIR": None},
        {"INSTSONAME": "libpython3.99.so.1.0", "LIBDIR": "/nowhere"},
    ],
)
def test_a_python_without_one(
    variables: dict[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def config(*names: str) -> list[str | None]:
        return [variables.get(name) for name in names]

    monkeypatch.setattr("sysconfig.get_config_vars", config)
    assert shared_library() == ""


def test_a_library_in_the_folder_of_an_architecture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x86_64-linux-gnu").mkdir()
    library = tmp_path / "x86_64-linux-gnu" / "libpython3.11.so.1.0"
    library.touch()

    def config(*_: str) -> list[str]:
        return ["libpython3.11.so.1.0", str(tmp_path), "x86_64-linux-gnu"]

    monkeypatch.setattr("sysconfig.get_config_vars", config)
    assert shared_library() == str(library)


def test_the_library_of_an_installation_that_has_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "lib" / "libpython3.11.so.1.0"
    library.parent.mkdir()
    library.touch()

    def config(*_: str) -> list[str]:
        return ["libpython3.11.so.1.0", "/where/it/was", "x86_64-linux-gnu"]

    monkeypatch.setattr("sysconfig.get_config_vars", config)
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    assert shared_library() == str(library)
