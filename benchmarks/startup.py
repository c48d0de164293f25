"""What asking about a target adds to the start of a Python program."""

import compileall
import sys
from pathlib import Path

import dovetail
from benchmarks.figure import Figure, least_processor_time

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
    start = [sys.executable, "-c"]
    ours, bare = least_processor_time([[*start, QUESTIONS], [*start, "pass"]], rounds=100)
    measured = f"{1000 * ours:.1f} ms : {1000 * bare:.1f} ms"
    return [Figure("asking about a target : Python's own start", ours / bare, measured, 1.1)]
