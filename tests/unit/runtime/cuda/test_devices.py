"""Finding NVIDIA's GPUs, with and without a driver, and what they report."""

import subprocess
import sys

import pytest
from cuda_devices import cuda_devices, installed
from fake_cuda import FakeCuda

from dovetail.cli.devices import run as list_devices
from dovetail.errors import DeviceError
from dovetail.runtime import default_device
from dovetail.runtime.cuda import loader, why_no_device
from dovetail.runtime.cuda.loader import find_bindings
from dovetail.settings import DEVICE


def test_the_description() -> None:
    with installed(FakeCuda()):
        (device,) = cuda_devices()
    assert (device.name, device.backend, device.kind) == ("Mock GPU 0", "cuda", "gpu")
    assert (device.target, device.architecture) == ("nvidia_gpu_sm_90", 34)
    assert device.sub_group_sizes == (32,)
    assert device.limits.max_work_group_size == 1024
    assert device.limits.max_work_item_sizes == (64, 1024, 1024)
    assert device.limits.local_memory == 227 * 1024
    assert device.limits.global_memory == 1 << 30
    description = device.description
    assert (description.clock_mhz, description.compute_units) == (1980, 132)
    assert (description.version, description.driver_version) == ("9.0", "13.0")
    assert device.aspects >= {"gpu", "fp16", "fp64", "atomic64", "usm_shared_allocations"}
    assert "usm_system_allocations" not in device.aspects
    assert not device.spirv_versions


@pytest.mark.parametrize(
    ("capability", "has", "lacks"),
    [
        ((5, 0), {"fp64"}, {"fp16", "atomic64"}),
        ((6, 1), {"fp16", "atomic64"}, {"ext_oneapi_cuda_async_barrier"}),
        # Newer than the table: what its newest architecture has.
        ((12, 0), {"fp16", "ext_oneapi_cuda_cluster_group"}, {"cpu"}),
    ],
)
def test_aspects_of_architectures(
    capability: tuple[int, int], has: set[str], lacks: set[str]
) -> None:
    with installed(FakeCuda(capability)):
        (device,) = cuda_devices()
    assert device.aspects >= has
    assert not device.aspects & lacks
    assert device.target == f"nvidia_gpu_sm_{capability[0]}{capability[1]}"


def test_aspects_of_attributes() -> None:
    fake = FakeCuda(
        CONCURRENT_MANAGED_ACCESS=0,
        PAGEABLE_MEMORY_ACCESS=1,
        PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES=1,
    )
    with installed(fake):
        (device,) = cuda_devices()
    assert "usm_shared_allocations" not in device.aspects
    assert "usm_system_allocations" in device.aspects
    assert device.native.reaches_host_memory


def test_details() -> None:
    with installed(FakeCuda(count=2)):
        second = cuda_devices()[1]
        assert second.native.detail("uuid") == bytes([1] * 16)
        assert second.native.detail("pci_address") == "0000:01:00.0"
        assert second.native.detail("global_mem_cache_size") == 50 << 20
        assert second.native.detail("half_fp_config") == 0x3F
        assert second.native.detail("image2d_max_width") == 0
        assert second.native.detail("gpu_slices") is None


def test_a_gpu_is_the_default() -> None:
    with installed(FakeCuda(count=2)):
        assert [device.name for device in cuda_devices()] == ["Mock GPU 0", "Mock GPU 1"]
        assert default_device() is cuda_devices()[0]


@pytest.mark.parametrize("wanted", ["cuda", "cuda:gpu:1", "gpu 1"])
def test_selection(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEVICE.variable, wanted)
    with installed(FakeCuda(count=2)):
        assert default_device().backend == "cuda"
        assert default_device().name == ("Mock GPU 1" if "1" in wanted else "Mock GPU 0")


@pytest.mark.parametrize("wanted", ["cuda", "cuda:gpu:1"])
def test_a_request_without_a_driver_says_why(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEVICE.variable, wanted)
    with installed("there is no driver"), pytest.raises(DeviceError) as raised:
        default_device()
    assert raised.value.message == f"no device matches DOVETAIL_DEVICE={wanted}: there is no driver"


def test_the_list_of_devices(capsys: pytest.CaptureFixture[str]) -> None:
    with installed(FakeCuda()):
        assert list_devices([]) == 0
    rows = [line.split()[1::2] for line in capsys.readouterr().out.splitlines()]
    assert ["back-end", "cuda:gpu"] in [row[:2] for row in rows]
    assert ["target", "nvidia_gpu_sm_90"] in [row[:2] for row in rows]


def test_no_gpu() -> None:
    with installed(FakeCuda(count=0)):
        assert cuda_devices() == []
        assert why_no_device() == "NVIDIA's driver finds no GPU"


def test_a_driver_that_cannot_be_used() -> None:
    fake = FakeCuda()
    fake.failing["cuInit"] = [fake.CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH]
    with installed(fake):
        assert cuda_devices() == []
        assert why_no_device() == (
            "NVIDIA's driver cannot be used: cuInit failed: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"
        )


def test_an_old_driver() -> None:
    with installed(FakeCuda(version=12020)):
        assert cuda_devices() == []
        assert (
            why_no_device()
            == "NVIDIA's driver is too old: it supports CUDA 12.2, and 12.4 is needed"
        )


def test_the_bindings_without_a_driver() -> None:
    if not why_no_device():
        pytest.skip("there is a driver")
    with installed(find_bindings()):
        assert cuda_devices() == []
        assert why_no_device() == "NVIDIA's driver is not installed (libcuda.so.1)"


def test_no_bindings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "_PACKAGE", "cuda.bindings.of_next_year")
    assert find_bindings() == (
        "NVIDIA's Python bindings are not installed: pip install 'dovetail[cuda]'"
    )


def test_nothing_is_imported_without_a_driver() -> None:
    if not why_no_device():
        pytest.skip("there is a driver")
    script = """
import sys
from dovetail.runtime import devices
devices()
print(sorted(name for name in sys.modules if name.startswith(("cuda", "dovetail.runtime.cuda"))))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(["dovetail.runtime.cuda"])
