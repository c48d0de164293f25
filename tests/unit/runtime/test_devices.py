"""Finding devices and drivers, without opening any."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from dovetail.errors import DeviceError
from dovetail.resources import opencl_drivers
from dovetail.runtime import Queue, device, devices
from dovetail.runtime.backend import DeviceDescription, DeviceKind, Limits
from dovetail.runtime.opencl import loader

Install = Callable[..., None]


def _description(name: str, kind: DeviceKind) -> DeviceDescription:
    limits = Limits(1, (1, 1, 1), 1, 1, 1)
    return DeviceDescription("fake", "none", name, kind, "1", limits, (), (), frozenset())


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterable[Install]:
    """Gives the machine devices of the given names and kinds, and no others."""

    def install_devices(**kinds: DeviceKind) -> None:
        found = [
            SimpleNamespace(description=_description(n, k), is_lost=False) for n, k in kinds.items()
        ]
        backend = ModuleType("fake_backend")
        backend.__dict__["find_devices"] = lambda: found
        monkeypatch.setitem(sys.modules, "fake_backend", backend)

    monkeypatch.setattr(device, "BACKENDS", {"fake": "fake_backend"})
    device.forget_devices()
    yield install_devices
    device.forget_devices()


def test_gpus_come_first(install: Install) -> None:
    kinds = DeviceKind
    install(a=kinds.CPU, b=kinds.GPU, c=kinds.ACCELERATOR, d=kinds.GPU)
    assert [found.name for found in devices()] == ["b", "d", "c", "a"]
    assert devices()[0] is devices()[0]
    assert repr(devices()[0]) == "<Device 'b' fake:gpu driver 1>"


def test_no_device_says_what_to_install(install: Install) -> None:
    install()
    assert devices() == []
    with pytest.raises(DeviceError) as raised:
        Queue()
    assert str(raised.value) == (
        "no device supports SPIR-V\n"
        "install Intel's CPU runtime with `pip install intel-opencl-rt intel-cmplr-lib-rt`,"
        " or a vendor's OpenCL driver"
    )


def test_the_systems_drivers_are_kept(tmp_path: Path) -> None:
    (tmp_path / "b.icd").write_text("libvendor.so\nmore\n")
    (tmp_path / "a.icd").write_text("/opt/driver.so")
    (tmp_path / "c.icd").write_text("\n")
    (tmp_path / "d.icd").write_bytes(b"\xff\xfe")
    (tmp_path / "e.txt").write_text("not a driver")
    folders = (tmp_path, tmp_path / "missing", tmp_path)
    assert opencl_drivers(folders) == ["/opt/driver.so", "libvendor.so"]


def test_the_loader_is_shown_a_folder_for_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OCL_ICD_VENDORS", raising=False)
    monkeypatch.delenv("OPENCL_VENDOR_PATH", raising=False)
    runtime = Path("/opt/cpu/libintelocl.so")
    with loader.vendor_folder(["/opt/driver.so"], runtime) as folder:
        assert folder is not None
        assert loader.os.environ["OCL_ICD_VENDORS"] == str(folder)
        files = sorted(folder.glob("*.icd"))
        assert [file.read_text().strip() for file in files] == ["/opt/driver.so", str(runtime)]
    assert "OCL_ICD_VENDORS" not in loader.os.environ
    assert not folder.exists()


@pytest.mark.parametrize("variable", ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"])
def test_the_users_folder_is_respected(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "/mine")
    with loader.vendor_folder([], Path("/opt/cpu/libintelocl.so")) as folder:
        assert folder is None
        assert loader.os.environ[variable] == "/mine"


def test_without_the_cpu_runtime_nothing_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OCL_ICD_VENDORS", raising=False)
    with loader.vendor_folder(["/opt/driver.so"], None) as folder:
        assert folder is None
        assert "OCL_ICD_VENDORS" not in loader.os.environ
