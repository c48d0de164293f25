"""Passes over device IR, one per file, and pipelines of passes.

A pass is a frozen dataclass whose fields are its options; its text form is `name{option=value}`.
The registry is plain data; the module of a pass is imported when the pass runs.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.passes.base import ModulePass as ModulePass, PassContext as PassContext
    from dovetail.passes.pipeline import (
        parse_pipeline as parse_pipeline,
        run_pipeline as run_pipeline,
    )
    from dovetail.passes.registry import PASSES as PASSES
    from dovetail.passes.standard_pipeline import (
        ASPECT_USE_MODES as ASPECT_USE_MODES,
        OPTIMIZATION_LEVELS as OPTIMIZATION_LEVELS,
        device_pipeline as device_pipeline,
    )
