"""Reductions, optimized and not; their code for GPUs."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.device

SOURCE = Path(__file__).parent / "sources" / "reductions.cpp"


@pytest.mark.parametrize("level", [pytest.param("-O0", marks=pytest.mark.thorough), "-O2"])
def test_every_form(level: str) -> None:
    command = [sys.executable, "-m", "dovetail", "run", level, SOURCE]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "done\n", "")


FOR_GPUS = """
#include <sycl/sycl.hpp>
struct wide { double numbers[100]; };
int main() {
  sycl::queue q;
  auto *sum = sycl::malloc_shared<float>(20, q);
  auto *sums = sycl::malloc_shared<wide>(1, q);
  q.parallel_for(100, sycl::reduction(sum, sycl::plus<>()), [](sycl::id<1> i, auto &s) { s += i; });
  q.parallel_for(sycl::nd_range<2>({8, 8}, {4, 4}),
                 sycl::reduction(sycl::span<float, 8>(sum, 8), sycl::minimum<>()),
                 sycl::reduction(sums, [](const wide &left, const wide &) { return left; }),
                 [](sycl::nd_item<2> item, auto &s, auto &w) {
                   s[item.get_local_id(1)].combine(1.0f);
                   w.combine(wide());
                 });
}
"""


def test_code_for_gpus(tmp_path: Path) -> None:
    source, program = tmp_path / "gpus.cpp", tmp_path / "gpus"
    source.write_text(FOR_GPUS)
    targets = "-fsycl-targets=nvidia_gpu_sm_80,amd_gpu_gfx90a"
    dovetail = [sys.executable, "-m", "dovetail"]
    subprocess.run([*dovetail, "c++", "-fsycl", targets, source, "-o", program], check=True)
    shown = subprocess.run([*dovetail, "inspect", program], capture_output=True, text=True)
    assert shown.stdout.count("range_reduction") >= 4, shown.stdout
