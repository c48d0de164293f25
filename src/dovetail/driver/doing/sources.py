"""Compiling sources for devices, and checking them.

What works on the result is loaded while clang makes it, LLVM above all: that takes longer than
clang needs for a small source.
"""

from typing import TYPE_CHECKING

from dovetail.driver.doing.bench import Task
from dovetail.driver.doing.tools import run_clang
from dovetail.driver.ways import WAYS, function
from dovetail.errors import CompileError

if TYPE_CHECKING:
    from dovetail.facts import Facts

_GET_READY = "device:get_ready"


def compile_device(task: Task) -> None:
    """Have clang compile a source, and hold what it has to the rules of SYCL."""
    from dovetail.frontend.crashes import ClangCrashed

    try:
        run_clang(task, meanwhile=lambda: _load_what_follows(task))
    except ClangCrashed:
        # What SYCL forbids on devices is what clang generates code for least well.
        if task.job.outputs[1].exists():
            _report(task)
        raise
    _report(task)


def check(task: Task) -> "Facts | CompileError":
    """A source that does not compile is no reason to leave the others alone."""
    from dovetail.frontend import load_facts

    try:
        run_clang(task)
    except CompileError as error:
        return error
    return load_facts(task.job.outputs[0], task.action.unique_prefix)


def _report(task: Task) -> None:
    from dovetail.driver.doing.checking import report_source

    report_source(task)


def _load_what_follows(task: Task) -> None:
    """What does the steps that take what this one makes; they are hardly ever kept without it."""
    for job in task.bench.jobs.values():
        if task.action in job.action.inputs:
            function(WAYS[job.action.phase].do)
            function(_GET_READY)(job)
