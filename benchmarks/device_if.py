"""The cost of conditional code: in a kernel, and as add-on images that are linked."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from unittest.mock import patch

import numpy as np

import dovetail
from benchmarks.cache import HEADER, ROUNDS, open_device
from benchmarks.figure import Figure, fastest
from dovetail import NdRange, Program
from dovetail.image import read_program, write_program
from dovetail.settings import CACHE, CACHE_DIR

_SIZE = 1 << 16
_TURNS = 40
_ADD_ONS = 10
_LAUNCHES = 400

# The branch is in the innermost loop, where it costs most.
_LOOP = """
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void loop(float *data) {
  size_t at = syclext::this_work_item::get_nd_item<1>().get_global_id(0);
  float value = data[at];
  for (int turn = 0; turn < 64; ++turn) {
    BRANCH
  }
  data[at] = value;
}
"""
_FIRST = "*into = *into * 1.0001f + 0.5f;"
_SECOND = "*into = *into * 0.9999f - 0.5f;"
_CONDITIONAL = (
    "float *into = &value;"
    f"syclexp::if_architecture_is<syclexp::architecture::x86_64>([=] {{ {_FIRST} }})"
    f".otherwise([=] {{ {_SECOND} }});"
)
_BY_HAND = f"""
    float *into = &value;
#ifdef __SYCL_TARGET_INTEL_X86_64__
    {_FIRST}
#else
    {_SECOND}
#endif
"""


def measure() -> list[Figure]:
    """Measure kernels and first builds without a cache of built code."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {CACHE_DIR.variable: folder, CACHE.variable: "off"}
        with patch.dict(os.environ, settings):
            return [*_loops(), *_first_builds()]


def _loops() -> list[Figure]:
    by_hand = dovetail.build(HEADER + _LOOP.replace("BRANCH", _BY_HAND), targets="x86_64")
    conditional = HEADER + _LOOP.replace("BRANCH", _CONDITIONAL)
    early = dovetail.build(conditional, targets="x86_64", device_if_resolve="early")
    late = dovetail.build(conditional, targets="x86_64", device_if_resolve="late")
    open_until_it_runs = dovetail.build(conditional)
    queue, data = dovetail.Queue(), np.ones(_SIZE, np.float32)

    def run(program: Program) -> None:
        kernel = program["loop"]
        for _ in range(_TURNS):
            queue.parallel_for(kernel, NdRange((_SIZE,), (256,)), data)
        queue.wait()

    sides = (by_hand, early, late, open_until_it_runs)
    base, *others = fastest([lambda side=side: run(side) for side in sides], 3 * ROUNDS)
    limits = {"early": 1.02, "late": 1.1, "as the program runs": None}
    return [
        Figure(
            f"if_architecture_is decided {how} : branch by hand",
            taken / base,
            f"{1000 * taken / _TURNS:.3f} ms : {1000 * base / _TURNS:.3f} ms",
            at_most=limit,
        )
        for (how, limit), taken in zip(limits.items(), others, strict=True)
    ]


def _kernel(parts: str) -> str:
    mark = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))"
    return f"{HEADER}\n{mark}\nvoid kernel0(float *data) {{ {parts} }}\n"


def _first_builds() -> list[Figure]:
    """Measure the first build of a kernel with ten add-ons under different conditions.

    The comparison with the same functions in one image shows the cost of linking. The comparison
    with a kernel in which all are inlined also includes code that optimization removes.
    """
    aspects = ("fp64", "fp16", "cpu", "atomic64", "usm_device_allocations")
    conditions = [f"sycl::aspect::{name}" for name in aspects]
    conditions += [f"sycl::aspect::{name}, sycl::aspect::online_linker" for name in aspects]
    assert len(conditions) == _ADD_ONS
    actions = [f"data[{n}] = sycl::sin(data[{n}] * {n}.5f);" for n in range(_ADD_ONS)]
    pairs = zip(conditions, actions, strict=True)
    source = _kernel(" ".join(f"syclexp::if_device_has<{c}>([=] {{ {a} }});" for c, a in pairs))
    decided = dovetail.build(source, targets="x86_64", device_if_resolve="late")
    whole = dovetail.build(_kernel(" ".join(actions)))
    sides = [dovetail.build(source).to_bytes(), _without_native(decided), whole.to_bytes()]
    programs = [[Program.from_bytes(side) for _ in range(ROUNDS + 1)] for side in sides]
    new_devices = [open_device() for _ in range(len(sides) * (ROUNDS + 1))]

    def prepare(side: int) -> None:
        programs[side].pop()["kernel0"].launch_on(new_devices.pop())

    for side in range(len(sides)):
        prepare(side)
    linked, one_image, inlined = fastest(
        [lambda side=side: prepare(side) for side in range(len(sides))], ROUNDS
    )
    return [
        _later_launches([Program.from_bytes(side) for side in sides[:2]]),
        *(
            Figure(
                f"first build with ten add-ons : {beside}",
                linked / base,
                f"{1000 * linked:.1f} ms : {1000 * base:.1f} ms",
                at_most=limit,
            )
            for beside, base, limit in (
                ("the same functions in one image", one_image, 1.5),
                ("all inlined", inlined, None),
            )
        ),
    ]


def _later_launches(programs: Sequence[Program]) -> Figure:
    queue, data = dovetail.Queue(), np.ones(64, np.float32)

    def run(program: Program) -> None:
        kernel = program["kernel0"]
        for _ in range(_LAUNCHES):
            queue.parallel_for(kernel, NdRange((1,), (1,)), data)
        queue.wait()

    linked, one_image = fastest([lambda each=each: run(each) for each in programs], 3 * ROUNDS)
    return Figure(
        "later launches with ten add-ons : in one image",
        linked / one_image,
        f"{1e6 * linked / _LAUNCHES:.1f} µs : {1e6 * one_image / _LAUNCHES:.1f} µs",
        at_most=1.05,
    )


def _without_native(program: Program) -> bytes:
    """Return the program with SPIR-V only, which the driver has to build."""
    content = read_program(program.to_bytes())
    modules = [replace(module, native_images=()) for module in content.abstract_modules]
    return write_program(replace(content, abstract_modules=modules))
