"""Device globals of C++ programs: host code and kernels, sources and libraries, devices."""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import cast

import pytest
from patience import PATIENCE

from dovetail.driver import RunRequest, build_to_run
from dovetail.frontend import Source
from dovetail.runtime import Device, Program, devices
from dovetail.runtime.host import call_main, process
from dovetail.runtime.opencl.device import OpenCLDevice

pytestmark = pytest.mark.device

SOURCES = Path(__file__).parent / "sources" / "device_globals"
CHECKS = re.findall(r'^      \{"(\w+)", ', (SOURCES / "main.cpp").read_text(), re.MULTILINE)
NAMES = ("main", "other")
DOVETAIL = (sys.executable, "-m", "dovetail")


def build(target: Path, *words: str | Path) -> Path:
    subprocess.run([*DOVETAIL, "c++", "-fsycl", *words, "-o", target], check=True)
    return target


def run(*words: str | Path) -> str:
    command = [*DOVETAIL, "run", *words]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (finished.returncode, finished.stderr) == (0, "")
    return finished.stdout


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Linked of objects, so that the two sides of each are compiled by commands of their own."""
    folder = tmp_path_factory.mktemp("device_globals")
    objects = [build(folder / f"{name}.o", "-c", SOURCES / f"{name}.cpp") for name in NAMES]
    return build(folder / "app", *objects)


@pytest.fixture(scope="module")
def unpacked(app: Path) -> tuple[bytes, Path]:
    """The device code, and the host's."""
    host = app.with_name("host.so")
    sources = [Source.from_file(SOURCES / f"{name}.cpp") for name in NAMES]
    built = build_to_run(RunRequest(tuple(sources)))
    host.write_bytes(built.host_library)
    return built.program, host


@pytest.fixture
def second_device(monkeypatch: pytest.MonkeyPatch) -> Iterable[None]:
    """The same device a second time, with a context of its own."""
    first = devices()[0]
    second = Device(OpenCLDevice(cast(OpenCLDevice, first.native).handle))
    monkeypatch.setattr(process, "devices", lambda: [first, second])
    process.forget_runtime()
    yield
    process.forget_runtime()


def call(unpacked: tuple[bytes, Path], check: str) -> int:
    program, host = unpacked
    return call_main(Program.from_bytes(program), host, ["program", check])


@pytest.mark.parametrize("check", [check for check in CHECKS if check != "two_devices"])
def test_check(check: str, unpacked: tuple[bytes, Path], capfd: pytest.CaptureFixture[str]) -> None:
    assert (call(unpacked, check), capfd.readouterr().out) == (0, "")


@pytest.mark.usefixtures("second_device")
def test_two_devices(unpacked: tuple[bytes, Path], capfd: pytest.CaptureFixture[str]) -> None:
    assert (call(unpacked, "two_devices"), capfd.readouterr().out) == (0, "")


def test_from_sources(tmp_path: Path) -> None:
    sources = (SOURCES / "main.cpp", SOURCES / "other.cpp")
    assert run("-O0", *sources, "--", "two_sources") == ""


def test_libraries_have_their_own(tmp_path: Path) -> None:
    library = build(tmp_path / "library.so", "-shared", SOURCES / "library.cpp")
    app = build(tmp_path / "loader", SOURCES / "loader.cpp")
    # The library's begin anew when it is loaded again, the program's do not.
    assert run(app, "--", library) == (
        "1107 1110 | 100 1 100 | 1004 10041\n1107 1110 | 101 1 101 | 1004 10042\n"
    )
