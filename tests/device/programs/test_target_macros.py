"""Headers of a user's own that decide by the macros which the driver predefines for targets.

The first phase of the design of `if_architecture_is` is such a header: no macro is no support, and
`if constexpr` leaves out what is for other architectures.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.device

HEADER = """
#ifndef __SYCL_TARGET_INTEL_X86_64__
#define __SYCL_TARGET_INTEL_X86_64__ 0
#endif
#ifndef __SYCL_TARGET_INTEL_GPU_SKL__
#define __SYCL_TARGET_INTEL_GPU_SKL__ 0
#endif
namespace early {
enum class architecture { x86_64, intel_gpu_skl };
constexpr bool is_target[] = {__SYCL_TARGET_INTEL_X86_64__ == 1,
                              __SYCL_TARGET_INTEL_GPU_SKL__ == 1};
constexpr bool any_target = is_target[0] || is_target[1];
namespace detail {
template <architecture...> constexpr bool can_decide() { return any_target; }
} // namespace detail
template <architecture... Ones, typename Action> void if_architecture_is(Action action) {
  static_assert(detail::can_decide<Ones...>(),
                "The if_architecture_is function may only be used when AOT compiling with "
                "'-fsycl-targets=spir64_x86_64' or '-fsycl-targets=intel_gpu_*'");
  if constexpr ((is_target[static_cast<int>(Ones)] || ...))
    action();
}
} // namespace early
"""

PROGRAM = """
#include <cstdio>
#include <sycl/sycl.hpp>
#include "early.hpp"
using early::architecture;
int which() {
  int found = 0;
  early::if_architecture_is<architecture::x86_64>([&] { found += 1; });
  early::if_architecture_is<architecture::intel_gpu_skl>([&] { found += 2; });
  return found;
}
int main() {
  sycl::queue queue;
  int *found = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *found = which(); }).wait();
  std::printf("%d %d\\n", *found, which());
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "early.hpp").write_text(HEADER)
    source = tmp_path / "program.cpp"
    source.write_text(PROGRAM)
    return source


def dovetail(command: str, source: Path, *words: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "dovetail", command, *words, str(source)]
    return subprocess.run(line, capture_output=True, text=True)


BOTH = "-fsycl-targets=spir64_x86_64,intel_gpu_skl"


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["-fsycl-targets=spir64_x86_64"], "1 1\n"),
        ([BOTH, "-fsycl-device-if=macros"], "1 3\n"),
        pytest.param([BOTH, "-fsycl-device-if-resolve=early"], "1 3\n", marks=pytest.mark.thorough),
    ],
)
def test_device_code_sees_its_target_and_the_host_all(
    words: list[str], printed: str, program: Path
) -> None:
    done = dovetail("run", program, *words)
    assert (done.stdout, done.stderr) == (printed, "")


@pytest.mark.parametrize("command", ["run", "check"])
def test_code_that_targets_share_sees_none_and_one_message_says_what_to_do(
    command: str, program: Path
) -> None:
    done = dovetail(command, program, BOTH)
    assert done.returncode == 1
    assert done.stderr.count("may only be used when AOT compiling with") == 1
    assert (
        "dovetail: device code is compiled once for 'spir64_x86_64', 'intel_gpu_skl', so none of"
        " their macros is defined in it; with -fsycl-device-if=macros it is compiled for each"
    ) in done.stderr


def test_macros_are_not_advised_where_they_would_not_help(program: Path) -> None:
    done = dovetail("run", program, "-fsycl-targets=spir64,intel_gpu_skl")
    assert done.returncode == 1
    assert done.stderr.count("may only be used when AOT compiling with") == 1
    assert "-fsycl-device-if" not in done.stderr
