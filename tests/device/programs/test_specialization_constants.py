"""Specialization constants from Python: by name, and what drivers and the cache do with values."""

import struct
from collections.abc import Sequence

import numpy as np
import pytest

import dovetail
from dovetail import ArgumentError, Kernel, Program, Queue
from dovetail.cache import PROGRAMS
from dovetail.cache.contents import cached_items
from dovetail.image import AbstractModule, read_program
from dovetail.runtime import UsmArray, default_device
from dovetail.targets import default_table

pytestmark = [pytest.mark.device, pytest.mark.usefixtures("own_cpu_kind")]

RARE = 1234567.8901234567
"""A number that no compiler would use by itself."""

SOURCE = f"""
#include <sycl/sycl.hpp>
#include <array>

struct mixed {{ char letter; float number; }};

namespace app {{
using pair = std::array<float, 2>;
inline constexpr sycl::specialization_id<pair> weights{{pair{{1, 2}}}};
}}
constexpr sycl::specialization_id<int> taps{{3}};
constexpr sycl::specialization_id<mixed> both{{mixed{{1, 2}}}};
constexpr sycl::specialization_id<bool> flag{{false}};

SYCL_EXTERNAL float weigh(sycl::kernel_handler handler) {{
  auto weights = handler.get_specialization_constant<app::weights>();
  return weights[0] * 100 + weights[1] * 10;
}}

struct scale {{
  float *out;
  void operator()(sycl::id<1> i, sycl::kernel_handler handler) const {{
    mixed two = handler.get_specialization_constant<both>();
    out[i] = handler.get_specialization_constant<taps>() * 1000 + weigh(handler) + two.letter +
             two.number;
  }}
}};

struct choose {{
  float *out;
  void operator()(sycl::id<1> i, sycl::kernel_handler handler) const {{
    if (handler.get_specialization_constant<flag>())
      out[i] = static_cast<float>(out[i] * {RARE});
    else
      out[i] += 1;
  }}
}};

void start(sycl::queue &queue) {{
  queue.parallel_for(4, scale{{}});
  queue.parallel_for(4, choose{{}});
}}
"""


@pytest.fixture(scope="module")
def program() -> Program:
    return dovetail.build(SOURCE)


@pytest.fixture
def queue() -> Queue:
    return Queue()


@pytest.fixture
def out(queue: Queue) -> UsmArray:
    return queue.alloc(4, np.float32)


def result(queue: Queue, kernel: Kernel, out: UsmArray) -> float:
    queue.parallel_for(kernel, 4, (out.address,)).wait()
    return float(out.numpy()[0])


def test_values_by_name(program: Program, queue: Queue, out: UsmArray) -> None:
    kernel = program["scale"]
    assert result(queue, kernel, out) == 3123
    assert result(queue, kernel.specialize({"taps": 7}), out) == 7123
    changed = program.specialize({"taps": np.int32(9), "weights": [3, 4.5]})
    assert result(queue, changed["scale"], out) == 9348
    again = changed.specialize({"both": struct.pack("<4xf", 0.5), "app::weights": np.zeros(2, "f")})
    assert result(queue, again["scale"], out) == 9000.5
    assert result(queue, changed["scale"], out) == 9348
    assert result(queue, kernel, out) == 3123


def test_descriptions(program: Program) -> None:
    constants = program.specialization_constants
    assert {each.name: (each.size, each.default) for each in constants.values()} == {
        "taps": (4, struct.pack("<i", 3)),
        "app::weights": (8, struct.pack("<2f", 1, 2)),
        "both": (8, struct.pack("<b3xf", 1, 2)),
        "flag": (1, b"\0"),
    }
    assert constants["weights"].identifier == "_ZN3app7weightsE"


