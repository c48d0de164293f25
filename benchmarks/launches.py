"""What a launch from Python costs beside the same through bare pyopencl."""

import warnings
from typing import Any

import numpy as np

import dovetail
from benchmarks.figure import Figure, fastest

SOURCE = """\
#include <sycl/sycl.hpp>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void empty(float *) {}
"""
LAUNCHES = 2000


def measure() -> list[Figure]:
    """Setting one pointer argument, launching an empty kernel and waiting for it."""
    program = dovetail.build(SOURCE)
    queue = dovetail.Queue()
    memory = queue.alloc((64,), np.float32, kind="shared")
    ours, bare = fastest(
        [lambda: _launch_ours(queue, program["empty"], memory), _bare_launcher(program)], rounds=7
    )
    measured = f"{1e6 * ours / LAUNCHES:.1f} us : {1e6 * bare / LAUNCHES:.1f} us"
    return [Figure("launch and wait : bare pyopencl", ours / bare, measured)]


def _launch_ours(queue: dovetail.Queue, kernel: dovetail.Kernel, memory: dovetail.UsmArray) -> None:
    nd_range = dovetail.NdRange((64,), (16,))
    for _ in range(LAUNCHES):
        queue.parallel_for(kernel, nd_range, memory).wait()


def _bare_launcher(program: dovetail.Program) -> Any:
    """The same with pyopencl's own calls on the same device; our import has set it up."""
    import pyopencl as cl

    from dovetail.image import read_program

    (module,) = read_program(program.to_bytes()).abstract_modules
    device: Any = next(
        d
        for p in cl.get_platforms()
        for d in p.get_devices()
        if d.name == dovetail.Queue().device.name
    )
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    with warnings.catch_warnings():
        # The driver's log is never empty, which pyopencl takes for a warning.
        warnings.simplefilter("ignore")
        built: Any = cl.Program(context, bytes(module.ir_modules[0].code)).build()
    kernel: Any = cl.Kernel(built, program["empty"].symbol)
    make_memory: Any = cl.csvm_empty
    memory: Any = cl.SVM(make_memory(context, (64,), np.float32))

    def launch() -> None:
        for _ in range(LAUNCHES):
            kernel.set_arg(0, memory)
            cl.enqueue_nd_range_kernel(queue, kernel, (64,), (16,)).wait()

    return launch
