"""Broadcasts, votes, shuffles and the joint algorithms, on values of many kinds."""

import numpy as np
import pytest

import dovetail
from dovetail import NdRange, Program, Queue

pytestmark = pytest.mark.device

SOURCE = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
#define PROPERTY(N) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<N>))
#define ND(N) PROPERTY(N) [[sycl::reqd_sub_group_size(8)]]

struct point {
  point(short a, double b, char c) : a(a), b(b), c(c) {}
  short a;
  double b;
  char c;
};
struct block { long numbers[80]; }; // larger than what a work-group passes on at once

ND(2) void broadcasts(long *out) {
  auto item = ext::this_work_item::get_nd_item<2>();
  auto group = item.get_group();
  long own = item.get_local_linear_id();
  long *mine = out + own * 8;
  mine[0] = sycl::group_broadcast(group, own + 100);
  mine[1] = sycl::group_broadcast(group, own, 5);
  mine[2] = sycl::group_broadcast(group, own, sycl::id<2>(1, 2));
  mine[3] = sycl::group_broadcast(item.get_sub_group(), own, 2);
  mine[4] = sycl::group_broadcast(item.get_sub_group(), own, sycl::id<1>(1));
  point there = sycl::group_broadcast(group, point(own, own * 2, own * 3), 7);
  mine[5] = there.a * 10000 + long(there.b) * 100 + there.c;
  point near = sycl::group_broadcast(item.get_sub_group(), point(own, own * 2, own * 3), 1);
  mine[6] = near.a * 10000 + long(near.b) * 100 + near.c;
  block large;
  for (int i = 0; i < 80; ++i)
    large.numbers[i] = own * 100 + i;
  large = sycl::group_broadcast(group, large, 3);
  mine[7] = 0;
  for (int i = 0; i < 80; ++i)
    mine[7] += large.numbers[i];
}

template <typename Group> int votes(Group group, int value) {
  auto positive = [](int number) { return number > 0; };
  return sycl::any_of_group(group, value > 0) | sycl::all_of_group(group, value > 0) << 1 |
         sycl::none_of_group(group, value > 0) << 2 |
         sycl::any_of_group(group, value, positive) << 3 |
         sycl::all_of_group(group, value, positive) << 4 |
         sycl::none_of_group(group, value, positive) << 5;
}

ND(1) void vote(int *out, const int *values) {
  auto item = ext::this_work_item::get_nd_item<1>();
  int value = values[item.get_global_id(0)];
  int answers = votes(item.get_group(), value) | votes(item.get_sub_group(), value) << 8;
  out[item.get_global_id(0)] = answers;
}

ND(1) void exchanges(int *out, sycl::half *halves) {
  auto item = ext::this_work_item::get_nd_item<1>();
  auto group = item.get_sub_group();
  int own = item.get_global_id(0);
  int *mine = out + own * 6;
  mine[0] = sycl::shift_group_left(group, own);
  mine[1] = sycl::shift_group_right(group, own, 2);
  mine[2] = sycl::permute_group_by_xor(group, own, 3);
  mine[3] = sycl::select_from_group(group, own, (group.get_local_id() + 3) % 8);
  auto pair = sycl::permute_group_by_xor(group, sycl::vec<long, 2>(own, -own), 1);
  mine[4] = pair[0] - pair[1];
  auto three = sycl::reduce_over_group(group, sycl::marray<short, 3>(1, own, 2), sycl::plus<>());
  mine[5] = three[0] * 10000 + three[1] * 10 + three[2] / 2;
  halves[own] = sycl::shift_group_left(group, sycl::half(own + 0.5f));
}

template <typename Group> void joint(Group group, const int *first, int count, int *out) {
  const int *last = first + count;
  auto big = [](int number) { return number > 3; };
  int answers = sycl::joint_any_of(group, first, last, big) |
                sycl::joint_all_of(group, first, last, big) << 1 |
                sycl::joint_none_of(group, first, last, big) << 2;
  int sum = sycl::joint_reduce(group, first, last, sycl::plus<>());
  long from = sycl::joint_reduce(group, first, last, 1000L, sycl::plus<>());
  int greatest = sycl::joint_reduce(group, first, last, sycl::maximum<int>());
  int *end = sycl::joint_exclusive_scan(group, first, last, out + 5, sycl::plus<int>());
  end = sycl::joint_exclusive_scan(group, first, last, end, 7, sycl::plus<int>());
  end = sycl::joint_inclusive_scan(group, first, last, end, sycl::plus<int>());
  end = sycl::joint_inclusive_scan(group, first, last, end, sycl::bit_xor<>(), 7);
  if (group.leader()) {
    out[0] = answers;
    out[1] = sum;
    out[2] = from;
    out[3] = greatest;
    out[4] = end - out;
  }
}

