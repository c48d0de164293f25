"""`-fsycl-targets=native`: code for the devices of this machine."""

from pathlib import Path

import pytest

import dovetail
from dovetail.cli.main import main
from dovetail.driver.native_targets import native_targets
from dovetail.errors import UsageError


@pytest.mark.device
def test_native(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = dict.fromkeys(device.target or "spir64" for device in dovetail.devices())
    assert native_targets() == list(expected)
    Path("k.cpp").touch()
    shown: list[str] = []
    for targets in ("native", ",".join(expected)):
        words = [f"-fsycl-targets={targets}", "k.cpp", "-o", "app", "-ccc-print-phases"]
        assert main(["c++", "-fsycl", *words]) == 0
        shown.append(capsys.readouterr().err)
    assert shown[0] == shown[1]
    assert all(f"spirv64, {target})" in shown[0] for target in expected if target != "spir64")


def test_native_without_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOVETAIL_DEVICE", "none of these")
    with pytest.raises(UsageError) as caught:
        native_targets()
    assert "none was found: no device matches DOVETAIL_DEVICE=none" in caught.value.message
    assert "'dovetail devices' lists devices" in caught.value.hint
