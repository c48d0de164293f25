"""The driver: plan the steps of a request, and execute them.

Only the driver knows all stages of a build. It turns a request into a graph of steps, and the graph
into a list of jobs with exact commands, before it runs anything.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.driver.building import CompileWarning as CompileWarning
    from dovetail.driver.building import build as build
    from dovetail.driver.execution import Executed as Executed
    from dovetail.driver.execution import execute as execute
    from dovetail.driver.inputs import LinkLine as LinkLine
    from dovetail.driver.job_listener import (
        ExecutionOptions as ExecutionOptions,
    )
    from dovetail.driver.job_listener import (
        JobListener as JobListener,
    )
    from dovetail.driver.job_listener import (
        JobListeners as JobListeners,
    )
    from dovetail.driver.job_listener import (
        Spent as Spent,
    )
    from dovetail.driver.job_listener import (
        all_cores as all_cores,
    )
    from dovetail.driver.planner import plan_build as plan_build
    from dovetail.driver.planner import plan_check as plan_check
    from dovetail.driver.planner import plan_executable as plan_executable
    from dovetail.driver.planner import plan_objects as plan_objects
    from dovetail.driver.planner import plan_passes as plan_passes
    from dovetail.driver.planner import plan_start as plan_start
    from dovetail.driver.post_linking import (
        SPIRV as SPIRV,
    )
    from dovetail.driver.post_linking import (
        PostLinkRequest as PostLinkRequest,
    )
    from dovetail.driver.post_linking import (
        PostLinkResult as PostLinkResult,
    )
    from dovetail.driver.post_linking import (
        TableFile as TableFile,
    )
    from dovetail.driver.post_linking import (
        link_only as link_only,
    )
    from dovetail.driver.post_linking import (
        post_link as post_link,
    )
    from dovetail.driver.requests import BuildRequest as BuildRequest
    from dovetail.driver.requests import CheckRequest as CheckRequest
    from dovetail.driver.requests import ObjectRequest as ObjectRequest
    from dovetail.driver.requests import PassRequest as PassRequest
    from dovetail.driver.requests import RunRequest as RunRequest
    from dovetail.driver.run import (
        Built as Built,
    )
    from dovetail.driver.run import (
        Checked as Checked,
    )
    from dovetail.driver.run import (
        build_executable as build_executable,
    )
    from dovetail.driver.run import (
        build_objects as build_objects,
    )
    from dovetail.driver.run import (
        build_program as build_program,
    )
    from dovetail.driver.run import (
        build_to_run as build_to_run,
    )
    from dovetail.driver.run import (
        check_sources as check_sources,
    )
    from dovetail.driver.run import (
        dry_run as dry_run,
    )
    from dovetail.driver.run import (
        phases_of as phases_of,
    )
    from dovetail.driver.run import (
        run_passes as run_passes,
    )
    from dovetail.driver.single_kernel import kernel as kernel
    from dovetail.driver.step import Job as Job
    from dovetail.driver.step import Step as Step
    from dovetail.driver.step import jobs_of as jobs_of
    from dovetail.driver.target_choice import TargetChoice as TargetChoice
    from dovetail.driver.target_choice import choose_targets as choose_targets
