"""The time of `dovetail check`, compared with its clang runs only."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.figure import Figure, fastest
from dovetail.driver import CheckRequest, check_sources, dry_run
from dovetail.frontend import Source

FILES = 100
KERNELS = 10

HEAD = """\
#include <sycl/sycl.hpp>

template <typename T> static T polynomial(T x) { return ((x * T(3) + T(2)) * x + T(1)) * x; }
template <typename T> struct Pair {
  T first, second;
  T sum() const { return polynomial(first) + polynomial(second); }
};

"""


def measure() -> list[Figure]:
    """Compare the whole command with its clang commands without the plugin, on all cores."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"part{number}.cpp" for number in range(FILES)]
        for number, path in enumerate(paths):
            path.write_text(_text(number))
        request = CheckRequest(tuple(map(Source.from_file, paths)))
        check_sources(request)  # creates the precompiled header
        commands = [
            [word for word in job.command if not word.startswith("-fplugin")]
            for job in dry_run(request, folder)
            if job.step.runs_command
        ]
        check = [sys.executable, "-m", "dovetail", "check", "--json", *map(str, paths)]
        ours, clang = fastest([lambda: _run(check), lambda: _run_all(commands)], rounds=5)
    return [
        Figure(
            f"check on {FILES} files of {KERNELS} kernels each : the clang runs alone",
            ours / clang,
            f"{ours:.1f} s : {clang:.1f} s",
            1.2,
        )
    ]


def _text(number: int) -> str:
    """Return a source whose kernels call templates, some with double."""
    kernels = [
        f"  queue.parallel_for<class K{number}_{kernel}>(64, [=](sycl::id<1> i) {{\n"
        f"    {'double' if kernel % 3 == 0 else 'float'} x = out[i] + {kernel};\n"
        f"    out[i] = Pair<decltype(x)>{{x, polynomial(x)}}.sum();\n"
        "  });\n"
        for kernel in range(KERNELS)
    ]
    return f"{HEAD}void part{number}(sycl::queue &queue, float *out) {{\n{''.join(kernels)}}}\n"


def _run_all(commands: Sequence[Sequence[str]]) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(_run, commands))


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
