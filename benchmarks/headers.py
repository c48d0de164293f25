"""The overhead of the SYCL headers and the plugin in compilations."""

import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import dovetail
from benchmarks.figure import Figure, fastest
from dovetail.driver import BuildRequest, RunRequest, build_program, build_to_run
from dovetail.frontend import (
    Flags,
    Side,
    Source,
    compile_command,
    host_compile_command,
    precompiled_header,
)
from dovetail.resources import CLANG, tool_path

WITH_HEADER = """\
#include <sycl/sycl.hpp>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void iota(float start, float *out) {
  auto i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  out[i] = start + i;
}
"""
HOST_PROGRAM = Path(__file__).parents[1] / "examples/programs/vector_add_buffers.cpp"
STANDARD_HEADERS = """\
#include <functional>
#include <memory>
#include <string>
#include <vector>
int main() {}
"""
ONLY_STANDARD = """\
#include <iostream>
#include <vector>
int main() {
  std::vector<int> numbers(4, 1);
  std::cout << numbers[3] << "\\n";
}
"""
ONLY_OURS = ONLY_STANDARD.replace("#include", "#include <sycl/sycl.hpp>\n#include", 1)
WITHOUT_HEADER = """\
[[clang::sycl_external]] unsigned long id(int) __asm("_Z33__spirv_BuiltInGlobalInvocationIdi");
[[clang::sycl_external]] void iota(float start, float *out) {
  auto i = id(0);
  out[i] = start + i;
}
"""


def measure() -> list[Figure]:
    """Compare compilations of a trivial kernel with and without headers and plugin."""
    flags = Flags()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with_header = _source(folder / "with.cpp", WITH_HEADER)
        without = _source(folder / "without.cpp", WITHOUT_HEADER)
        build_program(BuildRequest((with_header,), flags))  # creates the precompiled header
        header = precompiled_header(Side.DEVICE, flags).path
        command = partial(compile_command, bitcode=folder / "k.bc", facts=folder / "k.json")
        bare = command(without, flags, header=None)
        plain = tuple(word for word in bare if not word.startswith("-fplugin"))
        precompiled, full, plugin, alone = fastest(
            [
                _run(command(with_header, flags, header=header)),
                _run(command(with_header, flags, header=None)),
                _run(bare),
                _run(plain),
            ],
            rounds=20,
        )
        host, standard = _host_times(folder, flags)
        first, later, known, new = _build_times(folder)
        no_kernel, program, clang = _command_times(folder)
    return [
        _figure("<sycl/sycl.hpp>, precompiled, plugin loaded : no header", precompiled, alone, 4),
        _figure("<sycl/sycl.hpp>, not precompiled : no header", full, alone, None),
        _figure("plugin loaded : not loaded, no header", plugin, alone, None),
        _figure("a host program, precompiled : four standard headers, not", host, standard, 2),
        _figure("dovetail c++ -c, no kernel : clang++ -c, two headers", no_kernel, clang, 1.8),
        _figure("dovetail c++ -c, a program : clang++ -c, two headers", program, clang, None),
        _figure("build, own headers and a macro first : our header first", later, first, 1.5),
        _figure("build, new include directory : known one", new, known, 1.2),
    ]


def _command_times(folder: Path) -> tuple[float, float, float]:
    """Return the times of our commands that compile to objects, for host and device, and clang's.

    Our sources include our header first: one is the same as clang's otherwise, the other one is a
    program with a kernel.
    """
    # As in an installed package, for which pip compiles bytecode.
    assert dovetail.__file__
    compileall.compile_dir(Path(dovetail.__file__).parent, quiet=2)
    count = 0

    def ours(text: str) -> Callable[[], object]:
        def run() -> object:
            nonlocal count
            count += 1
            # Each text is new, so that no step of the build is cached.
            (folder / "ours.cpp").write_text(f"{text}// {count}\n")
            command = [sys.executable, "-P", "-m", "dovetail", "c++", "-fsycl", "-c", "ours.cpp"]
            return subprocess.run(command, cwd=folder, check=True)

        return run

    (folder / "theirs.cpp").write_text(ONLY_STANDARD)
    theirs = (tool_path(CLANG), "-O2", "-std=c++17", "-c", "theirs.cpp", "-o", os.devnull)
    sides = [
        ours(ONLY_OURS),
        ours(HOST_PROGRAM.read_text()),
        lambda: subprocess.run(theirs, cwd=folder, check=True),
    ]
    no_kernel, program, clang = fastest(sides, rounds=15)
    return no_kernel, program, clang


def _build_times(folder: Path) -> tuple[float, float, float, float]:
    """Builds of a program that includes our header first, or after headers of its own."""
    text = HOST_PROGRAM.read_text()
    before = "#define SIZE_OF_TEST 3\n" + "".join(
        f'#include "own{number}.h"\n' for number in range(2)
    )
    for number in range(2):
        (folder / f"own{number}.h").write_text(
            f"#ifndef OWN{number}_H\n#define OWN{number}_H\nint own{number}();\n#endif\n"
        )
    count = 0

    def build(start: str, directory: str) -> Callable[[], object]:
        def run() -> object:
            nonlocal count
            count += 1
            # Each text is new, so that no step of the build is cached.
            source = _source(folder / "program.cpp", f"{start}{text}// {count}\n")
            options = (f"-I{directory.format(count)}",)
            return build_to_run(RunRequest((source,), Flags(include_directories=options)))

        return run

    known = str(folder)
    builds = [build("", known), build(before, known), build("", known), build("", f"{known}/{{}}")]
    first, later, same, new = fastest(builds, rounds=10)
    return first, later, same, new


def _host_times(folder: Path, flags: Flags) -> tuple[float, float]:
    """Return the times of a program's host code, and of a file with common standard headers."""
    program = Source.from_file(HOST_PROGRAM)
    build_to_run(RunRequest((program,), flags))  # creates the precompiled header
    header = precompiled_header(Side.HOST, flags).path
    standard = _source(folder / "standard.cpp", STANDARD_HEADERS)
    output = folder / "host.o"
    ours = host_compile_command(program, flags, header=header, output=output)
    plain = host_compile_command(standard, flags, header=None, output=output)
    bare = tuple(word for word in plain if not word.startswith(("-fplugin", "-fsycl")))
    host, base = fastest([_run(ours), _run(bare)], rounds=10)
    return host, base


def _source(path: Path, text: str) -> Source:
    path.write_text(text)
    return Source.from_file(path)


def _run(command: tuple[str, ...]) -> Callable[[], object]:
    return lambda: subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def _figure(name: str, seconds: float, base: float, at_most: float | None) -> Figure:
    measured = f"{1000 * seconds:.0f} ms : {1000 * base:.0f} ms"
    return Figure(name, seconds / base, measured, at_most)
