"""What was built once is not built again: by threads, by processes, by later runs."""

import struct
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any, cast

import numpy as np
import pytest

import dovetail
from dovetail import trust
from dovetail.cache import PROGRAMS, get, put, store
from dovetail.errors import DeviceError, ProgramBuildError
from dovetail.kernel_info import KernelInfo
from dovetail.runtime import Device, Program, Queue
from dovetail.runtime.backend import Code, CodeKind, DeviceDescription, DeviceKind
from dovetail.runtime.built_code import program_key
from dovetail.runtime.code_image import image_of
from dovetail.runtime.opencl.device import OpenCLDevice
from dovetail.runtime.opencl.program import OpenCLProgram
from dovetail.settings import CACHE, CACHE_DIR

pytestmark = pytest.mark.device

Package = Callable[[bytes, Iterable[KernelInfo]], Program]
Capture = pytest.CaptureFixture[str]

PRELUDE = "#include <sycl/sycl.hpp>\nnamespace syclexp = sycl::ext::oneapi::experimental;\n"
CALL = """
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))
void call(float *y) { *y = scale(*y); }
"""


class Watched(OpenCLDevice):
    """A device that remembers what its driver was given to build, and what of that it took."""

    def __init__(self, device: Device) -> None:
        super().__init__(cast(OpenCLDevice, device.native).handle)
        self.builds: list[CodeKind] = []
        self.refused = 0

    def build(self, parts: Sequence[Code], options: Sequence[str] = ()) -> OpenCLProgram:
        self.builds.append(parts[0].kind)
        try:
            return super().build(parts, options)
        except ProgramBuildError:
            self.refused += 1
            raise


