"""The time of running a built program, compared with a pyopencl script that does the same."""

import compileall
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import dovetail
from benchmarks.bare_opencl import vendor_folder
from benchmarks.figure import Figure, compare_processor_times, fastest
from dovetail.image import read_embedded_program

LAUNCHES = 100
ITEMS = 1024

SOURCE = f"""\
#include <sycl/sycl.hpp>
int main() {{
  sycl::queue queue{{sycl::property::queue::in_order{{}}}};
  float *data = sycl::malloc_shared<float>({ITEMS}, queue);
  for (int i = 0; i < {ITEMS}; ++i) data[i] = 0;
  for (int n = 0; n < {LAUNCHES}; ++n)
    queue.parallel_for({ITEMS}, [=](sycl::id<1> i) {{ data[i] += 1; }});
  queue.wait();
  return data[{ITEMS - 1}] == {LAUNCHES} ? 0 : 1;
}}
"""

# The kernel's only argument is an object that contains the address. pyopencl warns since the
# driver's log is never empty.
BARE = """\
import os, struct, sys, warnings
vendors, code, symbol = sys.argv[1:]
os.environ["OCL_ICD_VENDORS"] = vendors
import numpy as np
import pyopencl as cl
warnings.simplefilter("ignore")
devices = [d for p in cl.get_platforms() for d in p.get_devices()]
device = next((d for d in devices if d.type & cl.device_type.GPU), devices[0])
context = cl.Context([device])
queue = cl.CommandQueue(context)
with open(code, "rb") as file:
    kernel = cl.Kernel(cl.Program(context, file.read()).build(), symbol)
memory = cl.csvm_empty(context, (ITEMS,), np.float32)
memory[:] = 0
for _ in range(LAUNCHES):
    kernel.set_arg(0, struct.pack("=Q", memory.ctypes.data))
    cl.enqueue_nd_range_kernel(queue, kernel, (ITEMS,), None)
queue.finish()
sys.exit(0 if memory[ITEMS - 1] == LAUNCHES else 1)
"""

NAME = f"a built program's start and {LAUNCHES} launches : bare pyopencl"
PAIRS = 25


def measure() -> list[Figure]:
    """Compare processor time and wall time of new processes, including the driver."""
    # As in an installed package, for which pip compiles bytecode.
    assert dovetail.__file__
    compileall.compile_dir(Path(dovetail.__file__).parent, quiet=2)
    with tempfile.TemporaryDirectory() as name:
        ours, bare = _commands(Path(name))
        processor = compare_processor_times(f"{NAME}, processor time", ours, bare, PAIRS, 1.3)
        mine, theirs = fastest([lambda: _run(ours), lambda: _run(bare)], PAIRS)
    measured = f"{1000 * mine:.0f} ms : {1000 * theirs:.0f} ms"
    return [processor, Figure(f"{NAME}, wall time", mine / theirs, measured, 1.3)]


def _commands(folder: Path) -> tuple[list[str], list[str]]:
    """Return our command and pyopencl's, with the same code and drivers."""
    source, app, code = folder / "prog.cpp", folder / "app", folder / "code.spv"
    source.write_text(SOURCE)
    command = [sys.executable, "-m", "dovetail"]
    _run([*command, "c++", "-fsycl", str(source), "-o", str(app)])
    program = read_embedded_program(app.read_bytes())
    (module,) = program.abstract_modules
    code.write_bytes(module.ir_modules[0].code)
    vendors = vendor_folder(folder / "vendors")
    script = BARE.replace("ITEMS", str(ITEMS)).replace("LAUNCHES", str(LAUNCHES))
    symbol = module.info.kernels[0].symbol
    bare = [sys.executable, "-c", script, str(vendors), str(code), symbol]
    return [*command, "run", str(app)], bare


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
