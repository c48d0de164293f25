"""Starting the runtime leaves the process as it is."""

import os
import subprocess
import sys

BLAS_THREADS = "OPENBLAS_NUM_THREADS"
SCRIPT = """\
import os
from pathlib import Path
from dovetail.runtime.host.process_state import import_numpy
before = dict(os.environ)
import_numpy()
import numpy
print(len(list(Path("/proc/self/task").iterdir())), os.environ == before)
"""


def test_numpy_starts_no_threads() -> None:
    environment = {name: value for name, value in os.environ.items() if name != BLAS_THREADS}
    finished = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
    )
    assert finished.stdout == "1 True\n"