@pytest.fixture(autouse=True)
def root(tmp_path: Path, spirv: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache in which nothing is built yet; the code itself is known to be valid."""
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "cache"))
    monkeypatch.delenv(CACHE.variable, raising=False)
    monkeypatch.setattr(store, "_warned_topics", set[str]())
    trust.remember(spirv)
    return tmp_path / "cache"


@pytest.fixture
def run(
    device: Device, spirv: bytes, kernels: tuple[KernelInfo, ...], package: Package
) -> Callable[[], Watched]:
    """Runs a kernel as a new process would: on a device that nothing was built for."""

    def run(code: bytes = spirv) -> Watched:
        native = Watched(device)
        out = np.zeros(1, "i4")
        Queue(Device(native)).single_task(package(code, kernels)["once"], out, 5).wait()
        assert out[0] == 5
        return native

    return run


def entries(root: Path) -> list[Path]:
    folder = root / PROGRAMS.name
    return sorted(folder.iterdir()) if folder.exists() else []


def test_the_second_time_nothing_is_compiled(root: Path, run: Callable[[], Watched]) -> None:
    assert run().builds == [CodeKind.SPIRV]
    (entry,) = entries(root)
    written = entry.stat().st_mtime_ns
    assert run().builds == [CodeKind.NATIVE]
    assert [path.stat().st_mtime_ns for path in entries(root)] == [written]


@pytest.mark.parametrize("is_kept", [False, True])
def test_eight_threads_build_once(
    device: Device,
    spirv: bytes,
    kernels: tuple[KernelInfo, ...],
    package: Package,
    run: Callable[[], Watched],
    is_kept: bool,
) -> None:
    if is_kept:
        run()
    native, start = Watched(device), Barrier(8)
    shared = Device(native)

    def launch(number: int) -> int:
        out = np.zeros(1, "i4")
        # All threads have the code before one of them may be done with it.
        kernel = package(spirv, kernels)["once"]
        start.wait()
        Queue(shared).single_task(kernel, out, number).wait()
        return int(out[0])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(launch, range(8))) == list(range(8))
    assert native.builds == [CodeKind.NATIVE if is_kept else CodeKind.SPIRV]


def test_processes_that_build_at_once(root: Path, program: Program, tmp_path: Path) -> None:
    program.save(tmp_path / "program")
    script = (
        "import sys, numpy, dovetail.runtime as rt\n"
        "program, queue, out = rt.load(sys.argv[1]), rt.Queue(), numpy.zeros(4, 'i4')\n"
        "queue.parallel_for(program['place1'], 4, out).wait()\n"
        "print(out.tolist())\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "program")]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(4)
    ]
    assert [process.communicate()[0] for process in running] == [b"[0, 1, 2, 3]\n"] * 4
    (entry,) = entries(root)
    assert get(PROGRAMS, entry.name)


def test_off_means_neither_reading_nor_writing(
    root: Path, run: Callable[[], Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE.variable, "off")
    assert run().builds == run().builds == [CodeKind.SPIRV]
    assert entries(root) == []
    monkeypatch.setenv(CACHE.variable, "on")
    run()
    monkeypatch.setenv(CACHE.variable, "off")
    assert run().builds == [CodeKind.SPIRV]


def test_a_damaged_entry_is_built_anew(
    root: Path, run: Callable[[], Watched], capfd: Capture
) -> None:
    run()
    (entry,) = entries(root)
    whole = entry.read_bytes()
    entry.write_bytes(whole[:-100] + bytes(100))
    assert run().builds == [CodeKind.SPIRV], "the driver does not see it"
    assert f"the cache entry '{entry}' is damaged" in capfd.readouterr().err
    assert run().builds == [CodeKind.NATIVE]


def test_an_entry_that_the_driver_refuses_is_replaced(
    root: Path, run: Callable[[], Watched], capfd: Capture
) -> None:
    run()
    (entry,) = entries(root)
    put(PROGRAMS, entry.name, b"code of a driver that is no more")
    native = run()
    assert (native.builds, native.refused) == ([CodeKind.NATIVE, CodeKind.SPIRV], 1)
    assert run().builds == [CodeKind.NATIVE]
    assert capfd.readouterr().err == ""


def test_without_a_usable_cache_it_runs_and_tells_once(
    tmp_path: Path, run: Callable[[], Watched], monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "file"))
    assert run().builds == run().builds == [CodeKind.SPIRV]
    assert capfd.readouterr().err.count("results are not cached") == 1


@pytest.mark.parametrize("binary", [b"", None])
def test_a_driver_that_gives_nothing_out(
    root: Path, run: Callable[[], Watched], monkeypatch: pytest.MonkeyPatch, binary: bytes | None
) -> None:
    def give(program: OpenCLProgram) -> bytes:
        if binary is None:
            raise DeviceError("clGetProgramInfo failed: INVALID_VALUE")
        return binary

    monkeypatch.setattr(OpenCLProgram, "binary", give)
    assert run().builds == [CodeKind.SPIRV]
    assert entries(root) == []


def test_what_is_kept_was_tried_and_is_not_tried_again(
    root: Path, spirv: bytes, run: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = spirv[:8] + struct.pack("<I", 90) + spirv[12:]
    assert run(foreign).builds == [CodeKind.SPIRV]
    for mark in (root / "validated").iterdir():
        mark.unlink()
    monkeypatch.setattr(sys, "executable", "/nothing/to/try/it/with")
    assert run(foreign).builds == [CodeKind.NATIVE]
    entries(root)[0].unlink()
    with pytest.raises(ProgramBuildError, match="in a child process first: cannot start"):
        run(foreign)
    assert entries(root) == []


def test_linked_code_comes_back_linked(device: Device) -> None:
    importer = dovetail.build(PRELUDE + "SYCL_EXTERNAL float scale(float);" + CALL)
    exporter = dovetail.build(PRELUDE + "SYCL_EXTERNAL float scale(float x) { return 3 * x; }")
    results: list[float] = []
    built: list[list[CodeKind]] = []
    for _ in range(2):
        native = Watched(device)
        y = np.full(1, 7, "f4")
        again = Program.from_bytes(importer.to_bytes())
        Queue(Device(native)).single_task(again["call"], y).wait()
        results.append(float(y[0]))
        built.append(native.builds)
    assert results == [21, 21]
    assert built == [[CodeKind.SPIRV], [CodeKind.NATIVE]]
    del exporter


def test_settings_of_the_driver_make_another_key(
    device: Device, run: Callable[[], Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    before = dict(device.native.build_settings())
    monkeypatch.setenv("CL_CONFIG_CPU_TARGET_ARCH", "corei7-avx")
    assert device.native.build_settings() == before | {"CL_CONFIG_CPU_TARGET_ARCH": "corei7-avx"}
    assert run().builds == [CodeKind.SPIRV]
    monkeypatch.delenv("CL_CONFIG_CPU_TARGET_ARCH")
    assert run().builds == [CodeKind.NATIVE]


CHANGES: list[dict[str, Any]] = [
    {"backend": "other"},
    {"platform": "other"},
    {"platform_vendor": "other"},
    {"platform_version": "other"},
    {"name": "other"},
    {"vendor": "other"},
    {"vendor_id": 77},
    {"version": "other"},
    {"driver_version": "other"},
    {"target": "other"},
    {"address_bits": 32},
    {"spirv_versions": ("1.0",)},
    {"sub_group_sizes": (77,)},
    {"extensions": frozenset({"other"})},
    {"kind": DeviceKind.GPU},
]


def test_anything_that_changes_makes_another_key(device: Device) -> None:
    one, two = Code(CodeKind.SPIRV, b"1"), Code(CodeKind.SPIRV, b"2")
    other = Code(CodeKind.PTX, b"2")
    same = device.description

    def key(
        description: DeviceDescription = same,
        parts: Sequence[Code] = (one, two),
        settings: dict[str, str] | None = None,
    ) -> str:
        digests = [part.data * 32 for part in parts]
        return program_key(parts, digests, description, settings or {})

    on, off = ((7, True),), ((7, False),)
    keys = [
        key(),
        key(parts=[two, one]),
        key(parts=[one]),
        key(parts=[one, Code(CodeKind.SPIRV, b"3")]),
        key(parts=[one, other]),
        key(settings={"a": "b"}),
        key(settings={"a": "c"}),
        key(settings={"ab": ""}),
        key(parts=[replace(one, values=on), two]),
        key(parts=[replace(one, values=off), two]),
        key(parts=[one, replace(two, values=on)]),
        key(parts=[replace(one, values=((8, True),)), two]),
        *(key(replace(same, **change)) for change in CHANGES),
    ]
    assert len(set(keys)) == len(keys)
    assert key() == key()
    assert key(replace(same, clock_mhz=same.clock_mhz + 1)) == key()
    assert key(settings={"a": "1", "b": "2"}) == key(settings={"b": "2", "a": "1"})


def test_native_code_is_not_kept_again(device: Device, root: Path, spirv: bytes) -> None:
    binary = device.native.build([Code(CodeKind.SPIRV, spirv)]).binary()
    image_of([Code(CodeKind.NATIVE, binary)]).built_for(device.native)
    assert entries(root) == []
