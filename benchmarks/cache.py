"""The time of loading built code from the cache, compared with building it."""

import os
import tempfile
from dataclasses import dataclass
from typing import cast
from unittest.mock import patch

import dovetail
from benchmarks.figure import Figure, fastest
from dovetail.runtime.opencl.device import OpenCLDevice
from dovetail.settings import CACHE, CACHE_DIR

HEADER = """\
#include <sycl/sycl.hpp>
namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;
"""
KERNEL = """\
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void kernel{number}(float *a, const float *b, int n) {{
  auto item = syclext::this_work_item::get_nd_item<1>();
  auto tile = syclext::group_local_memory_for_overwrite<float[64]>(item.get_group());
  size_t i = item.get_global_id(0), l = item.get_local_id(0);
  float sum = a[i];
  for (int j = 0; j < n; ++j) {{
    (*tile)[l] = b[(i + j) % n];
    sycl::group_barrier(item.get_group());
    sum = sycl::fma((*tile)[63 - l], sycl::sin(sum), {number}.5f);
    sycl::group_barrier(item.get_group());
  }}
  a[i] = sum;
}}
"""
LINE = """\
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void kernel0(float *a) {
  a[syclext::this_work_item::get_nd_item<1>().get_global_id(0)] *= 2;
}
"""


@dataclass(frozen=True)
class Case:
    """A program, and the minimum ratio of building to loading."""

    name: str
    kernels: str
    at_least: float | None


CASES = (
    Case("12 kernels", "".join(KERNEL.format(number=number) for number in range(12)), 10),
    Case("one small kernel", KERNEL.format(number=0), 10),
    # The driver compiles it almost at once; the rest takes as long either way.
    Case("a kernel of one line", LINE, None),
)
ROUNDS = 15


def measure() -> list[Figure]:
    """Measure the time from a loaded program to a launchable kernel, on an open device."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {CACHE_DIR.variable: folder, CACHE.variable: "on"}
        with patch.dict(os.environ, settings):
            return [_figure(case) for case in CASES]


def _figure(case: Case) -> Figure:
    data = dovetail.build(HEADER + case.kernels).to_bytes()
    programs = [dovetail.Program.from_bytes(data) for _ in range(2 * ROUNDS + 1)]
    new_devices = [open_device() for _ in programs]

    def prepare(cache: str) -> None:
        """Prepare a kernel as in a new process, without code built for the device."""
        os.environ[CACHE.variable] = cache
        programs.pop()["kernel0"].launch_on(new_devices.pop())

    prepare("on")
    building, taking = fastest([lambda: prepare("off"), lambda: prepare("on")], ROUNDS)
    measured = f"{1000 * building:.1f} ms : {1000 * taking:.2f} ms"
    name = f"building {case.name} : from the cache"
    return Figure(name, building / taking, measured, at_least=case.at_least)


def open_device() -> dovetail.Device:
    """Return a device with an open context, for which nothing has been built."""
    native = OpenCLDevice(cast(OpenCLDevice, dovetail.devices()[0].native).handle)
    native.open_queue()
    return dovetail.Device(native)
