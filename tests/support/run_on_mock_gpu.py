"""Run a source in this process, on a mock NVIDIA GPU: PROGRAM SOURCE OPTION.

PROGRAM has the kernels of the source, built with the same option.
"""

import os
import sys
from pathlib import Path

from cuda_devices import installed
from fake_cuda import FakeCuda

from dovetail.cli.run import run
from dovetail.settings import DEVICE

if __name__ == "__main__":
    program, source, option = sys.argv[1:]
    driver = FakeCuda()
    driver.kernels.add(Path(program).read_bytes())
    os.environ[DEVICE.variable] = "cuda"
    with installed(driver):
        sys.exit(run([option, source]))
