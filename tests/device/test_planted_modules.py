"""A current directory full of other people's modules, programs and libraries: none of it is run.

Modules are planted under the name of everything that can be imported: the standard library, our
dependencies and theirs, and ourselves. Each leaves a mark as soon as it is loaded.
"""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from patience import PATIENCE
from precompiled_headers import copy_headers
from variants import variant

from dovetail.resources import CLANG, tool_path
from dovetail.settings import CACHE_DIR

pytestmark = pytest.mark.device

CHECKOUT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).with_name("dovetail")
"""Written by `setup/develop`."""

# Modules that Python itself looks for as it starts.
STARTED_WITH_PYTHON = ("sitecustomize", "usercustomize")

PROGRAMS = (
    *("clang++", "clang++-22", "ld.lld", "ld.lld-22", "llvm-objcopy", "llvm-objcopy-22"),
    *("spirv-val", "ocloc", "python", "python3", "nvidia/cuda_nvcc/bin/ptxas"),
)

# What drivers and compilers load by name. Not `libgcc_s.so.1`: a linker script names it, and lld
# looks for such files in the current directory.
LIBRARIES = (
    *("libdl.so.2", "librt.so.1", "libm.so.6", "libz.so.1", "libpthread.so.0", "libc.so.6"),
    *("libstdc++.so.6", "libOpenCL.so.1", "libigc.so.1", "libocloc.so", "libtbb.so.12"),
)

SOURCE = """\
#include <sycl/sycl.hpp>
int main() {
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(16, queue);
  queue.parallel_for(16, [=](sycl::id<1> i) { data[i] = i; }).wait();
  return data[15] == 15 ? 0 : 1;
}
"""

KERNEL = """\
#include <sycl/sycl.hpp>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))
void answer(int *data) { *data = 42; }
"""

LOAD_AND_RUN = """\
import sys
import dovetail, numpy
from dovetail.runtime import sandboxed_build
tried = []
try_build = sandboxed_build.try_build
sandboxed_build.try_build = lambda *parts: tried.append(1) or try_build(*parts)
data = numpy.zeros(1, numpy.int32)
queue = dovetail.Queue()
queue.single_task(dovetail.load(sys.argv[1])["answer"], data).wait()
assert data[0] == 42
assert tried, "code that nobody knows is tried in a child process"
"""

FUNCTION = "define void @f() {\n  ret void\n}\n"

AHEAD_OF_TIME = (
    "-fsycl-targets=x86_64,intel_gpu_acm_g10,nvidia_gpu_sm_90,amd_gpu_gfx1100",
    # One kind of CPU instead of all.
    *("-Xsycl-target-backend=x86_64", "-march=core-avx2"),
)


def _dependencies() -> set[str]:
    """Return the names of the distributions that Dovetail needs, directly or not."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    waiting = [*project["dependencies"], *project["optional-dependencies"]["cpu"]]
    found: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        name = re.match(r"[\w.-]+", requirement)
        if "extra ==" in requirement or not name or _normal(name[0]) in found:
            continue
        found.add(_normal(name[0]))
        try:
            waiting += requires(name[0]) or []
        except PackageNotFoundError:
            found.discard(_normal(name[0]))
    return found


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _importable() -> set[str]:
    """Return every name under which a module of Python's, ours or a dependency's is imported."""
    needed = _dependencies()
    assert {"numpy", "pyopencl", "pyyaml", "rich"} < needed
    third_party = {
        name
        for name, distributions in packages_distributions().items()
        if needed & set(map(_normal, distributions)) and name.isidentifier()
    }
    assert {"numpy", "pyopencl", "pytools", "yaml", "rich"} < third_party
    return {*sys.stdlib_module_names, *third_party, *STARTED_WITH_PYTHON, "dovetail"}


class Planted:
    """A directory in which commands run, and the marks of what they loaded from it."""

    def __init__(self, root: Path, form: str) -> None:
        self.directory = root / "current"
        self._marks = root / "marks"
        self.directory.mkdir()
        self._marks.mkdir()
        for name in _importable():
            file = self.directory / form.format(name)
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"open({str(self._marks / name)!r}, 'w').close()\n")
        for name in PROGRAMS:
            program = self.directory / name
            # A package may be planted there, and that does as well.
            program.parent.mkdir(parents=True, exist_ok=True)
            mark = self._marks / program.name
            program.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n")
            program.chmod(0o700)
        self._plant_libraries()
        (self.directory / "prog.cpp").write_text(SOURCE)
        (self.directory / "k.cpp").write_text(KERNEL)
        (self.directory / "function.ll").write_text(FUNCTION)

    def _plant_libraries(self) -> None:
        mark = self._marks / "library"
        code = f'__attribute__((constructor)) void mark() {{ fclose(fopen("{mark}", "w")); }}\n'
        first, *others = (self.directory / name for name in LIBRARIES)
        words = ["-shared", "-fPIC", "-x", "c", "-", "-o", str(first)]
        source = f"#include <stdio.h>\n{code}"
        subprocess.run([tool_path(CLANG), *words], input=source, text=True, check=True)
        for other in others:
            other.write_bytes(first.read_bytes())

    def run(self, *command: str | Path, cache: Path | None = None) -> None:
        for mark in self._marks.iterdir():
            mark.unlink()
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        if cache:
            environment[CACHE_DIR.variable] = str(cache)
        finished = subprocess.run(
            command,
            cwd=self.directory,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        loaded = sorted(mark.name for mark in self._marks.iterdir())
        assert not loaded, f"{command} ran {loaded}"
        assert finished.returncode == 0, f"{command}\n{finished.stdout}{finished.stderr}"


@pytest.fixture(scope="module", params=["{}.py", "{}/__init__.py"], ids=["modules", "packages"])
def planted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return Planted(tmp_path_factory.mktemp("planted"), request.param)


@pytest.fixture(params=["development", "installed"])
def command(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The command `dovetail`: ours for development, and one as pip writes it."""
    if request.param == "development":
        return COMMAND
    script = tmp_path / "bin" / "dovetail"
    script.parent.mkdir()
    script.write_text(
        f"#!{sys.executable}\n"
        "import re\nimport sys\n"
        "from dovetail.cli.entry import dovetail\n"
        "if __name__ == '__main__':\n"
        "    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])\n"
        "    sys.exit(dovetail())\n"
    )
    script.chmod(0o700)
    return script


