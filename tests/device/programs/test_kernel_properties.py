"""Properties at work: kernels run as they require, or are refused, as with attributes."""

import subprocess
import sys
from pathlib import Path

import pytest
from designs import Design

pytestmark = pytest.mark.device

PROGRAM = r"""
#include <sycl/sycl.hpp>
#include <cstdio>
namespace exp = sycl::ext::oneapi::experimental;
namespace oneapi = sycl::ext::oneapi;

struct invented {
  using key_t = invented;
  static constexpr const char *meta_name = "invented-here", *meta_value = "1";
};
struct by_member {
  int *p;
  static constexpr auto properties =
      oneapi::property_list{oneapi::sub_group_size_v<8>, invented()};
  void operator()(sycl::nd_item<1> item) const {
    p[item.get_global_id(0)] = item.get_sub_group().get_max_local_range()[0];
  }
};
struct by_get {
  int *p;
  auto get(exp::properties_tag) const { return exp::properties{exp::work_group_size<2, 8>}; }
  void operator()(sycl::item<2> item) const { p[item.get_linear_id()] = 3; }
};
class needs_accelerator;
class in_groups;
class no_sub_group;

template <typename Function> void attempt(const char *what, Function function) {
  try {
    function();
    std::printf("%s: ran\n", what);
  } catch (const sycl::exception &e) {
    std::printf("%s: %s\n", what, e.what());
  }
}

int main() {
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(64, q);
  attempt("given", [&] {
    q.parallel_for(sycl::nd_range<1>(32, 32), exp::properties{exp::sub_group_size<16>},
                   [=](sycl::nd_item<1> item) {
                     p[item.get_global_id(0)] = item.get_sub_group().get_max_local_range()[0];
                   }).wait();
    std::printf("%d ", p[31]);
  });
  attempt("member", [&] {
    q.parallel_for(sycl::nd_range<1>(32, 32), by_member{p}).wait();
    std::printf("%d ", p[31]);
  });
  attempt("get", [&] {
    q.parallel_for({4, 8}, by_get{p}).wait();
    std::printf("%d ", p[31]);
  });
  attempt("hint", [&] {
    q.submit([&](sycl::handler &h) {
      h.single_task(exp::properties{exp::work_group_size_hint<4>, invented()}, [=] { *p = 7; });
    }).wait();
    std::printf("%d ", *p);
  });
  attempt("aspect", [&] {
    q.single_task<needs_accelerator>(exp::properties{exp::device_has<sycl::aspect::accelerator>},
                                     [=] { *p = 1; });
  });
  attempt("other size", [&] {
    q.parallel_for<in_groups>(sycl::nd_range<1>(64, 16), exp::properties{exp::work_group_size<32>},
                              [=](sycl::nd_item<1>) { *p = 1; });
  });
  attempt("sub-group", [&] {
    q.parallel_for<no_sub_group>(8, exp::properties{exp::sub_group_size<128>},
                                 [=](sycl::id<1>) { *p = 1; });
  });
  int data[8] = {};
  {
    sycl::buffer<int> b(data, 8);
    q.submit([&](sycl::handler &h) {
      sycl::accessor to(b, h, oneapi::property_list{oneapi::no_alias_v, invented()});
      h.parallel_for(8, [=](sycl::id<1> i) { to[i] = i[0] + 1; });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor part(b, h, sycl::range<1>(2), sycl::id<1>(3), sycl::write_only,
                          oneapi::accessor_property_list{oneapi::no_alias, sycl::no_init});
      h.fill(part, 9);
    });
  }
  for (int each : data)
    std::printf("%d ", each);
  q.wait();
  sycl::free(p, q);
}
"""


def test_kernels_and_accessors_with_properties(tmp_path: Path, design: Design) -> None:
    source = tmp_path / "properties.cpp"
    source.write_text(PROGRAM)
    command = [sys.executable, "-m", "dovetail", "run", design.option, str(source)]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert (finished.returncode, finished.stderr) == (0, "")
    lines = finished.stdout.splitlines()
    assert lines[:4] == ["16 given: ran", "8 member: ran", "3 get: ran", "7 hint: ran"]
    assert lines[4].startswith("aspect: kernel 'needs_accelerator' cannot run on ")
    assert "it needs aspect 'accelerator'" in lines[4]
    assert lines[5].endswith("aspect 'accelerator' is needed here: listed by property 'device_has'")
    line = next(n for n, text in enumerate(PROGRAM.split("\n"), 1) if "[=] { *p = 1; });" in text)
    assert f"{source}:{line}:" in lines[5]
    told = "kernel 'in_groups' requires work-groups of 32, and is launched in work-groups of 16"
    assert f"other size: {told}" in lines
    (sub_group,) = (line for line in lines if line.startswith("sub-group: "))
    assert "kernel 'no_sub_group' cannot run on " in sub_group
    assert "it needs sub-groups of 128" in sub_group
    assert lines[-1] == "1 2 3 9 9 6 7 8 "