def test_equal_values_share_code(program: Program) -> None:
    kernel = program["scale"]
    assert kernel.specialize({"taps": 4}) is kernel.specialize({"taps": np.int32(4)})
    assert kernel.specialize({"taps": 3}) is kernel, "the default value"
    assert kernel.specialize({"taps": 4}).specialize({"taps": 3}) is not kernel


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"tap": 1}, "the program has no specialization constant 'tap'.*\n?.*taps"),
        ({"taps": 1.5}, "'taps': expected an integer, got 1.5"),
        ({"taps": "3"}, "'taps': expected numbers, a NumPy array or bytes, got str"),
        ({"taps": 1 << 32}, "'taps': 4294967296 does not fit into 32 bits"),
        ({"taps": b"123"}, "'taps': expected a value of 4 bytes, got 3 bytes"),
        ({"taps": np.float32(1)}, "'taps': expected integers of 32 bits, got float32"),
        ({"taps": np.int64(1)}, "'taps': expected integers of 32 bits, got int64"),
        ({"weights": [1]}, "'app::weights': expected 2 numbers, got 1"),
        ({"weights": [1, "2"]}, "'app::weights': expected a number, got '2'"),
        ({"weights": np.zeros(3, "f")}, "expected a value of 8 bytes, got 12 bytes of float32"),
        ({"both": 1}, "'both': its value is not a number or an array of numbers of one type"),
    ],
)
def test_wrong_values(program: Program, values: dict[str, object], problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        program.specialize(values)
    with pytest.raises(ArgumentError):
        program["scale"].specialize(values)


def binary(kernel: Kernel) -> bytes:
    return kernel.built_for(default_device()).binary()


def test_drivers_remove_branches(program: Program, queue: Queue, out: UsmArray) -> None:
    bits = struct.pack("<d", RARE)
    kernel = program["choose"]
    chosen = kernel.specialize({"flag": True})
    assert bits in binary(chosen)
    assert bits not in binary(kernel)
    out.copy_from(np.ones(4, np.float32))
    assert result(queue, kernel, out) == 2
    assert result(queue, chosen, out) == np.float32(2 * RARE)


def entries() -> int:
    return len(cached_items([PROGRAMS]))


def test_cached_for_each_value(program: Program) -> None:
    def build(values: Sequence[int]) -> int:
        """Build a new copy of the program; return how many entries that adds."""
        before = entries()
        loaded = Program.from_bytes(program.to_bytes())
        for value in values:
            loaded["scale"].specialize({"taps": value}).built_for(default_device())
        del loaded
        return entries() - before

    assert build([101]) == 1
    assert build([101]) == 0
    assert build([102, 103, 101]) == 2


def image_of(program: Program, kernel: str) -> AbstractModule:
    """Return the image with a kernel; the two have different requirements."""
    modules = read_program(program.to_bytes()).abstract_modules
    return next(each for each in modules if program[kernel].symbol in each.info.kernel_names)


def test_ahead_of_time(queue: Queue, out: UsmArray) -> None:
    program = dovetail.build(SOURCE, targets=["x86_64"])
    module = image_of(program, "choose")
    bits = struct.pack("<d", RARE)
    # The branch that default values do not take is not in the native code.
    assert module.native_images
    assert not any(bits in bytes(native.code) for native in module.native_images)
    # Other values need the SPIR-V beside it.
    out.copy_from(np.ones(4, np.float32))
    assert result(queue, program["choose"], out) == 2
    chosen = program["choose"].specialize({"flag": True})
    assert result(queue, chosen, out) == np.float32(2 * RARE)
    assert result(queue, program["scale"].specialize({"taps": 5}), out) == 5123


def test_emulated_devices(program: Program) -> None:
    device = default_device().as_target(default_table()["intel_gpu_pvc"])
    queue = Queue(device)
    out = queue.alloc(4, np.float32)
    assert result(queue, program["scale"].specialize({"taps": 8}), out) == 8123


def test_ptx_has_variables_with_the_default_values() -> None:
    program = dovetail.build(SOURCE, targets=["nvidia_gpu_sm_80"])
    module = image_of(program, "scale")
    ptx = bytes(module.ir_modules[0].code).decode()
    assert ".visible .const .align 16 .b8 _ZN3app7weightsE[8] = {0, 0, 128, 63, 0, 0, 0, 64}" in ptx
    assert {each.identifier for each in module.info.specialization_constants} == {
        each.identifier for each in program["scale"].specialization_constants.values()
    }
