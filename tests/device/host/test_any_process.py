"""Shared libraries with device code in processes that Dovetail did not start."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pybind11
import pytest
from patience import PATIENCE

from dovetail.interpreter import shared_library, this_interpreter

pytestmark = pytest.mark.device

DOVETAIL = (sys.executable, "-m", "dovetail")
Finished = subprocess.CompletedProcess[str]

LIBRARY = """\
#include <string>
#include <sycl/sycl.hpp>

static std::string message;

extern "C" int triple(int x) try {
  sycl::queue queue;
  int *p = sycl::malloc_shared<int>(1, queue);
  *p = x;
  queue.single_task([=] { *p *= 3; }).wait();
  int result = *p;
  sycl::free(p, queue);
  return result;
} catch (const sycl::exception &e) {
  message = e.what();
  return -1;
}

extern "C" const char *why() { return message.c_str(); }
"""

C_PROGRAM = """\
#include <stdio.h>
int triple(int);
const char *why(void);
int main(void) {
  int result = triple(4);
  printf("%d %s\\n", result, why());
  return 0;
}
"""

EMBEDDING_PROGRAM = """\
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *python = dlopen(argv[1], RTLD_NOW | MODE);
  if (argc == 3)
    ((void (*)(int))dlsym(python, "Py_InitializeEx"))(0);
  void *library = dlopen(argv[2], RTLD_NOW);
  int result = ((int (*)(int))dlsym(library, "triple"))(4);
  printf("%d %s\\n", result, ((const char *(*)(void))dlsym(library, "why"))());
  fflush(stdout);
  ((int (*)(const char *))dlsym(python, "PyRun_SimpleString"))("print('still here')");
  return ((int (*)(void))dlsym(python, "Py_FinalizeEx"))();
}
"""

# Opens the library twice, forks before and after its first use, and uses it in a thread.
LOADING_PROGRAM = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static int triple(const char *path, int x) {
  void *library = dlopen(path, RTLD_NOW);
  int result = reinterpret_cast<int (*)(int)>(dlsym(library, "triple"))(x);
  dlclose(library);
  return result;
}

static int together(const char *path) {
  std::thread threads[8];
  int results[8];
  for (int i = 0; i < 8; ++i)
    threads[i] = std::thread([=, &results] { results[i] = triple(path, i); });
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    threads[i].join();
    sum += results[i];
  }
  return sum;
}

int main(int, char **argv) {
  if (!std::strcmp(argv[2], "together"))
    return together(argv[1]);
  void *kept = std::strcmp(argv[2], "kept") ? nullptr : dlopen(argv[1], RTLD_NOW);
  if (!fork())
    std::exit(triple(argv[1], 5));
  int status = 0;
  wait(&status);
  std::printf("%d in the child\\n", WEXITSTATUS(status));
  for (int x = 1; x < 3; ++x)
    std::printf("%d\\n", triple(argv[1], x));
  std::thread([&] { std::printf("%d in a thread\\n", triple(argv[1], 3)); }).join();
  if (kept)
    std::exit(triple(argv[1], 4));
  return 0;
}
"""

# The object lives until Python ends; a host task needs Python's lock, which its caller may hold.
EXTENSION = """\
#include <pybind11/pybind11.h>
#include <sycl/sycl.hpp>

struct counter {
  sycl::queue queue;
  sycl::buffer<int> numbers{1};
  counter() {
    sycl::host_accessor access(numbers);
    access[0] = 0;
  }
  int add(int more) {
    queue.submit([&](sycl::handler &group) {
      sycl::accessor access(numbers, group);
      group.single_task([=] { access[0] += more; });
    });
    queue.submit([&](sycl::handler &group) {
      sycl::accessor access(numbers, group, sycl::read_write_host_task);
      group.host_task([=] { access[0] += 100; });
    });
    sycl::host_accessor access(numbers);
    return access[0];
  }
};

PYBIND11_MODULE(counting, module) {
  pybind11::class_<counter>(module, "counter")
      .def(pybind11::init<>())
      .def("add", &counter::add)
      .def("add_unlocked", &counter::add, pybind11::call_guard<pybind11::gil_scoped_release>());
}
"""

NANOBIND_EXTENSION = """\
#include <nanobind/nanobind.h>
#include <sycl/sycl.hpp>
int twice(int x) {
  sycl::queue queue;
  int *number = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *number = 2 * x; }).wait();
  return *number;
}
NB_MODULE(doubling, module) {
  module.def("twice", &twice);
  module.def("twice_unlocked", &twice, nanobind::call_guard<nanobind::gil_scoped_release>());
}
"""

EXTENSION_USER = """\
import sys, threading
sys.path.insert(0, sys.argv[1])
import counting
kept = counting.counter()
print(kept.add(1), kept.add_unlocked(2))
own = [counting.counter() for _ in range(4)]
add = lambda one, name: [getattr(one, name)(3) for _ in range(20)]
names = ["add", "add_unlocked"] * 2
threads = [threading.Thread(target=add, args=pair) for pair in zip(own, names)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(*(one.add(0) for one in own))
"""

