"""Run a built program in this process, on a made-up GPU of NVIDIA: PROGRAM [ARGUMENT...]."""

import os
import sys
from zipfile import ZipFile

from cuda_devices import installed
from fake_cuda import FakeCuda

from dovetail.cli.run import run
from dovetail.settings import DEVICE

if __name__ == "__main__":
    path, *arguments = sys.argv[1:]
    driver = FakeCuda()
    driver.kernels.add(ZipFile(path).read("program.syclbin"))
    os.environ[DEVICE.variable] = "cuda"
    with installed(driver):
        sys.exit(run([path, "--", *arguments]))
