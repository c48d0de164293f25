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


@pytest.fixture(scope="module")
def executable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cuda") / "program"
    wanted = f"-fsycl-targets={','.join(targets())}"
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", wanted, SOURCE, "-o", path]
    subprocess.run(command, check=True)
    return path


@pytest.mark.parametrize("gpu_kind", ["fake", "real"])
def test_a_program(executable: Path, gpu_kind: str) -> None:
    command = [sys.executable, str(SUPPORT / "run_on_made_up_gpu.py"), str(executable)]
    if gpu_kind == "real":
        if why_no_device():
            pytest.skip(f"no GPU of NVIDIA: {why_no_device()}")
        command = [sys.executable, "-m", "dovetail", "run", str(executable)]
    environment = os.environ | {DEVICE.variable: "cuda"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.stdout, done.stderr) == ("0 errors on CUDA\n", "")
    assert done.returncode == 0
