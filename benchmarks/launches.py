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
NEEDY = SOURCE.replace("void empty", "[[sycl::device_has(sycl::aspect::fp64)]] void empty")
LAUNCHES = 500


def measure() -> list[Figure]:
    """Setting one pointer argument, launching an empty kernel and waiting for it."""
    program, needy = dovetail.build(SOURCE), dovetail.build(NEEDY)
    queue = dovetail.Queue()
    memory = queue.alloc((64,), np.float32, kind="shared")
    ours, checked, bare = fastest(
        [
            lambda: _launch_ours(queue, program["empty"], memory),
            lambda: _launch_ours(queue, needy["empty"], memory),
            _bare_launcher(program),
        ],
        # Many short rounds: each side finds the machine idle in some of them.
        rounds=60,
    )
    return [
        _figure("launch and wait : bare pyopencl", ours, bare),
        _figure("launch and wait, requirements checked : none to check", checked, ours, 1.05),
    ]


def _figure(name: str, one: float, other: float, at_most: float | None = None) -> Figure:
    measured = f"{1e6 * one / LAUNCHES:.1f} us : {1e6 * other / LAUNCHES:.1f} us"
    return Figure(name, one / other, measured, at_most)


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
