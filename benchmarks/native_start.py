"""The time until a kernel is ready, from native code and from SPIR-V, for every CPU kind.

The driver reads the CPU kind that it generates code for once per process, so each kind that this
host can run is measured in a separate process.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import dovetail
from benchmarks.cache import CASES, HEADER, ROUNDS, open_device
from benchmarks.figure import Figure, fastest
from dovetail.compilers.cpu_kinds import CPU_KINDS, TARGET_SETTING
from dovetail.compilers.opencl_cpu import host_cpu_kind
from dovetail.runtime.host_processor import processor_features
from dovetail.settings import CACHE

FROM = ("SPIR-V", "native code")
"""The order of measurements."""


def measure() -> list[Figure]:
    """Measure the time from a loaded program to a launchable kernel, on an open device.

    Built code is not cached. There is a ratio for each program and each CPU kind that the host can
    run; the host's own kind is the last one.
    """
    own = host_cpu_kind(processor_features())
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(CASES):
            for name, targets in zip(FROM, ((), ("x86_64",)), strict=True):
                program = dovetail.build(HEADER + case.kernels, targets=targets)
                program.save(Path(folder) / f"{number} {name}")
        kinds = CPU_KINDS[: CPU_KINDS.index(own) + 1]
        return [figure for kind in kinds for figure in _figures(folder, kind)]


def _figures(folder: str, kind: str) -> list[Figure]:
    command = [sys.executable, "-m", "benchmarks.native_start", folder]
    environment = {**os.environ, CACHE.variable: "off", TARGET_SETTING: kind}
    taken = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout
    return [
        Figure(
            f"{case.name} from SPIR-V : from native code, {kind}",
            building / loading,
            f"{1000 * building:.1f} ms : {1000 * loading:.2f} ms",
            at_least=case.at_least,
        )
        for case, (building, loading) in zip(CASES, json.loads(taken), strict=True)
    ]


def _seconds(files: list[Path]) -> list[float]:
    """Return the times of a program from each file, on devices in the state of a new process."""
    programs = [[dovetail.load(file) for _ in range(ROUNDS + 1)] for file in files]
    devices = [open_device() for _ in range(len(files) * (ROUNDS + 1))]

    def prepare(side: int) -> None:
        programs[side].pop()["kernel0"].launch_on(devices.pop())

    for side in range(len(files)):
        prepare(side)
    return fastest([lambda: prepare(0), lambda: prepare(1)], ROUNDS)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    cases = range(len(CASES))
    print(json.dumps([_seconds([folder / f"{n} {name}" for name in FROM]) for n in cases]))
