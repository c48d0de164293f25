"""The driver: what is to be done, in which order, by which commands; and then doing it.

The only part that knows all stages. A request becomes a graph of actions, the graph a list of jobs
with exact commands, and only then does anything run.
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.driver.actions import (
        Action,
        BuildRequest,
        CheckRequest,
        ObjectRequest,
        PassRequest,
        Phase,
        RunRequest,
        plan_build,
        plan_check,
        plan_objects,
        plan_passes,
        plan_run,
    )
    from dovetail.driver.binding import (
        Job,
        bind,
    )
    from dovetail.driver.building import (
        CompileWarning,
        build,
    )
    from dovetail.driver.choice import (
        Choice,
        choose_targets,
    )
    from dovetail.driver.execution import (
        Outcome,
        execute,
    )
    from dovetail.driver.link_line import (
        LinkLine,
    )
    from dovetail.driver.post_linking import (
        PostLinkRequest,
        PostLinkResult,
        TableFile,
        link_only,
        post_link,
    )
    from dovetail.driver.run import (
        Built,
        Checked,
        build_executable,
        build_objects,
        build_program,
        build_to_run,
        check_sources,
        dry_run,
        phases_of,
        run_passes,
    )
    from dovetail.driver.watching import Manner, Spent, Watcher, Watchers, all_cores, title_of

__all__ = [
    "Action",
    "BuildRequest",
    "Built",
    "CheckRequest",
    "Checked",
    "Choice",
    "CompileWarning",
    "Job",
    "LinkLine",
    "Manner",
    "ObjectRequest",
    "Outcome",
    "PassRequest",
    "Phase",
    "PostLinkRequest",
    "PostLinkResult",
    "RunRequest",
    "Spent",
    "TableFile",
    "Watcher",
    "Watchers",
    "all_cores",
    "bind",
    "build",
    "build_executable",
    "build_objects",
    "build_program",
    "build_to_run",
    "check_sources",
    "choose_targets",
    "dry_run",
    "execute",
    "link_only",
    "phases_of",
    "plan_build",
    "plan_check",
    "plan_objects",
    "plan_passes",
    "plan_run",
    "post_link",
    "run_passes",
    "title_of",
]

__getattr__ = on_demand(
    __name__,
    {
        "actions": (
            "Action",
            "BuildRequest",
            "CheckRequest",
            "ObjectRequest",
            "PassRequest",
            "Phase",
            "RunRequest",
            "plan_build",
            "plan_check",
            "plan_objects",
            "plan_passes",
            "plan_run",
        ),
        "binding": (
            "Job",
            "bind",
        ),
        "building": (
            "CompileWarning",
            "build",
        ),
        "choice": (
            "Choice",
            "choose_targets",
        ),
        "execution": (
            "Outcome",
            "execute",
        ),
        "link_line": ("LinkLine",),
        "post_linking": (
            "PostLinkRequest",
            "PostLinkResult",
            "TableFile",
            "link_only",
            "post_link",
        ),
        "run": (
            "Built",
            "Checked",
            "build_executable",
            "build_objects",
            "build_program",
            "build_to_run",
            "check_sources",
            "dry_run",
            "phases_of",
            "run_passes",
        ),
        "watching": ("Manner", "Spent", "Watcher", "Watchers", "all_cores", "title_of"),
    },
)
