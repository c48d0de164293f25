"""Looking at sources for what the plugin sees in them, and at all of them together."""

from typing import Any, cast

from dovetail.analysis import Analysis
from dovetail.driver.binding import Job
from dovetail.driver.doing.bench import Task
from dovetail.driver.doing.tools import run_clang
from dovetail.errors import CompileError
from dovetail.facts import Facts
from dovetail.facts_json import parse_facts
from dovetail.frontend import load_facts


def check(task: Task) -> Facts | CompileError:
    """A source that does not compile is no reason to leave the others alone."""
    try:
        run_clang(task)
    except CompileError as error:
        return error
    return load_facts(task.job.outputs[0], task.action.unique_prefix)


def freeze_facts(task: Task, made: Facts | CompileError) -> bytes | None:
    return None if isinstance(made, CompileError) else task.job.outputs[0].read_bytes()


def thaw_facts(job: Job, content: bytes, bench: object) -> Facts:
    return parse_facts(content, job.action.unique_prefix)


def analyze(job: Job, inputs: list[Any]) -> Analysis:
    """All sources that compile, taken together."""
    made = cast(list[Facts | CompileError], inputs)
    return Analysis.of([facts for facts in made if isinstance(facts, Facts)])
