"""Objects with device code that other linkers link, and CMake projects with other compilers."""

import shutil
import subprocess
import sys
from pathlib import Path

import pybind11
import pytest
from patience import PATIENCE
from variants import variant

from dovetail.cli.main import main
from dovetail.version import __version__

pytestmark = pytest.mark.device

DOVETAIL = (sys.executable, "-m", "dovetail")
Capture = pytest.CaptureFixture[str]

# Kernels of each source, one of which calls a device function of the other.
SOURCES = {
    "kernels.cpp": """\
#include <sycl/sycl.hpp>
SYCL_EXTERNAL int twice(int x);
int compute(int x) {
  sycl::queue queue;
  int *number = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *number = twice(x) + 1; }).wait();
  int result = *number;
  sycl::free(number, queue);
  return result;
}
""",
    "functions.cpp": """\
#include <sycl/sycl.hpp>
SYCL_EXTERNAL int twice(int x) { return 2 * x; }
int other(int x) {
  sycl::queue queue;
  sycl::buffer<int> numbers(1);
  queue.submit([&](sycl::handler &group) {
    sycl::accessor access(numbers, group, sycl::write_only);
    group.single_task([=] { access[0] = twice(x); });
  });
  sycl::host_accessor access(numbers);
  return access[0];
}
""",
    "main.cpp": """\
#include <cstdio>
int compute(int x);
int other(int x);
int main() { std::printf("%d %d\\n", compute(20), other(4)); }
""",
}

PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(example LANGUAGES CXX)
find_package(Dovetail REQUIRED)
add_library(functions SHARED functions.cpp)
add_sycl_to_target(TARGET functions)
add_executable(app main.cpp kernels.cpp)
add_sycl_to_target(TARGET app SOURCES kernels.cpp)
target_link_libraries(app PRIVATE functions)
set_target_properties(app PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
install(TARGETS app functions)
"""


# pybind11 adds options for link-time optimization, and hides symbols.
EXTENSION_PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(extension LANGUAGES CXX)
find_package(Dovetail REQUIRED)
find_package(pybind11 CONFIG REQUIRED)
pybind11_add_module(computing module.cpp kernels.cpp functions.cpp)
add_sycl_to_target(TARGET computing SOURCES kernels.cpp functions.cpp)
install(TARGETS computing DESTINATION .)
"""
MODULE = """\
#include <pybind11/pybind11.h>
int compute(int x);
PYBIND11_MODULE(computing, module) { module.def("compute", &compute); }
"""


def run(*command: str | Path) -> str:
    finished = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (finished.returncode, finished.stderr) == (0, "")
    return finished.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sources."""
    made = tmp_path_factory.mktemp("linkers")
    for name, text in SOURCES.items():
        (made / name).write_text(text)
    return made


@pytest.fixture(scope="module")
def objects(folder: Path) -> list[Path]:
    flags = run(*DOVETAIL, "config", "--cflags").split()
    made: list[Path] = []
    for name in ("kernels", "functions"):
        made.append(folder / f"{name}.o")
        words = ("-c", folder / f"{name}.cpp", "-o", made[-1], "-MD", "-MF", folder / f"{name}.d")
        run(*DOVETAIL, "c++", *flags, *words)
    assert "sycl/queue.hpp" in (folder / "kernels.d").read_text()
    return made


def package_options(kind: str) -> list[str]:
    """Return what pkg-config prints about Dovetail."""
    path = run(*DOVETAIL, "config", "--pkgconfig-dir").strip()
    return run("env", f"PKG_CONFIG_PATH={path}", "pkg-config", kind, "dovetail").split()


@pytest.mark.skipif(not shutil.which("pkg-config"), reason="pkg-config is not installed")
def test_pkg_config(folder: Path, objects: list[Path]) -> None:
    assert package_options("--modversion") == [__version__]
    assert package_options("--cflags") == run(*DOVETAIL, "config", "--cflags").split()
    app = folder / "app-pkg-config"
    run("g++", folder / "main.cpp", *objects, *package_options("--libs"), "-o", app)
    assert run(app) == "41 8\n"


@pytest.mark.parametrize("linker", ["g++", variant("clang++-22")])
def test_another_linker_driver(
    folder: Path, objects: list[Path], linker: str, capsys: Capture
) -> None:
    libraries = run(*DOVETAIL, "config", "--libs").split()
    app = folder / f"app-{linker}"
    run(linker, folder / "main.cpp", *objects, *libraries, "-o", app)
    assert run(app) == "41 8\n"
    assert run(*DOVETAIL, "run", app) == "41 8\n"
    assert main(["inspect", str(app)]) == 0
    assert "2 images" in capsys.readouterr().out


def test_dovetail_as_linker(folder: Path, objects: list[Path]) -> None:
    app = folder / "app-dovetail"
    run(*DOVETAIL, "c++", "-fsycl", folder / "main.cpp", *objects, "-o", app)
    assert run(app) == "41 8\n"


@pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not installed")
def test_a_cmake_project_of_another_compiler(folder: Path) -> None:
    (folder / "CMakeLists.txt").write_text(PROJECT)
    package = run(*DOVETAIL, "config", "--cmake-dir").strip()
    build, installed = folder / "build", folder / "installed"
    options = (f"-DDovetail_DIR={package}", f"-DDovetail_BIN={Path(sys.executable).parent}")
    kind = ("-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "-S", folder, "-B", build, *kind, *options)
    run("cmake", "--build", build)
    assert run(build / "app") == "41 8\n"
    run("cmake", "--install", build, "--prefix", installed, "--strip")
    shutil.rmtree(build)
    assert run(installed / "bin" / "app") == "41 8\n"


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not installed")
def test_an_extension_module_in_a_cmake_project(folder: Path, tmp_path: Path) -> None:
    for name in ("kernels.cpp", "functions.cpp"):
        shutil.copy(folder / name, tmp_path)
    (tmp_path / "module.cpp").write_text(MODULE)
    (tmp_path / "CMakeLists.txt").write_text(EXTENSION_PROJECT)
    build, installed = tmp_path / "build", tmp_path / "installed"
    variables = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CXX_COMPILER": "g++",
        "Dovetail_BIN": str(Path(sys.executable).parent),
        "Dovetail_DIR": run(*DOVETAIL, "config", "--cmake-dir").strip(),
        "PYBIND11_FINDPYTHON": "NEW",
        "Python_EXECUTABLE": sys.executable,
        "pybind11_DIR": pybind11.get_cmake_dir(),
    }
    options = (f"-D{name}={value}" for name, value in variables.items())
    run("cmake", "-S", tmp_path, "-B", build, *options)
    run("cmake", "--build", build)
    run("cmake", "--install", build, "--prefix", installed, "--strip")
    shutil.rmtree(build)
    user = f"import sys; sys.path.insert(0, {str(installed)!r}); import computing"
    assert run(sys.executable, "-c", f"{user}; print(computing.compute(20))") == "41\n"


def test_a_launcher_leaves_other_commands_alone(folder: Path) -> None:
    assert run(*DOVETAIL, "compile", "echo", "-c", "main.cpp") == "-c main.cpp\n"


def test_nothing_to_print(capsys: Capture) -> None:
    assert main(["config"]) == 2
    assert "nothing was requested" in capsys.readouterr().err
    assert main(["compile"]) == 2
    assert "no compiler was given" in capsys.readouterr().err
