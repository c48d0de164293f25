"""Programs that are linked from objects, archives and libraries, run; among them by CMake."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.device

EXAMPLE = Path(__file__).parents[3] / "examples" / "cmake"
RESULT = "0 65 160 285\n"
DOVETAIL = (sys.executable, "-m", "dovetail")


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    finished = subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **environment},
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


@pytest.fixture
def compiler(tmp_path: Path) -> Path:
    """The single word that a build system wants."""
    path = tmp_path / "bin" / "dovetail-c++"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dovetail c++ "$@"\n')
    path.chmod(0o755)
    return path


def test_a_project_built_by_cmake(tmp_path: Path, compiler: Path) -> None:
    sources, build = tmp_path / "project", tmp_path / "build"
    shutil.copytree(EXAMPLE, sources)
    shown = run("cmake", "-S", sources, "-B", build, cwd=tmp_path, CXX=str(compiler))
    assert "The CXX compiler identification is Clang 22" in shown
    run("cmake", "--build", build, cwd=tmp_path)
    assert run(build / "app", cwd=tmp_path) == RESULT
    assert b"not_needed" not in (build / "app").read_bytes(), "a member that nobody needs"

    assert "Building" not in run("cmake", "--build", build, cwd=tmp_path)
    (sources / "areas.cpp").write_text((EXAMPLE / "areas.cpp").read_text().replace("3 *", "5 *"))
    assert run("cmake", "--build", build, cwd=tmp_path).count("Building") == 1
    assert run(build / "app", cwd=tmp_path) == "0 75 200 375\n"


def test_flags_for_all_of_a_project(tmp_path: Path, compiler: Path) -> None:
    """CMake then tries the compiler with `-fsycl`, and looks into what it made."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(flags CXX)\n"
        "find_package(Threads REQUIRED)\nadd_executable(app main.cpp)\n"
        'target_link_libraries(app Threads::Threads)\nmessage("pointers: ${CMAKE_SIZEOF_VOID_P}")\n'
    )
    (tmp_path / "main.cpp").write_text("int main() { return 0; }\n")
    words = ("-B", "build", "-DCMAKE_CXX_FLAGS=-fsycl", "-DCMAKE_BUILD_TYPE=Debug")
    finished = subprocess.run(
        ["cmake", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "CXX": str(compiler)},
    )
    assert finished.returncode == 0, finished.stderr
    assert "The CXX compiler identification is Clang 22" in finished.stdout
    assert "pointers: 8" in finished.stderr
    run("cmake", "--build", "build", cwd=tmp_path)
    assert run(tmp_path / "build" / "app", cwd=tmp_path) == ""


def test_a_library_is_found_as_usual(tmp_path: Path) -> None:
    """By the path that was linked in, the environment's, or beside the program."""

    def cxx(*words: str | Path) -> None:
        run(*DOVETAIL, "c++", "-fsycl", *words, cwd=tmp_path)

    rest = [EXAMPLE / f"{name}.cpp" for name in ("main", "sums", "areas")]
    for folder in ("bin", "lib"):
        (tmp_path / folder).mkdir()
    cxx("-shared", EXAMPLE / "scaling.cpp", "-o", "lib/libscaling.so")
    cxx(*rest, "-Llib", "-lscaling", "-o", "app")
    assert run("./app", cwd=tmp_path, LD_LIBRARY_PATH=str(tmp_path / "lib")) == RESULT
    failed = subprocess.run(["./app"], cwd=tmp_path, capture_output=True, text=True)
    assert failed.returncode == 127, "by the system's loader"
    assert "libscaling.so" in failed.stderr
    assert "Traceback" not in failed.stderr
    cxx(*rest, "-Llib", "-lscaling", f"-Wl,-rpath,{tmp_path}/lib", "-o", "app")
    assert run("./app", cwd=tmp_path) == RESULT
    # Linked in a folder that the program and its library then leave together.
    cxx(*rest, "-Llib", "-lscaling", "-Wl,-rpath,$ORIGIN/../lib:/none", "-o", "bin/app")
    moved = tmp_path / "mo$ved"
    moved.mkdir()
    for name in ("bin", "lib"):
        (tmp_path / name).rename(moved / name)
    assert run(moved / "bin" / "app", cwd=tmp_path) == RESULT
    (tmp_path / "link").symlink_to(moved / "bin" / "app")
    assert run("./link", cwd=tmp_path) == RESULT
