"""The driver: plan the steps of a request, and execute them.

Only the driver knows all stages of a build. It turns a request into a graph of steps, and the graph
into a list of jobs with exact commands, before it runs anything.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.driver.building import CompileWarning as CompileWarning, build as build
    from dovetail.driver.execution import Executed as Executed, execute as execute
    from dovetail.driver.inputs import LinkLine as LinkLine
    from dovetail.driver.job_listener import (
        ExecutionOptions as ExecutionOptions,
        JobListener as JobListener,
        JobListeners as JobListeners,
        Spent as Spent,
        all_cores as all_cores,
    )
    from dovetail.driver.planner import (
        plan_build as plan_build,
        plan_check as plan_check,
        plan_executable as plan_executable,
        plan_objects as plan_objects,
        plan_passes as plan_passes,
        plan_start as plan_start,
    )
    from dovetail.driver.post_linking import (
        SPIRV as SPIRV,
        PostLinkRequest as PostLinkRequest,
        PostLinkResult as PostLinkResult,
        TableFile as TableFile,
        link_only as link_only,
        post_link as post_link,
    )
    from dovetail.driver.requests import (
        BuildRequest as BuildRequest,
        CheckRequest as CheckRequest,
        ObjectRequest as ObjectRequest,
        PassRequest as PassRequest,
        RunRequest as RunRequest,
    )
    from dovetail.driver.run import (
        Built as Built,
        Checked as Checked,
        build_executable as build_executable,
        build_objects as build_objects,
        build_program as build_program,
        build_to_run as build_to_run,
        check_sources as check_sources,
        dry_run as dry_run,
        phases_of as phases_of,
        run_passes as run_passes,
    )
    from dovetail.driver.single_kernel import kernel as kernel
    from dovetail.driver.step import Job as Job, Step as Step, jobs_of as jobs_of
    from dovetail.driver.target_choice import (
        TargetChoice as TargetChoice,
        choose_targets as choose_targets,
    )
