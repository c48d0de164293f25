"""What asking about a target adds to the start of a Python program."""

import compileall
import os
import sys
from pathlib import Path

import dovetail
from benchmarks.figure import Figure

QUESTIONS = """\
from dovetail.targets import default_table
table = default_table()
assert table["intel_gpu_pvc"].has("fp64")
assert table["intel_gpu_icllp"].verdict("fp64") == "no"
"""


def measure() -> list[Figure]:
    """Importing the table of targets and asking it what code generation asks most."""
    # As in an installed package, where pip has written the bytecode.
    assert dovetail.__file__
    compileall.compile_dir(Path(dovetail.__file__).parent, quiet=2)
    ours, bare = float("inf"), float("inf")
    for _ in range(100):
        ours, bare = min(ours, _start(QUESTIONS)), min(bare, _start("pass"))
    measured = f"{1000 * ours:.1f} ms : {1000 * bare:.1f} ms"
    return [Figure("asking about a target : Python's own start", ours / bare, measured, 1.1)]


def _start(program: str) -> float:
    """The processor time that a Python process takes, which other processes hardly change."""
    process = os.posix_spawn(sys.executable, [sys.executable, "-c", program], os.environ)
    _, status, usage = os.wait4(process, 0)
    assert status == 0
    return usage.ru_utime + usage.ru_stime
