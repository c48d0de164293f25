"""What the functions of the table do, called from C++ in this process."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import cast

import pytest

from dovetail.runtime import Device, Program, devices
from dovetail.runtime.host import call_main, process
from dovetail.runtime.opencl.device import OpenCLDevice

pytestmark = pytest.mark.device

SOURCE = Path(__file__).parent / "checks.cpp"
CHECKS = re.findall(r'^    \{"(\w+)", ', SOURCE.read_text(), re.MULTILINE)


@pytest.fixture
def second_device(monkeypatch: pytest.MonkeyPatch) -> Iterable[None]:
    """The same device a second time, with a context of its own."""
    first = devices()[0]
    second = Device(OpenCLDevice(cast(OpenCLDevice, first.native).handle))
    monkeypatch.setattr(process, "devices", lambda: [first, second])
    process.forget_runtime()
    yield
    process.forget_runtime()


@pytest.mark.parametrize("check", [check for check in CHECKS if check != "two_devices"])
def test_check(
    check: str, program: Program, checks: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status = call_main(program, checks, ["program", check])
    assert (capfd.readouterr().out, status) == ("", 0)


@pytest.mark.usefixtures("second_device")
def test_two_devices(program: Program, checks: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status = call_main(program, checks, ["program", "two_devices"])
    assert (capfd.readouterr().out, status) == ("", 0)
