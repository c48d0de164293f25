"""The driver: what is to be done, in which order, by which commands; and then doing it.

The only part that knows all stages. A request becomes a graph of actions, the graph a list of jobs
with exact commands, and only then does anything run.
"""

from dovetail.driver.actions import (
    Action,
    BuildRequest,
    PassRequest,
    Phase,
    plan_build,
    plan_passes,
)
from dovetail.driver.bind import Job, bind
from dovetail.driver.build import CompileWarning, build
from dovetail.driver.execute import Results, execute
from dovetail.driver.run import build_program, dry_run, run_passes

__all__ = [
    "Action",
    "BuildRequest",
    "CompileWarning",
    "Job",
    "PassRequest",
    "Phase",
    "Results",
    "bind",
    "build",
    "build_program",
    "dry_run",
    "execute",
    "plan_build",
    "plan_passes",
    "run_passes",
]
