"""The overhead of the plugin in device compilations."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figure import Figure, compare_processor_times
from dovetail.frontend import Flags, Source, compile_command

HEADERS = """\
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>
"""
KERNELS = """\
template <class Name, class Kernel>
[[clang::sycl_kernel_entry_point(Name)]] void run(Kernel kernel) { kernel(); }

template <class T> struct Point {
  T x, y;
  T dot(const Point &other) const { return x * other.x + y * other.y; }
};
template <class T> static T twice(T x) { return x + x; }

void start(float *p, double *q) {
  run<class a>([=] { *p = twice(*p) + 1; });
  run<class b>([=] { *q = twice(*q); });
  run<class c>([=] { *p = Point<float>{*p, 2}.dot({1, *p}); });
}
"""
TRIVIAL = """\
template <class Name, class Kernel>
[[clang::sycl_kernel_entry_point(Name)]] void run(Kernel kernel) { kernel(); }
void start(float *p) {
  run<class a>([=] { *p = 1; });
}
"""
PAIRS = 20


def measure() -> list[Figure]:
    """Compare the same compilations with and without the plugin."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        headers = folder / "headers.pch"
        _precompile(folder, headers)
        return [
            _figure(folder, "with standard headers", HEADERS + KERNELS, None, 1.05),
            _figure(folder, "with the same headers, precompiled", KERNELS, headers, 1.05),
            _figure(folder, "of a trivial kernel", TRIVIAL, None, 1.34),
        ]


def _precompile(folder: Path, output: Path) -> None:
    command = _command(folder, HEADERS, None)
    words = [word for word in command if word != "-emit-llvm"]
    words[words.index("-o") + 1] = str(output)
    subprocess.run([*words, "-Xclang", "-emit-pch"], check=True)


def _command(folder: Path, text: str, header: Path | None) -> Sequence[str]:
    path = folder / f"{len(text)}.cpp"
    path.write_text(text)
    bitcode, facts = folder / "k.bc", folder / "k.json"
    source = Source.from_file(path)
    return compile_command(source, Flags(), header=header, bitcode=bitcode, facts=facts)


def _figure(folder: Path, name: str, text: str, header: Path | None, at_most: float) -> Figure:
    command = _command(folder, text, header)
    plain = [word for word in command if not word.startswith("-fplugin")]
    title = f"plugin : clang alone, {name}"
    return compare_processor_times(title, command, plain, PAIRS, at_most)
