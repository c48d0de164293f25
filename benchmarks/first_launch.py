"""The time from the start of a Python program until its first kernel has finished.

The program is loaded from a file, and its code is in the cache; by hand, pyopencl loads the binary
that the driver built from the same code.
"""

import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import dovetail
from benchmarks.bare_opencl import bare_device, spirv_of, vendor_folder
from benchmarks.figure import Figure
from benchmarks.persistent_process import Side, in_turns, timed
from dovetail.settings import CACHE_DIR

SOURCE = """\
#include <sycl/sycl.hpp>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void increment(float *data) {
  data[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0)] += 1;
}
"""
OURS = """\
import sys
import numpy as np
import dovetail
program = dovetail.load(sys.argv[1])
data = np.zeros(1024, np.float32)
queue = dovetail.Queue()
queue.parallel_for(program["increment"], dovetail.NdRange((1024,), (64,)), data).wait()
assert data[1023] == 1
"""
# pyopencl warns since the driver's log is never empty.
BY_HAND = """\
import sys, warnings
import numpy as np
import pyopencl as cl
warnings.simplefilter("ignore")
kind, path, symbol = sys.argv[1:]
devices = [d for p in cl.get_platforms() for d in p.get_devices()]
device = next((d for d in devices if d.type & cl.device_type.GPU), devices[0])
context = cl.Context([device])
queue = cl.CommandQueue(context)
with open(path, "rb") as file:
    code = file.read()
program = cl.Program(context, code) if kind == "spirv" else cl.Program(context, [device], [code])
kernel = cl.Kernel(program.build(), symbol)
data = np.zeros(1024, np.float32)
kernel.set_arg(0, cl.SVM(data))
cl.enqueue_nd_range_kernel(queue, kernel, (1024,), (64,)).wait()
assert data[1023] == 1
"""
ROUNDS = 30


def measure() -> list[Figure]:
    """Compare the wall time of whole processes, since drivers start threads."""
    # As in an installed package, for which pip compiles bytecode.
    assert dovetail.__file__
    compileall.compile_dir(Path(dovetail.__file__).parent, quiet=2)
    with tempfile.TemporaryDirectory() as name:
        ours, binary, spirv = in_turns(_sides(Path(name)), ROUNDS)
    return [
        _figure("from the kept binary", ours, binary, 1.5),
        _figure("from SPIR-V", ours, spirv, None),
    ]


def _figure(how: str, ours: list[float], theirs: list[float], at_most: float | None) -> Figure:
    ratio = median(one / other for one, other in zip(ours, theirs, strict=True))
    measured = f"{1000 * median(ours):.0f} ms : {1000 * median(theirs):.0f} ms"
    return Figure(f"start to first launch done : by hand, {how}", ratio, measured, at_most)


def _sides(folder: Path) -> list[Side]:
    program = dovetail.build(SOURCE)
    file, spirv, binary = (folder / name for name in ("k.syclbin", "k.spv", "k.bin"))
    program.save(str(file))
    spirv.write_bytes(spirv_of(program.to_bytes()))
    binary.write_bytes(bare_device().binary(spirv.read_bytes()))
    symbol = program["increment"].symbol

    ours = {**os.environ, CACHE_DIR.variable: str(folder / "cache")}
    bare = {**os.environ, "OCL_ICD_VENDORS": str(vendor_folder(folder / "vendors"))}
    sides = [
        _process(ours, OURS, file),
        _process(bare, BY_HAND, "binary", binary, symbol),
        _process(bare, BY_HAND, "spirv", spirv, symbol),
    ]
    for side in sides:
        side()  # fills the cache, and loads all files from disk
    return sides


def _process(environment: dict[str, str], script: str, *arguments: object) -> Side:
    command: Sequence[str] = [sys.executable, "-c", script, *map(str, arguments)]
    return timed(lambda: subprocess.run(command, env=environment, check=True))