ND(1) void joint_in_group(const int *first, int count, int *out) {
  joint(ext::this_work_item::get_nd_item<1>().get_group(), first, count, out);
}

ND(1) void joint_in_sub_group(const int *first, int count, int *out) {
  auto group = ext::this_work_item::get_nd_item<1>().get_sub_group();
  joint(group, first, count, out + group.get_group_linear_id() * (4 * count + 5));
}
"""


@pytest.fixture(scope="module")
def queue() -> Queue:
    return Queue()


@pytest.fixture(scope="module", params=[False, True], ids=["as is", "by steps"])
def program(request: pytest.FixtureRequest) -> Program:
    return dovetail.build(
        SOURCE, macros={"DOVETAIL_GROUPS_STEP_BY_STEP": None} if request.param else {}
    )


def test_broadcasts(queue: Queue, program: Program) -> None:
    out = np.zeros((24, 8), np.int64)
    queue.parallel_for(program["broadcasts"], NdRange((3, 8), (3, 8)), out).wait()
    own = np.arange(24)
    first = own // 8 * 8
    assert (out[:, 0] == 100).all()
    assert (out[:, 1] == 5).all()
    assert (out[:, 2] == 10).all()
    assert (out[:, 3] == first + 2).all()
    assert (out[:, 4] == first + 1).all()
    assert (out[:, 5] == 71421).all()
    assert (out[:, 6] == (first + 1) * 10203).all()
    assert (out[:, 7] == 300 * 80 + 79 * 40).all()


@pytest.mark.parametrize("size", [1, 8, 21])
@pytest.mark.parametrize("kind", ["none", "all", "first", "last", "all but one"])
def test_votes(queue: Queue, program: Program, size: int, kind: str) -> None:
    values = np.full(2 * size, 0 if kind in ("none", "first", "last") else 4, np.int32)
    values[{"first": 0, "last": -1, "all but one": size // 2}.get(kind, slice(0))] ^= 4
    out = np.zeros(2 * size, np.int32)
    queue.parallel_for(program["vote"], NdRange((2 * size,), (size,)), out, values).wait()

    def answers(members: slice) -> int:
        of = values[members] > 0
        return (int(of.any()) | int(of.all()) << 1 | int(not of.any()) << 2) * 0b1001

    for own in range(2 * size):
        group = own // size * size
        start = group + (own - group) // 8 * 8
        sub = slice(start, min(start + 8, group + size))
        assert out[own] == answers(slice(group, group + size)) | answers(sub) << 8


def test_exchanges(queue: Queue, program: Program) -> None:
    out, halves = np.zeros((32, 6), np.int32), np.zeros(32, np.float16)
    queue.parallel_for(program["exchanges"], NdRange((32,), (16,)), out, halves).wait()
    own = np.arange(32)
    place, first = own % 8, own // 8 * 8
    # What is shifted in from outside means nothing.
    assert (out[place < 7, 0] == own[place < 7] + 1).all()
    assert (out[place >= 2, 1] == own[place >= 2] - 2).all()
    assert (out[:, 2] == (own ^ 3)).all()
    assert (out[:, 3] == first + (place + 3) % 8).all()
    assert (out[:, 4] == 2 * (own ^ 1)).all()
    assert (out[:, 5] == 80000 + (8 * first + 28) * 10 + 8).all()
    assert (halves[place < 7] == own[place < 7] + 1.5).all()


@pytest.mark.parametrize("count", [0, 1, 19, 20, 71])
@pytest.mark.parametrize("kernel", ["joint_in_group", "joint_in_sub_group"])
def test_joint(queue: Queue, program: Program, kernel: str, count: int) -> None:
    values = (np.arange(count, dtype=np.int32) * 5 % 9 + 1).astype(np.int32)
    groups = 1 if kernel == "joint_in_group" else 3  # the third has four work-items
    out = np.zeros((groups, 4 * count + 5), np.int32)
    given = values if count else np.zeros(1, np.int32)  # no memory is empty
    queue.parallel_for(program[kernel], NdRange((20,), (20,)), given, count, out).wait()
    big = values > 3
    sums = np.cumsum(values)
    lowest = np.iinfo(np.int32).min
    wanted = [
        int(big.any()) | int(big.all()) << 1 | int(not big.any()) << 2,
        int(values.sum()),
        1000 + int(values.sum()),
        int(values.max(initial=lowest)),
        4 * count + 5,
        *(sums - values),
        *(sums - values + 7),
        *sums,
        *(np.bitwise_xor.accumulate(values) ^ 7),
    ]
    assert out.tolist() == [wanted] * groups
