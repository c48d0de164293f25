"""Shared libraries with device code, which programs load and let go as they run."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from designs import Design
from patience import PATIENCE

from dovetail.cli.main import main
from dovetail.runtime import devices

pytestmark = pytest.mark.device

SOURCES = Path(__file__).parent / "sources" / "libraries"
DOVETAIL = (sys.executable, "-m", "dovetail")

BUILD = 7
INVALID = 8
NOT_SUPPORTED = 13

# How the bytes of a packaged program begin.
MAGIC = b"\x10\xff\x10\xad"

Libraries = Callable[..., Path]
Runner = Callable[..., list[str]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, design: Design) -> Libraries:
    """Builds a library of a source here, once for each list of options."""

    @cache
    def build(name: str, *options: str) -> Path:
        path = tmp_path_factory.mktemp("library") / f"lib{name}.so"
        words = ("c++", "-fsycl", "-shared", design.option, *options)
        source = SOURCES / f"{name}.cpp"
        subprocess.run([*DOVETAIL, *words, source, "-o", path], check=True)
        return path

    return build


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("app") / "app"
    words = ("c++", "-fsycl", SOURCES / "main.cpp", "-o", path)
    subprocess.run([*DOVETAIL, *words], check=True)
    return path


@pytest.fixture(scope="session")
def run(app: Path) -> Runner:
    """Runs the program: what it prints, in lines; how many images each has is of no interest."""

    def run_app(*words: str, **environment: str) -> list[str]:
        finished = start(app, *words, **environment)
        assert (finished.returncode, finished.stderr) == (0, "")
        return re.sub(r"\bimage \d+ of\b", "an image of", finished.stdout).splitlines()

    return run_app


def start(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=variables)


def not_there(kernel: str, function: str, path: str | Path) -> str:
    return (
        f"{BUILD} kernel '{kernel}' needs the function '{function}', which no loaded program"
        f" defines; it is imported by an image of {path}"
    )


HINT = (
    "load the program that defines it as SYCL_EXTERNAL, and keep it, or build both sources into one"
    " program"
)


def test_functions_of_each_other(app: Path, library: Libraries, run: Runner) -> None:
    one = library("one")
    # The library's function in the program's kernel, and the other way around.
    assert run("scale", f"open={one}", "scale", f"start={one}", "scale") == [
        not_there("calls_scale", "scale(int)", app),
        HINT,
        "10",
        "206",
        "10",
    ]


def test_a_program_that_is_run_from_its_source(library: Libraries) -> None:
    one, source = library("one"), SOURCES / "main.cpp"
    finished = start(*DOVETAIL, "run", source, "--", f"open={one}", "scale", f"start={one}")
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "10\n206\n", "")


def test_a_chain_through_all_of_them(app: Path, library: Libraries, run: Runner) -> None:
    one, two = library("one"), library("two")
    # Of the program, of one, of two, and again of the program.
    assert run(f"open={one}", "first", f"open={two}", "first", f"close={two}", "first") == [
        not_there("calls_first", "second(int)", one),
        HINT,
        "600",
        not_there("calls_first", "second(int)", one),
        HINT,
    ]


def test_what_goes_with_a_library(library: Libraries, run: Runner) -> None:
    two = library("two")
    open_two, close_two = f"open={two}", f"close={two}"
    printed = run(
        "names", open_two, "names", "remember=of_library_two", "build", close_two, "names", "build"
    )
    before, there, remembered, built, after, gone, *_ = printed
    assert "[of_library_two]" in there
    assert "[of_library_two]" not in before
    assert after == before
    assert (remembered, built) == ("remembered 1", "built")
    assert gone.startswith(f"{INVALID} ")
    assert "the program has no device code for kernel 'of_library_two'" in gone


def test_another_version_in_its_place(library: Libraries, run: Runner) -> None:
    old, new = library("one"), library("one", "-DFACTOR=3")
    opened_twice = [f"open={old}", f"open={old}", f"close={old}", "scale", f"close={old}"]
    printed = run(*opened_twice, "scale", f"open={new}", "scale", f"close={new}", f"open={old}")
    assert printed[0] == "10"
    assert printed[1].startswith(f"{BUILD} ")
    assert printed[3:] == ["15"]
    assert run(f"open={new}", "scale", f"close={new}", f"open={old}", "scale") == ["15", "10"]


def test_two_that_define_the_same_function(library: Libraries, run: Runner) -> None:
    old, new = library("one"), library("one", "-DFACTOR=3")
    assert run(f"open={old}", f"open={new}", "scale", f"close={old}", "scale") == [
        f"{BUILD} kernel 'calls_scale' cannot be linked: an image of {old} and an image of {new}"
        " both define 'scale(int)'",
        "unload one of them, or make the function static in one of the sources",
        "15",
    ]


def test_kernels_of_the_same_name(library: Libraries, run: Runner) -> None:
    one, two, new = library("one"), library("two"), library("one", "-DFACTOR=3")
    each = [f"start={one}", f"start={two}", f"start={new}"]
    opened = [f"open={one}", f"open={two}", f"open={new}"]
    assert run(*opened, *each, *reversed(each), f"close={two}", each[0], each[2]) == [
        *("206", "-10", "306"),
        *("306", "-10", "206"),
        *("206", "306"),
    ]


def test_requirements_of_a_library(library: Libraries, run: Runner) -> None:
    two, source = library("two"), SOURCES / "two.cpp"
    if not devices()[0].has("fp64"):
        pytest.skip("the device itself has no fp64")
    assert run(f"open={two}", "wide") == ["2"]
    lines = source.read_text().splitlines()
    number = next(n for n, line in enumerate(lines, start=1) if "double half" in line)
    refused, place, *rest = run(f"open={two}", "wide", DOVETAIL_AS="intel_gpu_acm_g10")
    assert refused == (
        f"{NOT_SUPPORTED} kernel 'calls_wide' cannot run on '{devices()[0].name}': 'wide(int)',"
        " which it calls, needs aspect 'fp64', which the emulated target 'intel_gpu_acm_g10'"
        " does not have"
    )
    assert place.startswith(f"  {source}:{number}:")
    assert rest == []


def test_kernels_as_a_library_is_made_and_as_it_goes(library: Libraries, run: Runner) -> None:
    one = library("one", "-DWHOLE_LIFE")
    assert run(f"open={one}", f"close={one}", f"open={one}") == ["hello 206", "bye 206"] * 2


def test_one_that_comes_and_goes_as_another_thread_launches(
    library: Libraries, run: Runner
) -> None:
    # The loader's lock and Python's: nobody must wait for one with the other in hand.
    assert run(f"launch_while_opening={library('one')}") == ["right"]


@pytest.mark.parametrize("cut", [0, 16, 200])
def test_device_code_that_was_damaged(
    cut: int, app: Path, library: Libraries, tmp_path: Path
) -> None:
    damaged = tmp_path / "libtwo.so"
    content = bytearray(library("two").read_bytes())
    at = content.index(MAGIC) + cut
    content[at : at + 16] = b"\xff" * 16
    damaged.write_bytes(content)
    finished = start(app, f"open={damaged}", f"start={damaged}", "scale", f"close={damaged}")
    assert finished.returncode == 0
    assert finished.stderr.startswith(
        f"SYCL: '{damaged}' is not a SYCL program file, or is damaged: "
    )
    assert "Traceback" not in finished.stderr
    # The program goes on; kernels of the library are not there.
    kernel, *_ = finished.stdout.splitlines()
    assert kernel.startswith("2 the program has no device code for kernel '")


def test_what_cannot_be_a_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out"
    source = SOURCES / "two.cpp"
    words = ["c++", "-fsycl", "-fsyclbin", "-shared", str(source), "-o", str(output)]
    assert main(words) == 2
    assert "-fsyclbin and -shared cannot be combined" in capsys.readouterr().err
    assert main(["run", "-shared", str(source)]) == 2
    assert "'-shared' is not supported by 'dovetail run'" in capsys.readouterr().err
    assert not output.exists()
