"""Programs of several sources, at every optimization level that treats them differently."""

import subprocess
import sys
from pathlib import Path

import pytest
from variants import variant

pytestmark = pytest.mark.device

SOURCES = Path(__file__).parent / "sources"


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dovetail", "run", *words]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_two_sources_with_the_same_kernels(level: str) -> None:
    finished = run(level, SOURCES / "main.cpp", SOURCES / "other.cpp")
    assert (finished.returncode, finished.stderr) == (0, "")
    # A template's and an inline function's kernel, a device function of the other source; then
    # fill with no_init, items, and local memory across a barrier, without errors.
    assert finished.stdout == "4 12\n1 1 0 0\n"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_arguments_with_properties(level: str) -> None:
    finished = run(level, SOURCES / "decorated.cpp")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout == "8 5 12 10\n7 6 5 4\n"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_every_type_of_kernel_parameter(level: str) -> None:
    finished = run(level, SOURCES / "kernel_parameters.cpp")
    assert (finished.returncode, finished.stdout) == (0, "25 kernels, 0 errors\n")
    assert finished.stderr == ""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_accessors_in_every_spelling(level: str) -> None:
    finished = run(level, "-Wno-deprecated-declarations", SOURCES / "accessors.cpp")
    assert (finished.returncode, finished.stdout) == (0, "accessors: 0 errors\n")
    assert finished.stderr == ""


def test_submissions_in_every_spelling() -> None:
    finished = run("-Wno-deprecated-declarations", "-Wno-#warnings", SOURCES / "submissions.cpp")
    assert (finished.returncode, finished.stdout) == (0, "submissions: 0 errors\n")
    assert finished.stderr == ""


@pytest.mark.parametrize("options", [variant(("-O0",)), ("-O2", "-g")], ids=" ".join)
def test_hierarchical_kernels(options: tuple[str, ...]) -> None:
    finished = run(*options, SOURCES / "hierarchical.cpp")
    assert (finished.returncode, finished.stdout) == (0, "hierarchical: 0 errors\n")
    assert finished.stderr == ""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_work_items_and_groups(level: str) -> None:
    finished = run(level, "-Wno-deprecated-declarations", SOURCES / "work_items.cpp")
    assert (finished.returncode, finished.stdout) == (0, "work-items: 0 errors\n")
    assert finished.stderr == ""


def test_enqueue_functions() -> None:
    finished = run(SOURCES / "enqueue_functions.cpp")
    assert (finished.returncode, finished.stdout) == (0, "enqueue functions: 0 errors\n")
    assert finished.stderr == ""


def test_internal_kernels_of_the_same_name(tmp_path: Path) -> None:
    text = (
        "#include <sycl/sycl.hpp>\n"
        "static void start(sycl::queue &q, int *p) { q.single_task([=] { *p = 1; }); }\n"
        "void FUNCTION(sycl::queue &q) { start(q, nullptr); }\n"
    )
    one, two = tmp_path / "one.cpp", tmp_path / "two.cpp"
    one.write_text(text.replace("FUNCTION", "f") + "int main() {}\n")
    two.write_text(text.replace("FUNCTION", "g"))
    finished = run(one, two)
    assert finished.returncode == 1
    assert f"error: '{one}' has another kernel with the name" in finished.stderr
    assert "parallel_for<class name>" in finished.stderr


def test_ranges_that_nothing_divides() -> None:
    finished = run(SOURCES / "ranges.cpp")
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "done\n", "")


def test_what_is_dropped_with_work_under_way_goes_when_that_is_done() -> None:
    finished = run(SOURCES / "dropped.cpp")
    assert (finished.returncode, finished.stderr) == (0, "")
    # 800 MB if nothing went; what is under way at the moment may be some more or less.
    assert int(finished.stdout) < 200


def test_running_again_starts_no_compiler(tmp_path: Path) -> None:
    source = tmp_path / "again.cpp"
    source.write_text(
        "#include <sycl/sycl.hpp>\n#include <cstdio>\n"
        "int main() { sycl::queue q; int *p = sycl::malloc_shared<int>(1, q);\n"
        '  q.single_task([=] { *p = 5; }).wait(); std::printf("%d\\n", *p); sycl::free(p, q); }\n'
    )
    first, again = run("-v", source), run("-v", source)
    assert (first.stdout, again.stdout) == ("5\n", "5\n")
    assert "-fsycl-host-only" in first.stderr
    assert again.stderr
    assert all(line.startswith("# cached: ") for line in again.stderr.splitlines())


ADDS = """\
#include <sycl/sycl.hpp>
#include <vector>
int main() {
  std::vector<float> x(64, 2), y(64, 1);
  {
    sycl::queue queue;
    sycl::buffer bx(x), by(y);
    queue.submit([&](sycl::handler &group) {
      sycl::accessor in(bx, group, sycl::read_only);
      sycl::accessor out(by, group, sycl::read_write);
      group.parallel_for(64, [=](sycl::id<1> i) { out[i] += FACTOR * in[i]; });
    });
  }
  return y[63] != 1 + 2 * FACTOR;
}
"""

LISTS_MODULES = """\
import sys

class Listing:
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] == "dovetail":
            sys.stderr.write(f"{name}\\n")

sys.meta_path.insert(0, Listing())
from dovetail.cli.main import main
sys.exit(main(["run", sys.argv[1]]))
"""


def loaded_modules(source: Path) -> list[str]:
    """Return Dovetail's modules that a run of a source loads."""
    command = [sys.executable, "-c", LISTS_MODULES, source]
    finished = subprocess.run(command, capture_output=True, text=True)
    names = finished.stderr.split()
    assert finished.returncode == 0
    assert all(name.partition(".")[0] == "dovetail" for name in names), finished.stderr
    return names


def test_runs_load_few_modules(tmp_path: Path) -> None:
    """Loading them takes time at each start."""
    source = tmp_path / "adds.cpp"
    source.write_text(ADDS.replace("FACTOR", "3"))
    assert run(source).returncode == 0, "and its headers are cached"
    source.write_text(ADDS.replace("FACTOR", "5"))
    assert len(loaded_modules(source)) <= 250
    assert len(loaded_modules(source)) <= 170, "nothing is built"
