"""Builds that run out of memory say so, and in which step."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from dovetail.errors import MEMORY_HINT, CompileError
from dovetail.frontend import Tools

LIMIT = 1 << 30
"""Clang is content with that; LLVM's passes want as much for their stack alone."""


def test_the_step_is_named(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text("[[clang::sycl_external]] int f() { return 1; }\n")
    finished = subprocess.run(
        [sys.executable, "-m", "dovetail", "c++", "-fsycl", "-fsyclbin", "k.cpp"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 1
    assert "dovetail: error: out of memory while doing the step 'passes k.cpp'" in finished.stderr
    assert "run fewer jobs at a time (-j1)" in finished.stderr


def test_a_process_without_memory_for_llvm(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text("int f() { return 1; }\n")
    small = 200 << 20
    finished = subprocess.run(
        [sys.executable, "-m", "dovetail", "c++", "-fsycl", "-c", "k.cpp"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (small, small)),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 1
    assert "run fewer jobs at a time (-j1)" in finished.stderr


def test_a_compiler_without_memory() -> None:
    with pytest.raises(CompileError) as caught:
        Tools().run(["sh", "-c", "echo LLVM ERROR: out of memory >&2; exit 1"])
    assert caught.value.message == "LLVM ERROR: out of memory"
    assert caught.value.hint == MEMORY_HINT
