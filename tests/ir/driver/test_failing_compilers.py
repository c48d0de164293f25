"""Ahead-of-time compilers that fail: all of it is told at once, and nothing is written by half."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE, eventually, has_ended

from dovetail.cli.main import main
from dovetail.image import read_program

Capture = pytest.CaptureFixture[str]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
KERNELS = (
    "#include <sycl/sycl.hpp>\n"
    f"{TASK} void single(float *p) {{ *p = 1; }}\n"
    f"{TASK} void twofold(double *p) {{ *p = 1; }}\n"
)
PVC, DG2 = "intel_gpu_pvc", "intel_gpu_acm_g10"
BUILD = ("c++", "-fsycl", "-fsyclbin", f"-fsycl-targets={PVC},{DG2}", "k.cpp", "-o", "k.syclbin")
REFUSED = (f"-Xsycl-target-backend={PVC}", "-never-heard-of-it")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "k.cpp").write_text(KERNELS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_log_is_shown_with_kernel_and_target(folder: Path, capsys: Capture) -> None:
    assert main([*BUILD, *REFUSED]) == 1
    said = capsys.readouterr().err
    assert f"cannot compile kernels 'single', 'twofold' for '{PVC}':\nocloc " in said
    assert said.count("never-heard-of-it") == 1, "the compiler's own words, once"
    assert DG2 not in said
    assert said.count("-fsycl-keep-going") == 1
    assert [path.name for path in folder.iterdir()] == ["k.cpp"]


def test_program_without_what_failed(capsys: Capture) -> None:
    assert main([*BUILD, *REFUSED, "-fsycl-keep-going"]) == 1
    said = capsys.readouterr().err
    assert f"cannot compile kernels 'single', 'twofold' for '{PVC}'" in said
    assert "the program was written without that code" in said
    images = read_program(Path("k.syclbin").read_bytes()).abstract_modules
    assert [kernel.name for image in images for kernel in image.info.kernels] == [
        "single",
        "twofold",
    ]
    single, twofold = images
    assert [image.info.failed_targets for image in images] == [(PVC,), (PVC,)]
    assert [native.targets for native in single.native_images] == [(DG2,)]
    assert not twofold.native_images
    assert twofold.info.filtered_targets == {DG2: ("fp64",)}
    assert main(["inspect", "k.syclbin"]) == 0
    shown = capsys.readouterr().out
    assert f"  no native code for {PVC}: the compiler failed\n" in shown


def test_what_failed_is_tried_again(capsys: Capture) -> None:
    for _ in range(2):
        assert main([*BUILD, *REFUSED, "-fsycl-keep-going"]) == 1
    assert main([*BUILD, "-fsycl-keep-going"]) == 0
    assert "failed" not in capsys.readouterr().out
    images = read_program(Path("k.syclbin").read_bytes()).abstract_modules
    assert [len(image.native_images) for image in images] == [2, 1]


def test_one_wrong_word_for_many_targets_is_told_once(capsys: Capture) -> None:
    """Without linking, each source's code is made apart."""
    Path("more.cpp").write_text(KERNELS.replace("single(", "another(").replace("twofold(", "both("))
    assert main([*BUILD, "more.cpp", "-fno-sycl-rdc", "-Xs", "-never-heard-of-it"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(
        f"dovetail: error: cannot compile kernels 'single', 'another' for '{PVC}',"
        f" '{DG2}';\n"
        f"cannot compile kernels 'twofold', 'both' for '{PVC}':\nocloc "
    )
    assert said.count("never-heard-of-it") == 1


def test_a_failure_of_one_family_is_no_reason_to_leave_out_another(capsys: Capture) -> None:
    sm = "nvidia_gpu_sm_90"
    words = [f"-Xsycl-target-backend={sm}", "--never-heard-of-it"]
    assert main([*BUILD, f"-fsycl-targets={sm},{PVC}", *REFUSED, *words]) == 1
    said = capsys.readouterr().err
    assert f"for '{PVC}'" in said
    assert f"for '{sm}'" in said
    assert said.count("-fsycl-keep-going") == 1


def test_run_takes_no_such_word(capsys: Capture) -> None:
    assert main(["run", "k.cpp", "-fsycl-keep-going"]) == 2
    assert "is not supported by 'dovetail run'" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_compilers_are_ended_with_the_build(
    number: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = folder / "tools"
    slow.mkdir()
    script = f'case "$*" in *image.spv*) echo $$ >{folder}/begun; exec sleep 600;; esac'
    (slow / "ocloc").write_text(f'#!/bin/sh\n{script}\nexec /usr/bin/ocloc "$@"\n')
    (slow / "ocloc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}{os.pathsep}{os.environ['PATH']}")
    command = [sys.executable, "-m", "dovetail", *BUILD, "-j", "1"]
    # Where tests run in the background of a shell, Ctrl-C is ignored, and would be here.
    child = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    begun = folder / "begun"
    assert eventually(
        lambda: (begun.exists() and begun.read_text() != "") or child.poll() is not None
    )
    assert child.poll() is None
    child.send_signal(number)
    child.communicate(timeout=PATIENCE)
    assert child.returncode == 128 + number
    assert eventually(lambda: has_ended(int(begun.read_text())))
    assert not Path("k.syclbin").exists()
