"""What starting from native code for x86-64 costs beside starting from SPIR-V."""

import os
import tempfile
from unittest.mock import patch

import dovetail
from benchmarks.cache import CASES, HEADER, ROUNDS, Case, open_device
from benchmarks.figure import Figure, fastest
from dovetail.settings import CACHE, CACHE_DIR


def measure() -> list[Figure]:
    """From a program that was read to a kernel that can be launched, on a device that is open.

    Nothing is kept of what drivers build.
    """
    with tempfile.TemporaryDirectory() as folder:
        settings = {CACHE_DIR.variable: folder, CACHE.variable: "off"}
        with patch.dict(os.environ, settings):
            return [_figure(case) for case in CASES]


def _figure(case: Case) -> Figure:
    source = HEADER + case.kernels
    sides = [dovetail.build(source), dovetail.build(source, targets="x86_64")]
    programs = [
        [dovetail.Program.from_bytes(side.to_bytes()) for _ in range(ROUNDS + 1)] for side in sides
    ]
    new_devices = [open_device() for _ in range(2 * ROUNDS + 2)]

    def prepare(side: int) -> None:
        """As a new process would: nothing has been built for the device."""
        programs[side].pop()["kernel0"].launch_on(new_devices.pop())

    prepare(0)
    prepare(1)
    building, taking = fastest([lambda: prepare(0), lambda: prepare(1)], ROUNDS)
    measured = f"{1000 * building:.1f} ms : {1000 * taking:.2f} ms"
    name = f"{case.name} from SPIR-V : from native code"
    return Figure(name, building / taking, measured, at_least=case.at_least)
