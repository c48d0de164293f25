"""Pointers and accessors with properties read and write as those without do."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.device

PROGRAM = r"""
#include <sycl/sycl.hpp>
#include <cstdio>
#include <numeric>
namespace exp = sycl::ext::oneapi::experimental;
namespace oneapi = sycl::ext::oneapi;

struct foo {
  template <int N> struct value_t {
    using key_t = foo;
    static constexpr const char *meta_name = "my-foo";
    static constexpr int meta_value = N;
  };
};
template <int N> inline constexpr foo::value_t<N> foo_v;
struct point { int x, y; };

template <typename... Properties>
using seeds_accessor = sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device,
                                      sycl::access::placeholder::false_t,
                                      oneapi::property_list_t<Properties...>>;

int *numbers(sycl::queue &q, int count) {
  int *memory = sycl::malloc_shared<int>(count, q);
  std::iota(memory, memory + count, 0);
  return memory;
}

void pointers(sycl::queue &q) {
  // What has no_alias has memory of its own.
  int *memory = numbers(q, 12), *second = numbers(q, 1), *third = numbers(q, 8);
  auto *place = sycl::malloc_shared<point>(1, q);
  exp::annotated_ptr p(memory, exp::properties{exp::no_alias, foo_v<32>});
  exp::annotated_ptr aligned(exp::annotated_ptr(second, exp::no_alias, foo_v<32>),
                             exp::properties{exp::alignment<4>});
  static_assert(aligned.has_property<exp::alignment_key>());
  static_assert(aligned.get_property<foo>().meta_value == 32);
  static_assert(sizeof(p) == sizeof(void *));
  oneapi::annotated_ptr<int, oneapi::property_list_t<foo::value_t<1>>> seed(third);
  exp::annotated_ptr<point> ptr(place);
  q.single_task([=] {
    auto r = p;
    r[0] = 5;
    *++r += 10;
    r[1] = r[0];
    (*(r + 3))++;
    seed[7] = *r * 2 + seed[3];
    *aligned = *aligned + 1;
    p[9] = p[8];
    p[10] = p[0] == 5 ? 1 : 0;
    ptr->x = 3;
    *ptr = point{ptr->x, 4};
  }).wait();
  for (int i = 0; i < 12; ++i)
    std::printf("%d ", memory[i]);
  std::printf("| %d %d %d %d\n", *second, third[7], place->x, place->y);
}

void accessors(sycl::queue &q) {
  int data[8] = {}, source[8];
  std::iota(source, source + 8, 10);
  {
    sycl::buffer<int> b(data, 8), s(source, 8);
    q.submit([&](sycl::handler &h) {
      sycl::accessor to(b, h, oneapi::property_list{oneapi::no_alias_v, foo_v<32>});
      sycl::accessor from(s, h, sycl::read_only, exp::properties{exp::no_alias});
      static_assert(!std::is_same_v<decltype(to), sycl::accessor<int>>);
      h.parallel_for(8, [=](sycl::id<1> i) { to[i] = i + from[i]; });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor part(b, h, sycl::range<1>(4), sycl::write_only,
                          oneapi::accessor_property_list{oneapi::no_alias, sycl::no_init});
      h.fill(part, 9);
    });
    q.submit([&](sycl::handler &h) {
      seeds_accessor<foo::value_t<1>> one(b, h, sycl::range<1>(1),
                                          oneapi::property_list{foo_v<1>});
      h.single_task([=] { one[0] += 1; });
    });
  }
  for (int number : data)
    std::printf("%d ", number);
  std::puts("");
}

int main() {
  sycl::queue q;
  pointers(q);
  accessors(q);
}
"""


def test_as_without_properties(tmp_path: Path) -> None:
    source = tmp_path / "annotated.cpp"
    source.write_text(PROGRAM)
    command = [sys.executable, "-m", "dovetail", "run", source]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout == "5 11 11 3 5 5 6 7 8 8 1 11 | 1 25 3 4\n10 9 9 9 18 20 22 24 \n"