def test_the_plants_are_live(planted: Planted) -> None:
    """What a Python that was told to import from there does."""
    with pytest.raises(AssertionError, match=r"ran \['numpy'\]"):
        planted.run(sys.executable, "-c", "import numpy")
    with pytest.raises(AssertionError, match=r"ran \['ptxas'\]"):
        planted.run("./nvidia/cuda_nvcc/bin/ptxas")
    load = "import ctypes; ctypes.CDLL('./librt.so.1')"
    with pytest.raises(AssertionError, match=r"ran \['library'\]"):
        planted.run(sys.executable, "-I", "-c", load)


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "devices",
        variant("targets"),
        variant("cache"),
        "check prog.cpp --targets intel_gpu_acm_g10",
        variant("opt -p optimize function.ll"),
        "post-link function.ll -o out.table",
        "run prog.cpp",
    ],
)
def test_commands(planted: Planted, command: Path, words: str) -> None:
    planted.run(command, *words.split())


@pytest.fixture
def new_cache(tmp_path: Path, own_cache: Path) -> Path:
    """A cache with nothing but precompiled headers."""
    copy_headers(own_cache, tmp_path / "cache")
    return tmp_path / "cache"


def test_objects_are_linked_and_looked_at(planted: Planted, new_cache: Path) -> None:
    # With a cache of its own, device code of the object is tried in a child process.
    planted.run(COMMAND, "c++", "-fsycl", "-c", "prog.cpp", "-o", "prog.o")
    link = ["c++", "-fsycl", "prog.o", "-o", "linked"]
    planted.run(COMMAND, *link, cache=new_cache)
    planted.run(COMMAND, "inspect", "linked")
    planted.run("./linked", cache=new_cache)


@pytest.mark.parametrize("planted", ["{}.py"], indirect=True, ids=["modules"])
def test_headers_are_precompiled(planted: Planted, tmp_path: Path) -> None:
    words = ["c++", "-fsycl", "-O0", "prog.cpp", "-o", "prog"]
    planted.run(COMMAND, *words, cache=tmp_path / "cache")


def test_ahead_of_time(planted: Planted, new_cache: Path) -> None:
    """With nothing known of the compilers, so that all of them are asked and started."""
    words = ["c++", "-fsycl", *AHEAD_OF_TIME, "prog.cpp", "-o", "ahead"]
    planted.run(COMMAND, *words, cache=new_cache)
    planted.run("./ahead", cache=new_cache)


def test_isolated_scripts(planted: Planted, tmp_path: Path) -> None:
    planted.run(COMMAND, "c++", "-fsycl", "-fsyclbin", "k.cpp", "-o", "k.syclbin")
    script = tmp_path / "script.py"
    script.write_text(LOAD_AND_RUN)
    planted.run(sys.executable, "-I", script, "k.syclbin", cache=tmp_path / "cache")


def test_scripts_elsewhere(planted: Planted, tmp_path: Path) -> None:
    """Python puts a script's own directory first, not the one in which it is started."""
    script = tmp_path / "script.py"
    script.write_text("import dovetail\nprint(dovetail.devices())\n")
    planted.run(sys.executable, script)
