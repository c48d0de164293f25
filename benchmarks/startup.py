"""The time that querying a target adds to the start of Python."""

import compileall
import sys
from pathlib import Path

import dovetail
from benchmarks.figure import Figure, compare_processor_times

QUESTIONS = """\
from dovetail.targets import default_table
table = default_table()
assert table["intel_gpu_pvc"].has("fp64")
assert table["intel_gpu_icllp"].verdict("fp64") == "no"
"""
PAIRS = 100


def measure() -> list[Figure]:
    """Measure importing the target table and the most frequent queries of code generation."""
    # As in an installed package, for which pip compiles bytecode.
    assert dovetail.__file__
    compileall.compile_dir(Path(dovetail.__file__).parent, quiet=2)
    start = [sys.executable, "-c"]
    name = "asking about a target : Python's own start"
    return [compare_processor_times(name, [*start, QUESTIONS], [*start, "pass"], PAIRS, 1.1)]
