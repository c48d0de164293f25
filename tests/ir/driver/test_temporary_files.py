"""No command leaves temporary files behind, however it ends."""

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from patience import PATIENCE, eventually

from dovetail.cli.main import main
from dovetail.codegen.spirv import validate

Capture = pytest.CaptureFixture[str]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
GOOD = f"#include <sycl/sycl.hpp>\n{TASK} void k(int *p) {{ *p = 1; }}\nint main() {{}}\n"
# Clang takes it as it is; LLVM's back-end for SPIR-V does not.
REFUSED_LATE = GOOD.replace("*p = 1", "*p = __builtin_return_address(0) != nullptr")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where commands work; their temporary files go to `temporary`."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    (tmp_path / "good.cpp").write_text(GOOD)
    (tmp_path / "bad.cpp").write_text("int main() { return nothing; }\n")
    (tmp_path / "module.ll").write_text("define void @f() {\n  ret void\n}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def left(folder: Path) -> list[Path]:
    return list((folder / "temporary").iterdir())


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["c++", "-fsycl", "good.cpp", "-o", "app"], 0),
        (["c++", "-fsycl", "-c", "good.cpp", "-MD", "-save-temps=kept"], 0),
        (["c++", "-fsycl", "-shared", "good.cpp", "-o", "lib.so"], 0),
        (["c++", "-fsycl", "good.cpp", "-###"], 0),
        (["c++", "-fsycl", "good.cpp", "-ccc-print-phases"], 0),
        (["c++", "-fsycl", "bad.cpp"], 1),
        (["c++", "-fsycl", "good.cpp", "-Wl,--never-heard-of-it"], 1),
        (["check", "good.cpp"], 0),
        (["check", "bad.cpp"], 1),
        (["opt", "-p", "optimize", "module.ll"], 0),
        (["post-link", "module.ll", "-o", "out.table"], 0),
    ],
)
def test_commands_that_end(words: list[str], status: int, folder: Path, capsys: Capture) -> None:
    assert main(words) == status
    assert left(folder) == []


def test_what_llvm_refuses(folder: Path, capsys: Capture) -> None:
    (folder / "late.cpp").write_text(REFUSED_LATE)
    assert main(["c++", "-fsycl", "late.cpp", "-o", "app"]) == 1
    assert "to reproduce it, build with -save-temps and run" in capsys.readouterr().err
    assert left(folder) == []


def test_invalid_code_is_kept_if_anyone_wants_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def complain(code: bytes) -> str:
        return "it is no good"

    monkeypatch.setattr(validate, "validation_error", complain)
    assert main(["c++", "-fsycl", "-fsyclbin", "good.cpp", "-save-temps"]) == 1
    assert "build with -save-temps" in capsys.readouterr().err
    assert left(folder) == []
    kept = (folder / "a.invalid.spv").read_bytes()
    assert kept[:4] == (0x07230203).to_bytes(4, "little")


@pytest.mark.parametrize("words", [["c++", "-fsycl", "-c"], ["run"], ["check"]])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_commands_that_are_ended(
    words: list[str], number: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = folder / "llvm"
    fake.mkdir()
    (fake / "clang++").write_text(f"#!/bin/sh\ntouch {folder}/begun\nexec sleep 600\n")
    (fake / "clang++").chmod(0o755)
    (fake / "llvm-objcopy").symlink_to("/usr/bin/llvm-objcopy-22")
    monkeypatch.setenv("DOVETAIL_LLVM_BIN", str(fake))
    # Whoever runs the tests may have started them so that they outlive a terminal.
    command = ["env", "--default-signal=HUP", sys.executable, "-m", "dovetail", *words, "bad.cpp"]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert eventually(lambda: (folder / "begun").exists() or child.poll() is not None)
    assert child.poll() is None
    assert left(folder) != []
    child.send_signal(number)
    _, message = child.communicate(timeout=PATIENCE)
    assert (child.returncode, message) == (128 + number, "")
    assert left(folder) == []
