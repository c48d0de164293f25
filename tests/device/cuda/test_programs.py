"""Programs with a `main` on NVIDIA's GPUs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cuda_programs import targets
from patience import PATIENCE

from dovetail.runtime.cuda import why_no_device
from dovetail.settings import DEVICE

pytestmark = pytest.mark.device

SOURCE = Path(__file__).parent / "program.cpp"
SUPPORT = Path(__file__).parents[2] / "support"


def build(path: Path, *options: str) -> Path:
    wanted = f"-fsycl-targets={','.join(targets())}"
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", *options, wanted, SOURCE]
    subprocess.run([*command, "-o", path], check=True)
    return path


@pytest.mark.parametrize("gpu_kind", ["fake", "real"])
def test_a_program(tmp_path: Path, gpu_kind: str) -> None:
    if gpu_kind == "real":
        if why_no_device():
            pytest.skip(f"no GPU of NVIDIA: {why_no_device()}")
        command = [str(build(tmp_path / "program"))]
    else:
        # The mock driver lives in the process of the program, which therefore is a Python process.
        program = build(tmp_path / "program.syclbin", "-fsyclbin")
        option = f"-fsycl-targets={','.join(targets())}"
        runner = SUPPORT / "run_on_mock_gpu.py"
        command = [sys.executable, str(runner), str(program), str(SOURCE), option]
    environment = os.environ | {DEVICE.variable: "cuda"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.stdout, done.stderr) == ("0 errors on CUDA\n", "")
    assert done.returncode == 0
