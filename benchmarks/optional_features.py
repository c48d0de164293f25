"""Kernels for different devices: in separate images, and in one specialized image."""

import os
import tempfile
from collections.abc import Callable
from unittest.mock import patch

import numpy as np

import dovetail
from benchmarks.cache import HEADER, open_device
from benchmarks.figure import Figure, fastest
from dovetail import NdRange, Program, Queue
from dovetail.image import IRType, constants_of, read_program
from dovetail.runtime.backend import Code, CodeKind
from dovetail.settings import CACHE, CACHE_DIR
from dovetail.spirv import SpirvModule
from dovetail.spirv.specialise import specialised

KERNELS = 200
CHAINS, LENGTH = 12, 10
"""The chains of shared functions, and their length; each function calls the previous one."""
ROUNDS = 10
_LAUNCHES = 400

_DESIGNS = ("split", "conditional")
_ASPECTS = (
    "value += static_cast<float>(static_cast<double>(value) * 0.1);",
    "value += static_cast<float>(static_cast<sycl::half>(value));",
    "sycl::atomic_ref<long, sycl::memory_order::relaxed, sycl::memory_scope::device>(*count)"
    ".fetch_add(1);",
)
"""Statements that use one aspect each."""
SETS = 1 << len(_ASPECTS)


def measure() -> list[Figure]:
    """Measure sizes, builds and launches without a cache of built code."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {CACHE_DIR.variable: folder, CACHE.variable: "off"}
        with patch.dict(os.environ, settings):
            sharing, alone = _source(CHAINS), _source(0)
            sizes = [_size_figure("that share functions", sharing, at_least=3)]
            sizes.append(_size_figure("that share nothing", alone))
            return [*sizes, _build_figure(sharing), *_run_figures(sharing)]


def _source(chains: int) -> str:
    functions = (_function(chain, n) for chain in range(chains) for n in range(LENGTH))
    return HEADER + "".join((*functions, *(_kernel(n, chains) for n in range(KERNELS))))


def _function(chain: int, number: int) -> str:
    """Return a function that is not inlined."""
    steps = "".join(
        f"a = a * {step}.75f + b; if (a > {chain}.5f) b += a; else b = a - b * {number}.5f;"
        for step in range(10)
    )
    below = f"b += shared{chain}_{number - 1}(b, a);" if number else ""
    head = f"[[gnu::noinline]] float shared{chain}_{number}(float a, float b)"
    return f"{head} {{ {steps} {below} return a + b; }}\n"


def _kernel(number: int, chains: int) -> str:
    """Return a kernel; the kernels of each set call all chains."""
    uses = " ".join(use for bit, use in enumerate(_ASPECTS) if number >> bit & 1)
    chain = number // SETS % max(chains, 1)
    called = f"shared{chain}_{LENGTH - 1}(data[at], {number}.f)"
    value = called if chains else f"data[at] + {number}.f"
    return (
        "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))\n"
        f"void kernel{number}(float *data, long *count) {{\n"
        "  size_t at = syclext::this_work_item::get_nd_item<1>().get_global_id(0);\n"
        f"  float value = {value};\n  {uses}\n  data[at] = value;\n}}\n"
    )


def _size_figure(which: str, source: str, at_least: float | None = None) -> Figure:
    split, conditional = (
        len(dovetail.build(source, optional_features=each).to_bytes()) for each in _DESIGNS
    )
    return Figure(
        f"program of {KERNELS} kernels {which}, split : conditional",
        split / conditional,
        f"{split // 1000} KB : {conditional // 1000} KB",
        at_least=at_least,
    )


def _build_figure(source: str) -> Figure:
    conditional, split = fastest(
        [
            lambda: dovetail.build(source, optional_features="conditional"),
            lambda: dovetail.build(source, optional_features="split"),
        ],
        rounds=2,
    )
    return _figure("building it, conditional : split", conditional, split)


def _run_figures(source: str) -> list[Figure]:
    split, conditional = (dovetail.build(source, optional_features=each) for each in _DESIGNS)
    return [
        _specialising(conditional),
        *_first_launches(split.to_bytes(), conditional.to_bytes()),
        _later_launches(split, conditional),
    ]


def _specialising(program: Program) -> Figure:
    """Measure specializing for a device with all aspects, for which the driver compiles most."""
    (image,) = read_program(program.to_bytes()).abstract_modules
    (code,) = [bytes(each.code) for each in image.ir_modules if each.ir_type is IRType.SPIRV]
    values = constants_of(image.info).values(lambda _: True, lambda _: True)

    def specialise() -> bytes:
        return specialised(SpirvModule.read(code), values).to_bytes()

    def build() -> None:
        open_device().native.build([Code(CodeKind.SPIRV, plain)])

    plain = specialise()
    (time,), (driver,) = fastest([specialise], ROUNDS), fastest([build], 1)
    return _figure("specializing it : the driver's build", time, driver, at_most=0.1)


def _first_launches(split: bytes, conditional: bytes) -> list[Figure]:
    """Measure the time until one kernel, and a kernel of each set, can be launched."""

    def prepare(data: bytes, kernels: int) -> Callable[[], None]:
        def side() -> None:
            program, device = Program.from_bytes(data), open_device()
            for number in range(kernels):
                program[f"kernel{number}"].launch_on(device)

        return side

    counts = {"one kernel ready": 1, "a kernel of each set ready": SETS}
    figures: list[Figure] = []
    for name, count in counts.items():
        # Differences of seconds, far larger than noise, so one round is enough.
        ours, theirs = fastest([prepare(conditional, count), prepare(split, count)], 1)
        figures.append(_figure(f"{name}, conditional : split", ours, theirs))
    return figures


def _later_launches(split: Program, conditional: Program) -> Figure:
    queue = Queue()
    data, counter = np.ones(64, np.float32), np.zeros(1, np.int64)

    def run(program: Program) -> None:
        kernel = program["kernel0"]
        for _ in range(_LAUNCHES):
            queue.parallel_for(kernel, NdRange((64,), (64,)), data, counter)
        queue.wait()

    sides = [lambda: run(conditional), lambda: run(split)]
    ours, theirs = fastest(sides, 3 * ROUNDS)
    return _figure("later launches, conditional : split", ours / _LAUNCHES, theirs / _LAUNCHES)


def _figure(name: str, ours: float, theirs: float, at_most: float | None = None) -> Figure:
    measured = f"{1000 * ours:.3f} ms : {1000 * theirs:.3f} ms"
    return Figure(name, ours / theirs, measured, at_most)
