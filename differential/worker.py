"""A child process that builds and launches kernels, so that crashes do not end the campaign.

Its argument names a JSON file with the job. It prints lines as it proceeds: "start N" and "done N
OUTPUT COUNTERS" for each kernel, in hexadecimal, "failed MESSAGE" if the build fails, and "times
BUILD LAUNCHES" in seconds.
"""

from __future__ import annotations

import ctypes
import json
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np
import numpy.typing as npt

import dovetail
from differential.model import COUNTERS, Kernel, Scalar
from differential.sources import COUNTER_START

if TYPE_CHECKING:
    from dovetail.driver.building import OptimizationLevel, OptionalFeatureMode


class Launch(TypedDict):
    """The launch of one kernel."""

    number: int
    input_type: str
    input: str
    output_type: str
    output_length: int
    groups: int
    group_size: int
    arguments: list[tuple[str, float]]


class Job(TypedDict):
    """A source with its build options and launches."""

    source: str
    optimization: OptimizationLevel
    optional_features: OptionalFeatureMode
    launches: list[Launch]


def launch_of(kernel: Kernel, input_: str) -> Launch:
    """Return the launch of a kernel; `input_` is in hexadecimal."""
    values = [(numpy_type(each.value.type), each.value.value) for each in kernel.arguments]
    return {
        "number": kernel.number,
        "input_type": numpy_type(kernel.input),
        "input": input_,
        "output_type": numpy_type(kernel.output),
        "output_length": kernel.items * kernel.outputs,
        "groups": kernel.groups,
        "group_size": kernel.group_size,
        "arguments": values,
    }


def numpy_type(scalar: Scalar) -> str:
    """Return the NumPy type of a scalar."""
    if scalar.kind == "floating":
        return f"f{scalar.bits // 8}"
    return f"{'i' if scalar.kind == 'signed' else 'u'}{scalar.bits // 8}"


PR_SET_PDEATHSIG = 1


def main() -> int:
    """Run the job."""
    # End with the campaign even if that is killed: a kernel may never finish.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    job: Job = json.loads(Path(sys.argv[1]).read_text())
    try:
        _run(job)
    except Exception as error:
        # All exceptions, not only user errors: an invalid module is a bug in Dovetail.
        _print("failed", f"{type(error).__name__}: {error}".replace("\n", "\\n"))
        return 1
    return 0


def _run(job: Job) -> None:
    started = time.monotonic()
    program = dovetail.build(
        job["source"],
        optimization=job["optimization"],
        optional_features=job["optional_features"],
    )
    built = time.monotonic()
    queue = dovetail.Queue()
    for launch in job["launches"]:
        _print("start", str(launch["number"]))
        input_ = np.frombuffer(bytes.fromhex(launch["input"]), launch["input_type"])
        output = np.zeros(launch["output_length"], launch["output_type"])
        counters = np.full(COUNTERS, COUNTER_START, np.uint32)
        values = [np.dtype(type_).type(value) for type_, value in launch["arguments"]]
        size = launch["group_size"]
        nd_range = dovetail.NdRange((launch["groups"] * size,), (size,))
        kernel = program[f"kernel_{launch['number']}"]
        queue.parallel_for(kernel, nd_range, input_, output, counters, *values).wait()
        _print("done", str(launch["number"]), _hex(output), _hex(counters))
    _print("times", f"{built - started:.3f}", f"{time.monotonic() - built:.3f}")


def _hex(array: npt.NDArray[np.generic]) -> str:
    return array.tobytes().hex()


def _print(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
