"""Launches with dpctl, Intel's SYCL runtime for Python, of our kernel on the same CPU driver."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from interop.intel_runtime import prepare_runtime

from benchmarks.persistent_process import PersistentProcess, persistent_process

FOLDER = Path(__file__).parents[1] / "build" / "benchmarks" / "dpctl"
REQUIREMENTS = Path(__file__).with_name("dpctl-requirements.txt")

# Runs in dpctl's virtual environment. The queue is in-order, like Dovetail's.
SIDE = """\
import sys, time
import dpctl, dpctl.memory, dpctl.program
code, symbol, launches = sys.argv[1], sys.argv[2], int(sys.argv[3])
queue = dpctl.SyclQueue("opencl:cpu", property="in_order")
with open(code, "rb") as file:
    program = dpctl.program.create_program_from_spirv(queue, file.read())
kernel = program.get_sycl_kernel(symbol)
one, two = (dpctl.memory.MemoryUSMShared(256, queue=queue) for _ in range(2))
for line in sys.stdin:
    arrays = [one, one if line.strip() == "one" else two]
    start = time.perf_counter()
    for _ in range(launches // 2):
        for memory in arrays:
            queue.submit(kernel, [memory], [64], [16]).wait()
    print(time.perf_counter() - start, flush=True)
"""


@contextmanager
def dpctl_process(code: bytes, symbol: str, launches: int) -> Generator[PersistentProcess]:
    """Start a process with the rounds `one` and `two`: launches with one and two arrays."""
    runtime = prepare_runtime(FOLDER, REQUIREMENTS, "dpctl", 230)
    with tempfile.NamedTemporaryFile(suffix=".spv") as file:
        file.write(code)
        file.flush()
        python = str(FOLDER / "bin" / "python")
        command = [python, "-c", SIDE, file.name, symbol, str(launches)]
        with persistent_process(command, runtime.environment) as process:
            yield process
