"""The cost of compile-time properties in compilations: their headers, and long lists."""

import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.figure import Figure, fastest
from dovetail.driver import BuildRequest, build_program
from dovetail.frontend import Flags, Side, Source, compile_command, precompiled_header

TRIVIAL = """\
#include <sycl/sycl.hpp>
void start(sycl::queue q, int *p) { q.parallel_for(8, [=](sycl::id<1> i) { p[i] = 1; }); }
"""

# The dependencies of the property headers, which <sycl/sycl.hpp> includes anyway.
BELOW = """\
#include <array>
#include <cstddef>
#include <cstdint>
#include <sycl/access/mode.hpp>
#include <sycl/access/placeholder.hpp>
#include <sycl/access/target.hpp>
#include <sycl/aspects.hpp>
#include <sycl/property_list.hpp>
#include <sycl/property/no_init.hpp>
#include <type_traits>
"""
PROPERTIES = """\
#include <sycl/ext/oneapi/accessor_property_list.hpp>
#include <sycl/ext/oneapi/annotated_ptr/annotated_ptr.hpp>
#include <sycl/ext/oneapi/kernel_properties/properties.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/ext/oneapi/property_list.hpp>
"""

LIST = """\
#include <sycl/sycl.hpp>
namespace exp = sycl::ext::oneapi::experimental;
template <int Number> struct numbered {{
  using key_t = numbered<Number>;
  static constexpr const char *meta_name = sycl::detail::number_text<Number>::value;
  static constexpr int meta_value = Number;
}};
template <int... Numbers> using list = decltype(exp::properties{{numbered<Numbers>()...}});
using upwards = list<{upwards}>;
static_assert(std::is_same_v<upwards, list<{downwards}>>);
static_assert(upwards::has_property<numbered<3>>() && !upwards::has_property<int>());
static_assert(upwards::get_property<numbered<5>>().meta_value == 5);
void start(sycl::queue q, int *p) {{ q.single_task(upwards(), [=] {{ *p = 1; }}); }}
"""


def measure() -> list[Figure]:
    """Compare the property headers with all others, and lists of 64 and 8 properties."""
    flags = Flags()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = partial(compile_command, bitcode=folder / "k.bc", facts=folder / "k.json")
        texts = {"all": TRIVIAL, "below": BELOW, "properties": BELOW + PROPERTIES}
        sources = [_source(folder / f"{name}.cpp", text) for name, text in texts.items()]
        everything, below, properties = fastest(
            [_run(command(source, flags, header=None)) for source in sources], rounds=10
        )
        lists = [_source(folder / f"{count}.cpp", _list(count)) for count in (64, 8)]
        build_program(BuildRequest((lists[1],), flags))  # creates the precompiled header
        header = precompiled_header(Side.DEVICE, flags).path
        long, short = fastest(
            [_run(command(source, flags, header=header)) for source in lists], rounds=20
        )
    others = everything - (properties - below)
    return [
        _figure("a trivial kernel : without the headers of properties", everything, others, 1.15),
        _figure("a list of 64 properties : of 8", long, short, 5),
    ]


def _list(count: int) -> str:
    numbers = [str(number) for number in range(count)]
    return LIST.format(upwards=", ".join(numbers), downwards=", ".join(reversed(numbers)))


def _source(path: Path, text: str) -> Source:
    path.write_text(text)
    return Source.from_file(path)


def _run(command: tuple[str, ...]) -> Callable[[], object]:
    return lambda: subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def _figure(name: str, seconds: float, base: float, at_most: float) -> Figure:
    measured = f"{1000 * seconds:.0f} ms : {1000 * base:.0f} ms"
    return Figure(name, seconds / base, measured, at_most)
