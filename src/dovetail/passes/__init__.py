"""Passes over device IR, one a file, and the pipelines made of them.

A pass is a frozen dataclass: its fields are its options, its text form is `name{option=value}`. The
registry is plain data; a pass's module is imported only when the pass runs.
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.passes.base import ModulePass, PassContext
    from dovetail.passes.pipeline import parse_pipeline, run_pipeline
    from dovetail.passes.registry import PASSES
    from dovetail.passes.standard import ASPECT_READINGS, OPTIMIZATION_LEVELS, device_pipeline

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

__getattr__ = on_demand(
    __name__,
    {
        "base": ("ModulePass", "PassContext"),
        "pipeline": ("parse_pipeline", "run_pipeline"),
        "registry": ("PASSES",),
        "standard": ("ASPECT_READINGS", "OPTIMIZATION_LEVELS", "device_pipeline"),
    },
)
