"""Compilers that take a while to come up do so while passes run and code is emitted."""

import pytest

from dovetail.codegen.ocloc import OclocGenerator
from dovetail.driver import BuildRequest, build_program
from dovetail.driver.job_listener import ExecutionOptions, JobListener
from dovetail.driver.step import AnyStep, Job
from dovetail.driver.steps.code_generation import CodeGeneration
from dovetail.driver.steps.passes import Passes
from dovetail.frontend import Flags, Source
from dovetail.targets import default_table

KERNEL = """\
#include <sycl/sycl.hpp>
namespace exp = sycl::ext::oneapi::experimental;
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp::single_task_kernel)) void set_one(int *p) { *p = 1; }
"""
GPUS = ("intel_gpu_skl", "intel_gpu_dg1", "intel_gpu_pvc")


class Phases(JobListener):
    """Notes what begins."""

    needs_all = True

    def __init__(self) -> None:
        self.seen: list[type[AnyStep] | int] = []

    def started(self, job: Job) -> None:
        self.seen.append(type(job.step))


@pytest.mark.parametrize(("at_once", "count"), [(1, 1), (2, 2), (5, len(GPUS))])
def test_they_are_there_before_there_is_anything_to_compile(
    monkeypatch: pytest.MonkeyPatch, at_once: int, count: int
) -> None:
    """No more of them than targets, nor than may work at once."""
    phases = Phases()
    prepare = OclocGenerator.prepare

    def noted(generator: OclocGenerator, wanted: int) -> None:
        phases.seen.append(wanted)
        prepare(generator, wanted)

    monkeypatch.setattr(OclocGenerator, "prepare", noted)
    targets = tuple(default_table()[name] for name in GPUS)
    request = BuildRequest((Source.from_text(KERNEL),), Flags(targets=targets))
    build_program(request, ExecutionOptions(phases, at_once))
    wanted = (Passes, CodeGeneration)
    seen = [each for each in phases.seen if isinstance(each, int) or each in wanted]
    assert seen == [Passes, 1, CodeGeneration, count]


def test_nothing_comes_up_for_other_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(generator: OclocGenerator, wanted: int) -> None:
        pytest.fail("nobody needs it")

    monkeypatch.setattr(OclocGenerator, "prepare", refused)
    build_program(BuildRequest((Source.from_text(KERNEL),), Flags()), ExecutionOptions(Phases()))
