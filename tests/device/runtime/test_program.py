"""Programs from files, and code that no one vouches for."""

import random
import struct
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from image_sets import properties_of

from dovetail import trust
from dovetail.errors import ProgramBuildError
from dovetail.image import (
    AbstractModule,
    BundleState,
    SyclBin,
    write_program,
)
from dovetail.kernel_info import KernelInfo
from dovetail.runtime import Device, Program, Queue, code_validation, load, sandboxed_build

pytestmark = pytest.mark.device

Package = Callable[[bytes, Iterable[KernelInfo]], Program]


def test_a_program_from_a_file(tmp_path: Path, program: Program, queue: Queue) -> None:
    program.save(tmp_path / "program")
    again = load(tmp_path / "program")
    out = np.zeros(1, "i4")
    queue.single_task(again["once"], out, 5).wait()
    assert out[0] == 5
    assert again["once"] is again["once"]


def test_it_runs_without_the_compiler(tmp_path: Path, program: Program) -> None:
    program.save(tmp_path / "program")
    script = (
        "import sys\n"
        "sys.modules['dovetail._native'] = None\n"
        "import numpy, dovetail.runtime as rt\n"
        "program, queue, out = rt.load(sys.argv[1]), rt.Queue(), numpy.zeros(4, 'i4')\n"
        "queue.parallel_for(program['place1'], 4, out).wait()\n"
        "stages = ('frontend', 'ir', 'passes', 'postlink', 'codegen', 'package', 'driver')\n"
        "loaded = [s for s in stages if f'dovetail.{s}' in sys.modules]\n"
        "print(out.tolist(), loaded)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "program")]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout == "[0, 1, 2, 3] []\n"


def test_a_kernel_without_code(device: Device, kernels: tuple[KernelInfo, ...]) -> None:
    module = AbstractModule({"Dovetail/kernels": {**properties_of(kernels=kernels)}})
    program = Program.from_bytes(write_program(SyclBin.of(BundleState.INPUT, [module])))
    with pytest.raises(ProgramBuildError, match="no code of kernel 'once'"):
        Queue(device).single_task(program["once"], None, 1)


def test_a_kernel_that_the_code_lacks(device: Device, spirv: bytes, package: Package) -> None:
    program = package(spirv, [KernelInfo("gone", "gone", "gone()", 0, ())])
    with pytest.raises(ProgramBuildError, match="no kernel 'gone': INVALID_KERNEL_NAME"):
        Queue(device).single_task(program["gone"])


def test_code_that_a_child_could_build_is_remembered(
    device: Device, spirv: bytes, kernels: tuple[KernelInfo, ...], package: Package
) -> None:
    code, driver = _with_generator(spirv, 77), sandboxed_build.identity(device.description)
    assert not trust.is_known(code, driver)
    package(code, kernels)["once"].launch_on(device)
    assert trust.is_known(code, driver)
    assert not trust.is_known(code)


@pytest.mark.parametrize("spoiled", [b"", b"abc", b"\x03\x02\x23\x07", b"\0" * 64])
def test_what_is_not_spirv(
    device: Device, kernels: tuple[KernelInfo, ...], package: Package, spoiled: bytes
) -> None:
    with pytest.raises(ProgramBuildError, match="SPIR-V"):
        package(spoiled, kernels)["once"].launch_on(device)


def test_a_version_that_the_device_does_not_take(
    device: Device, spirv: bytes, kernels: tuple[KernelInfo, ...], package: Package
) -> None:
    newer = spirv[:4] + struct.pack("<I", 0x00_01_63_00) + spirv[8:]
    with pytest.raises(
        ProgramBuildError, match=r"supports SPIR-V up to 1\..; the code is SPIR-V 1\.99"
    ):
        package(newer, kernels)["once"].launch_on(device)


def test_corrupt_code_is_refused(
    device: Device, spirv: bytes, kernels: tuple[KernelInfo, ...], package: Package
) -> None:
    with pytest.raises(ProgramBuildError, match="not valid SPIR-V: error: line"):
        package(_scrambled(spirv, 1), kernels)["once"].launch_on(device)


def test_mutations_leave_the_process_alive(
    device: Device, spirv: bytes, kernels: tuple[KernelInfo, ...], package: Package
) -> None:
    refused = 0
    for seed in range(20):
        try:
            package(_scrambled(spirv, seed), kernels)["once"].launch_on(device)
        except ProgramBuildError:
            refused += 1
    assert refused > 10


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("kill -SEGV $$", "the child process that tried to build it failed (SIGSEGV)"),
        ("echo 'out of luck' >&2; exit 3", "failed (status 3):\nout of luck"),
        ("exec sleep 20", "the build was still running after 0.1 s and was killed"),
    ],
)
def test_a_driver_that_goes_down_takes_only_the_child(
    tmp_path: Path,
    device: Device,
    spirv: bytes,
    kernels: tuple[KernelInfo, ...],
    package: Package,
    monkeypatch: pytest.MonkeyPatch,
    behaviour: str,
    message: str,
) -> None:
    # No module is sure to crash every driver, so the child is one that fails by itself.
    child = tmp_path / "child"
    child.write_text(f"#!/bin/sh\n{behaviour}\n")
    child.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(child))
    if "sleep" in behaviour:
        monkeypatch.setattr(sandboxed_build, "BUILD_SECONDS", 0.1)
    code = _with_generator(spirv, 80)
    with pytest.raises(ProgramBuildError) as raised:
        package(code, kernels)["once"].launch_on(device)
    assert message in str(raised.value)
    assert not trust.is_known(code, sandboxed_build.identity(device.description))


def test_without_a_validator_the_child_still_checks(
    device: Device,
    spirv: bytes,
    kernels: tuple[KernelInfo, ...],
    package: Package,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_validator(code: bytes) -> str | None:
        return None

    monkeypatch.setattr(code_validation, "validation_error", no_validator)
    package(_with_generator(spirv, 78), kernels)["once"].launch_on(device)
    with pytest.raises(ProgramBuildError, match="driver of '"):
        package(_scrambled(spirv, 1), kernels)["once"].launch_on(device)


def test_a_cache_that_cannot_be_used(
    tmp_path: Path,
    device: Device,
    spirv: bytes,
    kernels: tuple[KernelInfo, ...],
    package: Package,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path / "file"))
    code, out = _with_generator(spirv, 79), np.zeros(1, "i4")
    Queue(device).single_task(package(code, kernels)["once"], out, 6).wait()
    assert out[0] == 6
    assert not trust.is_known(code, sandboxed_build.identity(device.description))


def _with_generator(spirv: bytes, number: int) -> bytes:
    """The same code with another generator's number: equal in effect, new to everyone."""
    return spirv[:8] + struct.pack("<I", number) + spirv[12:]


def _scrambled(spirv: bytes, seed: int) -> bytes:
    """The code with one to three words changed, at random but always the same."""
    chance, code = random.Random(seed), bytearray(spirv)
    for _ in range(chance.randint(1, 3)):
        place = 4 * chance.randrange(5, len(code) // 4)
        word = struct.unpack_from("<I", code, place)[0]
        changed = chance.choice([chance.randrange(64), word ^ (1 << chance.randrange(32))])
        struct.pack_into("<I", code, place, changed)
    return bytes(code)
