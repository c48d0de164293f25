"""The driver: what is to be done, in which order, by which commands; and then doing it.

The only part that knows all stages. A request becomes a graph of actions, the graph a list of jobs
with exact commands, and only then does anything run.
"""

from dovetail.driver.actions import Action, BuildRequest, Phase, plan
from dovetail.driver.bind import Job, bind
from dovetail.driver.build import CompileWarning, build, build_program, dry_run
from dovetail.driver.execute import BuildResult, execute

__all__ = [
    "Action",
    "BuildRequest",
    "BuildResult",
    "CompileWarning",
    "Job",
    "Phase",
    "bind",
    "build",
    "build_program",
    "dry_run",
    "execute",
    "plan",
]