PYTHON_PROGRAM = """\
import ctypes, signal, sys
handler = signal.getsignal(signal.SIGINT)
library = ctypes.CDLL(sys.argv[1])
library.why.restype = ctypes.c_char_p
print(library.triple(5), library.why().decode())
assert signal.getsignal(signal.SIGINT) is handler
"""


# `PyDLL` keeps Python's lock while it calls a function.
THREADS_PROGRAM = """\
import ctypes, sys
from concurrent.futures import ThreadPoolExecutor
libraries = [kind(sys.argv[1]) for kind in (ctypes.CDLL, ctypes.PyDLL)]
with ThreadPoolExecutor(8) as pool:
    print(sum(pool.map(lambda i: libraries[i % 2].triple(i), range(8))))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the library."""
    made = tmp_path_factory.mktemp("any")
    (made / "lib.cpp").write_text(LIBRARY)
    words = ("c++", "-fsycl", "-shared", made / "lib.cpp", "-o", made / "libtriple.so")
    subprocess.run([*DOVETAIL, *words], check=True)
    return made


Run = Callable[..., Finished]


def run(*command: str | Path, environment: Mapping[str, str] = os.environ) -> Finished:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env=environment
    )


@pytest.mark.parametrize("compiler", ["gcc", "clang-22"])
def test_a_c_program(folder: Path, compiler: str) -> None:
    (folder / "c.c").write_text(C_PROGRAM)
    rpath = "-Wl,-rpath,$ORIGIN"
    command = [compiler, folder / "c.c", "-o", folder / "c", f"-L{folder}", "-ltriple", rpath]
    subprocess.run(command, check=True)
    finished = run(folder / "c")
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "12 \n", "")


@pytest.fixture(scope="module")
def loading(folder: Path) -> Path:
    """A program of g++ that loads the library."""
    (folder / "loading.cpp").write_text(LOADING_PROGRAM)
    command = ["g++", folder / "loading.cpp", "-o", folder / "loading", "-ldl", "-pthread"]
    subprocess.run(command, check=True)
    return folder / "loading"


def test_a_library_that_comes_and_goes(folder: Path, loading: Path) -> None:
    finished = run(loading, folder / "libtriple.so", "unloaded")
    assert finished.stdout == "15 in the child\n3\n6\n9 in a thread\n"
    assert (finished.returncode, finished.stderr) == (0, "")


def test_a_library_that_stays_to_the_end(folder: Path, loading: Path) -> None:
    finished = run(loading, folder / "libtriple.so", "kept")
    assert finished.stdout == "15 in the child\n3\n6\n9 in a thread\n"
    assert (finished.returncode, finished.stderr) == (12, "")


def test_a_first_use_by_many_threads(folder: Path, loading: Path) -> None:
    finished = run(loading, folder / "libtriple.so", "together")
    assert (finished.returncode, finished.stdout, finished.stderr) == (84, "", "")


def python(script: str, folder: Path, interpreter: str = sys.executable) -> Finished:
    return run(interpreter, "-c", script, folder / "libtriple.so")


def test_dovetails_own_python(folder: Path) -> None:
    finished = python(PYTHON_PROGRAM, folder)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "15 \n", "")


def test_threads_with_and_without_pythons_lock(folder: Path) -> None:
    finished = python(THREADS_PROGRAM, folder)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "84\n", "")


@pytest.mark.skipif(not shared_library(), reason="this Python has no shared library")
@pytest.mark.parametrize("mode", ["RTLD_LOCAL", "RTLD_GLOBAL"])
def test_a_program_with_an_interpreter_of_its_own(folder: Path, mode: str) -> None:
    (folder / "embedding.c").write_text(EMBEDDING_PROGRAM.replace("MODE", mode))
    subprocess.run(["gcc", folder / "embedding.c", "-o", folder / "embedding"], check=True)
    finished = run(folder / "embedding", shared_library(), folder / "libtriple.so")
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "12 \nstill here\n", "")


@pytest.mark.skipif(not shared_library(), reason="this Python has no shared library")
def test_a_python_library_that_nobody_has_initialized(folder: Path) -> None:
    (folder / "early.c").write_text(EMBEDDING_PROGRAM.replace("MODE", "RTLD_GLOBAL"))
    subprocess.run(["gcc", folder / "early.c", "-o", folder / "early"], check=True)
    finished = run(folder / "early", shared_library(), folder / "libtriple.so", "not now")
    expected = (
        "-1 no SYCL runtime: this process has loaded a Python library that is not initialized"
    )
    assert finished.stdout.startswith(expected)


def test_a_python_that_has_used_devices(folder: Path) -> None:
    finished = python("import dovetail; dovetail.Queue()\n" + PYTHON_PROGRAM, folder)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "15 \n", "")


