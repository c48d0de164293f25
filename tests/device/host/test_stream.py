"""Output of kernels by sycl::stream."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.device

SOURCES = Path(__file__).parent / "sources"
DOVETAIL = [sys.executable, "-m", "dovetail"]

TYPES = """\
4096 256
text c ab from memory
true false 123 -123 ff
1 (3, 4) [0.5] [(1, 2)]
0.0999756 1.5, 1.5 0.100098
545 | 542325, 645, 771, 1024 | 645, 1024 | 542325 | 0x84675, 0x285, 0x303, 0x400
542.3, -1 | true, false, true | 1, 255
{23}{11, 12, 13}{4, 5}
nd_range(global_range: {2, 4, 1}, local_range: {1, 2, 1}, offset: {0, 0, 0})
7
0 0xabc 0
    42|    ab|long|1
ff 3.14
5.000e-01
value 1
reference 2
external 3
tag t
item(range: {2, 3}, id: {1, 1}, offset: {0, 0})
nd_item(global_id: {1, 2, 3}, local_id: {1, 0, 1})
group(id: {0, 1, 1}, global_range: {4, 4, 4}, local_range: {2, 2, 2}, group_range: {2, 2, 2})
group
h_item(
  global item(range: {2}, id: {1})
  logical local item(range: {3}, id: {1})
  physical local item(range: {2}, id: {1})
)
"""
MANY = 3000
"""The number of work-items in `stream_statements.cpp`."""
ORDERED = [
    *(f"phase {number}" for number in range(4)),
    "out of order begins",
    *(f"o {number}" for number in range(5)),
    "out of order ends",
    "in order begins",
    *(f"i {number}" for number in range(5)),
    "in order ends",
    *(f"buffer {number}" for number in range(3)),
    "buffer is 3",
    "timed",
]

# No numbers of 8 bytes in floating point, and no atomic operations on any.
FLOATS = """
#include <sycl/sycl.hpp>
int main() {
  sycl::queue queue;
  if (queue.get_device().has(sycl::aspect::fp64))
    return 1;
  queue.submit([&](sycl::handler &handler) {
    sycl::stream out(1000, 100, handler);
    handler.parallel_for(3, [=](sycl::id<1> i) { out << 0.25f * i[0] << ' ' << i << sycl::endl; });
  }).wait();
}
"""


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [*DOVETAIL, "run", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


def test_numbers_in_every_format() -> None:
    finished = run(SOURCES / "stream_numbers.cpp")
    assert finished.returncode == 0
    printed, expected = finished.stdout.splitlines(), finished.stderr.splitlines()
    assert len(expected) == MANY * 3 // 10
    assert printed == expected


@pytest.mark.parametrize("level", [pytest.param("-O0", marks=pytest.mark.thorough), "-O2"])
def test_types_and_semantics(level: str) -> None:
    finished = run(level, SOURCES / "stream_types.cpp")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout == TYPES


def test_statements_are_units() -> None:
    finished = run(SOURCES / "stream_statements.cpp")
    assert (finished.returncode, finished.stderr) == (0, "")
    lines = finished.stdout.splitlines()
    units, rest = lines[: 4 * MANY], lines[4 * MANY :]
    expected = Counter(
        line
        for i in range(MANY)
        for line in (
            f"first {i} of {MANY}",
            f"upper {i}{' odd' * (i % 2)}",
            f"lower {i}",
            f"last {i} of {i:x}",
        )
    )
    assert Counter(units) == expected
    # The second stream is printed after the first, and lines without a flush between as one.
    assert not any(line.startswith("last") for line in units[: 3 * MANY])
    numbers = [line.split()[1] for line in units if line.startswith(("upper", "lower"))]
    assert numbers[::2] == numbers[1::2]
    assert rest[: len(ORDERED)] == ORDERED
    assert rest[-1] == "never waited for"
    # Of too much output there is what fits, and no more than a small stream's memory can hold.
    overflow = [line for line in rest if line.startswith("overflow")]
    assert 2 <= len(overflow) < 1000
    assert set(overflow[:-1]) <= {"overflow of few", "overflow of many"}


def test_floats_on_a_device_without_double(tmp_path: Path) -> None:
    source = tmp_path / "floats.cpp"
    source.write_text(FLOATS)
    finished = run(source, "--as", "intel_gpu_acm_g10")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert sorted(finished.stdout.splitlines()) == ["0 {0}", "0.25 {1}", "0.5 {2}"]


def test_other_families(tmp_path: Path) -> None:
    """The device code of the other families has all it needs."""
    targets = "-fsycl-targets=nvidia_gpu_sm_90,amd_gpu_gfx90a"
    source, program = SOURCES / "stream_types.cpp", tmp_path / "types"
    subprocess.run([*DOVETAIL, "c++", "-fsycl", targets, source, "-o", program], check=True)
    assert program.exists()
