"""Programs in one file: started by themselves, and by `dovetail run`."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

from dovetail.cli.main import main

pytestmark = pytest.mark.device

Capture = pytest.CaptureFixture[str]
Ending = tuple[int, str, str]

SOURCE = r"""
#include <sycl/sycl.hpp>

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

struct Last {
  ~Last() { std::cout << "last" << std::endl; }
} last;

int main(int argc, char **argv) {
  for (int i = 0; i < argc; ++i)
    std::cout << '[' << argv[i] << ']';
  sycl::queue queue;
  int *sum = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *sum = 40 + argc; }).wait();
  std::string line;
  std::getline(std::cin, line);
  std::cout << ' ' << line << ' ' << *sum << std::endl;
  if (line == "exit in a thread")
    std::thread([] { std::exit(5); }).join();
  if (line == "throw")
    throw std::runtime_error("nobody catches this");
  return argc;
}
"""


def build(source: Path, output: Path, **options: Any) -> None:
    words = ["c++", "-fsycl", str(source), "-o", str(output)]
    assert dovetail(*words, **options) == (0, "", "")


def dovetail(*words: str | Path, **options: Any) -> Ending:
    return run(sys.executable, "-m", "dovetail", *words, **options)


def run(*command: str | Path, **options: Any) -> Ending:
    options = {"input": "", **options}
    finished = subprocess.run(command, capture_output=True, text=True, **options)
    return finished.returncode, finished.stdout, finished.stderr


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program above, alone in its folder."""
    source = tmp_path_factory.mktemp("source") / "prog.cpp"
    source.write_text(SOURCE)
    output = tmp_path_factory.mktemp("built") / "app"
    build(source, output)
    assert list(output.parent.iterdir()) == [output]
    return output


def test_started_by_itself(app: Path) -> None:
    ending = run(app, "a b", "", "--help", "--", "ü", input="a line\nand more\n")
    assert ending == (6, f"[{app}][a b][][--help][--][ü] a line 46\nlast\n", "")


def test_started_by_dovetail(app: Path) -> None:
    words = ("run", "app", "--", "a b", "--", "--as")
    ending = dovetail(*words, input="a line", cwd=app.parent)
    assert ending == (4, "[app][a b][--][--as] a line 44\nlast\n", "")


def test_started_through_a_link_from_another_folder(app: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(app)
    (tmp_path / "here").mkdir()
    ending = run("../link", cwd=tmp_path / "here")
    assert ending == (1, "[../link]  41\nlast\n", "")


def test_nothing_is_left_behind(app: Path, tmp_path: Path) -> None:
    ending = run(app, cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert ending == (1, f"[{app}]  41\nlast\n", "")
    assert list(tmp_path.iterdir()) == []
    assert list(app.parent.iterdir()) == [app]


def test_every_way_to_end(app: Path) -> None:
    said = f"[{app}] exit in a thread 41\nlast\n"
    assert run(app, input="exit in a thread") == (5, said, "")
    status, out, errors = run(app, input="throw")
    assert (status, out) == (-signal.SIGABRT, f"[{app}] throw 41\n")
    assert "nobody catches this" in errors
    assert "Python" not in errors


def test_an_interrupt_ends_it(app: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([app], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        # Something was printed, so `main` has begun, and waits for a line.
        assert process.stdout.read(1) == b"["
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == -signal.SIGINT


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o755), (0o077, 0o700)])
def test_who_may_start_it(mask: int, mode: int, tmp_path: Path) -> None:
    source, output = tmp_path / "prog.cpp", tmp_path / "app"
    source.write_text("int main() { return 3; }\n")
    output.write_text("an older file, which nobody may start")
    build(source, output, umask=mask)
    assert output.stat().st_mode & 0o777 == mode
    assert run(output) == (3, "", "")


def test_only_one_program_is_run(app: Path, capsys: Capture) -> None:
    for words, message in (
        ([app, "x.cpp"], "cannot be combined with 'x.cpp'"),
        (["x.cpp", app], "cannot be combined with 'x.cpp'"),
        ([app, app], "cannot be combined with"),
        (["-O2", app], "'-O2' applies to sources"),
        ([app, "-###"], "'-###' applies to sources"),
        ([app, "--as"], "'--as' needs a value"),
        ([app, "size"], f"to pass it to the program: dovetail run {app} -- size"),
        (["x.cpp", "size"], "to pass it to the program: dovetail run x.cpp -- size"),
        (["x.cpp", "--size"], "(the program's own arguments follow '--')"),
    ):
        assert main(["run", *map(str, words)]) == 2
        assert message in capsys.readouterr().err


def test_help_is_there_all_the_same(app: Path, capsys: Capture) -> None:
    assert main(["run", str(app), "--help"]) == 0
    assert "usage: dovetail run" in capsys.readouterr().out


def test_inspect_looks_inside(app: Path, capsys: Capture) -> None:
    assert main(["inspect", str(app)]) == 0
    assert "SPIR-V for spir64-unknown-unknown" in capsys.readouterr().out


def test_the_start_loads_no_compiler() -> None:
    script = "import sys, dovetail.cli.main, dovetail.cli.run; print(*sys.modules)"
    status, out, _ = run(sys.executable, "-c", script)
    assert status == 0
    costly = {"argparse", "rich", "dovetail._native", "dovetail.driver"}
    assert not costly & set(out.split())


@pytest.mark.parametrize("words", [["-c"], []], ids=["object", "program"])
def test_main_is_found_where_symbols_are_hidden(tmp_path: Path, words: list[str]) -> None:
    source, output = tmp_path / "m.cpp", tmp_path / "m.o" if words else tmp_path / "m"
    source.write_text("int answer() { return 5; }\nint main() { return answer(); }\n")
    hidden = ["-fvisibility=default", "-fvisibility=hidden"]
    assert dovetail("c++", "-fsycl", *hidden, *words, source, "-o", output) == (0, "", "")
    if words:
        assert dovetail("c++", "-fsycl", output, "-o", tmp_path / "m") == (0, "", "")
    assert run(tmp_path / "m")[0] == 5
