"""What starting from native code for x86-64 costs beside starting from SPIR-V, on every CPU kind.

The driver reads the CPU kind that it generates code for once a process, so each kind that this host
can run is measured in a process of its own.
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
"""In the order in which both are measured."""


def measure() -> list[Figure]:
    """From a program that was read to a kernel that can be launched, on a device that is open.

    Nothing is kept of what drivers build. For each CPU kind the host can run, the ratio of each
    program; the host's own kind is the last one.
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
    """What the same program takes from each of the files, on devices as a new process has them."""
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
