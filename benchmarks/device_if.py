"""What code for some devices costs: in a kernel, and as images that are linked when it is built."""

import os
import tempfile
from unittest.mock import patch

import numpy as np

import dovetail
from benchmarks.cache import HEADER, ROUNDS, open_device
from benchmarks.figure import Figure, fastest
from dovetail import NdRange, Program
from dovetail.settings import CACHE, CACHE_DIR

_SIZE = 1 << 16
_TURNS = 40
_ADD_ONS = 10

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
    """Nothing is kept of what drivers build."""
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
    """Each add-on is under a condition of its own, so that none shares an image."""
    aspects = ("fp64", "fp16", "cpu", "atomic64", "usm_device_allocations")
    conditions = [f"sycl::aspect::{name}" for name in aspects]
    conditions += [f"sycl::aspect::{name}, sycl::aspect::online_linker" for name in aspects]
    assert len(conditions) == _ADD_ONS
    actions = [f"data[{n}] = sycl::sin(data[{n}] * {n}.5f);" for n in range(_ADD_ONS)]
    plain = dovetail.build(_kernel(" ".join(actions)))
    pairs = zip(conditions, actions, strict=True)
    apart = dovetail.build(
        _kernel(" ".join(f"syclexp::if_device_has<{c}>([=] {{ {a} }});" for c, a in pairs))
    )
    programs = [
        [Program.from_bytes(side.to_bytes()) for _ in range(ROUNDS + 1)] for side in (plain, apart)
    ]
    new_devices = [open_device() for _ in range(2 * ROUNDS + 2)]

    def prepare(side: int) -> None:
        programs[side].pop()["kernel0"].launch_on(new_devices.pop())

    prepare(0)
    prepare(1)
    whole, linked = fastest([lambda: prepare(0), lambda: prepare(1)], ROUNDS)
    measured = f"{1000 * linked:.1f} ms : {1000 * whole:.1f} ms"
    return [Figure("first build with ten add-ons : without", linked / whole, measured, at_most=1.5)]
