"""Assertions in kernels: who fails tells where, ends, and the host learns of it."""

from pathlib import Path
from signal import SIGABRT
from subprocess import run
from sys import executable

import numpy as np
import pytest

import dovetail
from dovetail import KernelAssertionFailed, NdRange, Program, Queue

pytestmark = pytest.mark.device

SOURCE = """
#include <cassert>
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
#define ND(N) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<N>))

inline int half_of(int number) {
  assert(number % 2 == 0 && "even");
  return number / 2;
}

ND(1) void halves(int *numbers) {
  auto item = ext::this_work_item::get_nd_item<1>();
  int i = item.get_global_id(0);
  numbers[i] = half_of(numbers[i]);
}

ND(3) void places(int *where, int *behind) {
  auto item = ext::this_work_item::get_nd_item<3>();
  assert(item.get_global_linear_id() != unsigned(*where));
  behind[item.get_global_linear_id()] = 1;
}

ND(1) void without(int *numbers) {
  numbers[ext::this_work_item::get_nd_item<1>().get_global_id(0)] = 7;
}
"""

WORK = NdRange((8,), (4,))


@pytest.fixture(scope="module")
def program() -> Program:
    return dovetail.build(SOURCE)


@pytest.fixture
def queue() -> Queue:
    return Queue()


def test_what_holds_is_not_told(queue: Queue, program: Program) -> None:
    numbers = np.arange(0, 16, 2, dtype=np.int32)
    queue.parallel_for(program["halves"], WORK, numbers).wait()
    assert numbers.tolist() == list(range(8))


def test_failure_says_what_and_where(queue: Queue, program: Program) -> None:
    numbers = np.array([0, 2, 4, 6, 8, 11, 12, 14], np.int32)
    with pytest.raises(KernelAssertionFailed) as caught:
        queue.parallel_for(program["halves"], WORK, numbers).wait()
    line = SOURCE.splitlines().index('  assert(number % 2 == 0 && "even");') + 1
    place, _, what = str(caught.value).partition(": int half_of(int): ")
    assert place.endswith(f":{line}")
    # The ids are those of the work-item, the fastest dimension last.
    assert what == (
        'global id: [0,0,5], local id: [0,0,1] Assertion `number % 2 == 0 && "even"` failed.'
    )
    # Who failed did not go on; all others did.
    assert numbers.tolist() == [0, 1, 2, 3, 4, 11, 6, 7]


def test_failure_is_told_once(queue: Queue, program: Program) -> None:
    odd = np.ones(8, np.int32)
    event = queue.parallel_for(program["halves"], WORK, odd)
    with pytest.raises(KernelAssertionFailed):
        event.wait()
    even = np.full(8, 2, np.int32)
    queue.parallel_for(program["halves"], WORK, even).wait()
    queue.wait()
    assert even.tolist() == [1] * 8


def test_three_dimensions(queue: Queue, program: Program) -> None:
    behind = np.zeros(24, np.int32)
    where = np.array([17], np.int32)
    with pytest.raises(KernelAssertionFailed, match=r"\[1,0,5\], local id: \[0,0,2\]"):
        queue.parallel_for(program["places"], NdRange((2, 2, 6), (1, 2, 3)), where, behind).wait()
    assert behind.tolist() == [int(i != 17) for i in range(24)]


def test_queue_tells_what_nobody_waited_for(queue: Queue, program: Program) -> None:
    queue.parallel_for(program["halves"], WORK, np.ones(8, np.int32))
    with pytest.raises(KernelAssertionFailed):
        queue.wait()


def test_ndebug_switches_assertions_off(queue: Queue) -> None:
    program = dovetail.build(SOURCE, macros={"NDEBUG": None})
    numbers = np.full(8, 3, np.int32)
    queue.parallel_for(program["halves"], WORK, numbers).wait()
    assert numbers.tolist() == [1] * 8


HOST = """
#include <cassert>
#include <cstdio>
#include <sycl/sycl.hpp>
int main(int argc, char **) {
  sycl::queue queue;
  int *numbers = sycl::malloc_shared<int>(4, queue);
  queue.parallel_for(4, [=](sycl::id<1> i) {
    numbers[i] = i;
    assert(i != 2 || argc > 1);
  }).wait();
  std::printf("done\\n");
  sycl::free(numbers, queue);
}
"""


@pytest.mark.parametrize("fails", [True, False])
def test_host_program_is_aborted(tmp_path: Path, fails: bool) -> None:
    source, program = tmp_path / "main.cpp", tmp_path / "main"
    source.write_text(HOST)
    command = [executable, "-m", "dovetail", "c++", "-fsycl", source, "-o", program]
    run(command, check=True)
    ended = run([program] if fails else [program, "x"], capture_output=True, text=True, check=False)
    if fails:
        assert ended.returncode == -SIGABRT
        assert "main.cpp:10: " in ended.stderr
        assert "global id: [0,0,2]" in ended.stderr
        assert "Assertion `i != 2 || argc > 1` failed." in ended.stderr
        assert ended.stdout == ""
    else:
        assert ended.returncode == 0
        assert ended.stdout == "done\n"
