"""Run a built program in this process, on a made-up GPU of NVIDIA: PROGRAM [ARGUMENT...]."""

import os
import sys
from zipfile import ZipFile

from fake_cuda import FakeCuda

from dovetail.cli.run import run
from dovetail.runtime.cuda import loader
from dovetail.settings import DEVICE

if __name__ == "__main__":
    path, *arguments = sys.argv[1:]
    driver = FakeCuda()
    driver.kernels.add(ZipFile(path).read("program.syclbin"))
    loader._loader = loader.Loader(lambda: driver)
    os.environ[DEVICE.variable] = "cuda"
    sys.exit(run([path, "--", *arguments]))