@pytest.fixture(scope="module")
def extension(folder: Path) -> Path:
    """The folder of an extension module."""
    (folder / "counting.cpp").write_text(EXTENSION)
    includes = [f"-I{path}" for path in (pybind11.get_include(), sysconfig.get_path("include"))]
    words = ("c++", "-fsycl", "-shared", "-fvisibility=hidden", *includes, folder / "counting.cpp")
    output = folder / f"counting{sysconfig.get_config_var('EXT_SUFFIX')}"
    subprocess.run([*DOVETAIL, *words, "-o", output], check=True)
    return folder


def test_an_extension_module(extension: Path) -> None:
    finished = run(sys.executable, "-c", EXTENSION_USER, extension)
    assert finished.stdout == "101 203\n2160 2160 2160 2160\n"
    assert (finished.returncode, finished.stderr) == (0, "")


@pytest.mark.thorough
def test_a_nanobind_module(folder: Path) -> None:
    (folder / "doubling.cpp").write_text(NANOBIND_EXTENSION)
    nanobind = Path(sysconfig.get_path("purelib"), "nanobind")
    folders = ("include", "ext/robin_map/include", sysconfig.get_path("include"))
    includes = [f"-I{nanobind / path}" for path in folders]
    library = nanobind / "src" / "nb_combined.cpp"
    command = ["clang++-22", "-std=c++17", "-fPIC", "-O0", "-c", library, "-o", folder / "nb.o"]
    subprocess.run([*command, *includes], check=True)
    words = ("-shared", "-fvisibility=hidden", *includes, folder / "doubling.cpp", folder / "nb.o")
    output = folder / f"doubling{sysconfig.get_config_var('EXT_SUFFIX')}"
    subprocess.run([*DOVETAIL, "c++", "-fsycl", *words, "-o", output], check=True)
    user = "import sys; sys.path.insert(0, sys.argv[1]); import doubling"
    user += "; print(doubling.twice(4), doubling.twice_unlocked(5))"
    finished = run(sys.executable, "-c", user, folder)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "8 10\n", "")


def other_pythons(*, same_version: bool) -> Iterator[str]:
    """Yield interpreters without Dovetail."""
    own = ".".join(map(str, sys.version_info[:2]))
    names = [f"python3.{minor}" for minor in range(9, 20)]
    folders = [Path(sys.base_prefix, "bin"), *map(Path, os.environ["PATH"].split(os.pathsep))]
    folders += Path(sys.base_prefix).parent.glob("3.*/bin")
    for name in names:
        for folder in folders:
            path = folder / name
            if (name == f"python{own}") == same_version and path.is_file():
                found = run(path, "-c", "import ctypes, sys; print(*sys.version_info[:2], sep='.')")
                if found.returncode == 0 and (found.stdout.strip() == own) == same_version:
                    yield str(path)


def other_python(*, same_version: bool) -> str:
    """Return the first of these, or skip the test."""
    for path in other_pythons(same_version=same_version):
        return path
    pytest.skip("there is no such Python here")


def python_with_own_library(folder: Path) -> Path:
    """Return a virtual environment with Dovetail whose Python has another shared library."""
    for number, python in enumerate(other_pythons(same_version=True)):
        venv = folder / str(number)
        subprocess.run([python, "-m", "venv", "--without-pip", venv], check=True)
        (packages,) = venv.glob("lib/*/site-packages")
        (packages / "dovetail.pth").write_text("\n".join(this_interpreter().folders))
        asked = "from dovetail.interpreter import shared_library; print(shared_library())"
        library = run(venv / "bin" / "python", "-c", asked).stdout.strip()
        if library not in ("", shared_library()):
            return venv
    pytest.skip("there is no other Python of this version with a shared library here")


def test_another_python_of_the_same_version_uses_the_recorded_packages(folder: Path) -> None:
    finished = python(PYTHON_PROGRAM, folder, other_python(same_version=True))
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "15 \n", "")


def test_the_library_of_another_python_of_the_same_version(
    folder: Path, loading: Path, tmp_path: Path
) -> None:
    venv = python_with_own_library(tmp_path)
    (packages,) = venv.glob("lib/*/site-packages")
    named = "import sys; print(sys.base_prefix, file=sys.stderr)"
    (packages / "named.pth").write_text(named)
    environment = {**os.environ, "DOVETAIL_RUNTIME": str(venv)}
    finished = run(loading, folder / "libtriple.so", "together", environment=environment)
    assert (finished.returncode, finished.stdout) == (84, "")
    prefixes = set(finished.stderr.splitlines())
    assert prefixes
    assert sys.base_prefix not in prefixes


def test_a_python_of_another_version_is_explained(folder: Path) -> None:
    interpreter = other_python(same_version=False)
    finished = python(PYTHON_PROGRAM, folder, interpreter)
    assert finished.stdout.startswith("-1 no SYCL runtime: this process runs Python 3.")
    assert "has no package 'dovetail', and cannot use that of" in finished.stdout
    assert (finished.returncode, finished.stderr) == (0, "")
