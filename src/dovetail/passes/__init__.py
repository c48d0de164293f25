"""Passes over device IR, one a file, and the pipelines made of them.

A pass is a frozen dataclass: its fields are its options, its text form is `name{option=value}`. The
registry is plain data; a pass's module is imported only when the pass runs.
"""

from dovetail.passes.base import ASPECT_READINGS, OPTIMIZATION_LEVELS, ModulePass, PassContext
from dovetail.passes.pipeline import device_pipeline, parse_pipeline, run_pipeline
from dovetail.passes.registry import PASSES

__all__ = [
    "ASPECT_READINGS",
    "OPTIMIZATION_LEVELS",
    "PASSES",
    "ModulePass",
    "PassContext",
    "device_pipeline",
    "parse_pipeline",
    "run_pipeline",
]
