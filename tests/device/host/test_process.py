"""Programs as processes: how they start, and every way in which they can end."""

import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import PATIENCE

from dovetail.errors import InputError
from dovetail.frontend import embed_command, start_library_options
from dovetail.interpreter import this_interpreter
from dovetail.package import embedding_source
from dovetail.runtime import Program
from dovetail.runtime.host import call_main

pytestmark = pytest.mark.device

HERE = Path(__file__).parent
INCLUDE = HERE.parents[2] / "include"

_RUN = """
import sys
from pathlib import Path
from dovetail.errors import DovetailError
from dovetail.runtime import load
from dovetail.runtime.host import run
print("Python was here")
try:
    run(load(sys.argv[1]), Path(sys.argv[2]), ["program", *sys.argv[3:]])
except DovetailError as error:
    print(error)
"""
HELLO = "Python was here\n"
LAST = "last: 2\n"

Command = Callable[..., list[str]]


@pytest.fixture(scope="session")
def saved(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "program"
    program.save(path)
    return path


@pytest.fixture(scope="session")
def loaded(saved: Path, build: Callable[[str], Path]) -> Command:
    """The command that runs a program of `endings.cpp`, or another file's, in a Python process."""

    def make(*arguments: str, source: str = "endings") -> list[str]:
        return [sys.executable, "-c", _RUN, str(saved), str(build(source)), *arguments]

    return make


@pytest.fixture(scope="session")
def linked(saved: Path, build: Callable[[str], Path]) -> Command:
    """The command that runs `endings.cpp` as an ELF program, which prints the same first line."""
    source = embedding_source(saved, this_interpreter(), can_be_unloaded=False)
    folder = build("endings").parent
    embedded, app = folder / "embedded.o", folder / "program"
    subprocess.run(embed_command(embedded), input=source, check=True)
    options = ["-std=c++17", "-O1", "-pthread", f"-I{INCLUDE}", "-DHELLO"]
    files = [embedded, HERE / "endings.cpp", *start_library_options()]
    subprocess.run(["clang++-22", *options, *files, "-o", app], check=True)

    def make(*arguments: str) -> list[str]:
        # `exec` gives it the other's name.
        return ["bash", "-c", f'exec -a program {shlex.quote(str(app))} "$@"', "", *arguments]

    return make


@pytest.fixture(scope="session", params=["loaded", "linked"])
def command(request: pytest.FixtureRequest) -> Command:
    """The command of either form."""
    made: Command = request.getfixturevalue(request.param)
    return made


def _run(command: list[str], given: str = "") -> tuple[int, str, str]:
    result = subprocess.run(command, input=given, capture_output=True, text=True, timeout=PATIENCE)
    return result.returncode, result.stdout, result.stderr


def test_arguments_and_streams(command: Command) -> None:
    status, out, errors = _run(command("arguments", "a b", "", "ü", "--help"), "a line\n")
    words = "[program][arguments][a b][][ü][--help]a line\n"
    assert (status, out, errors) == (3, f"{HELLO}{words}C\n{LAST}", "and an error\n")


@pytest.mark.parametrize(
    ("name", "status"), [("exit_in_main", 4), ("exit_in_thread", 5), ("leave_without_waiting", 6)]
)
def test_exits(command: Command, name: str, status: int) -> None:
    assert _run(command(name)) == (status, HELLO + LAST, "")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("throw_something", "nobody catches this"),
        ("throw_from_the_runtime", "there is no queue with handle 4711"),
        ("throw_in_thread", "nor this"),
    ],
)
def test_uncaught_exceptions(command: Command, name: str, text: str) -> None:
    status, out, errors = _run(command(name))
    assert (status, out) == (-signal.SIGABRT, HELLO)
    assert "terminate called after throwing" in errors
    assert text in errors
    assert "Python" not in errors


def test_an_interrupt_ends_a_waiting_program(command: Command) -> None:
    with subprocess.Popen(command("wait_for_long"), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == HELLO
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == -signal.SIGINT


def test_a_closed_pipe_ends_a_program(command: Command) -> None:
    arguments = command("write_to_closed_pipe")
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(PATIENCE) == -signal.SIGPIPE


def test_the_table_is_this_processs_and_signal_handlers_the_programs(command: Command) -> None:
    assert _run(command("own_handler")) == (9, HELLO, "")


NO_MAIN = (
    "'program' has no `main`\n"
    "a program needs `int main()` or `int main(int, char **)`, outside of namespaces"
)


def test_without_main_the_process_goes_on_and_ends_well(loaded: Command) -> None:
    assert _run(loaded(source="no_main")) == (0, f"{HELLO}{NO_MAIN}\n", "")


def test_libraries_that_are_no_program(
    program: Program, build: Callable[[str], Path], tmp_path: Path
) -> None:
    with pytest.raises(InputError) as raised:
        call_main(program, build("no_main"), ["program"])
    assert str(raised.value) == NO_MAIN
    broken = tmp_path / "broken.so"
    broken.write_text("not a library")
    with pytest.raises(InputError, match="cannot load the program's host code: file too short"):
        call_main(program, broken, ["program"])
