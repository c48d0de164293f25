"""Doing the jobs, one after the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dovetail.artifacts import CompiledImage, DeviceImage, DeviceModule
from dovetail.codegen.spirv import emit_spirv, validate_spirv
from dovetail.driver.actions import Phase
from dovetail.driver.bind import Job
from dovetail.frontend import (
    PrecompiledHeader,
    compile_device,
    precompile_input,
    run_clang,
    store_precompiled,
)
from dovetail.ir import Context
from dovetail.package import package_program
from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.postlink import link_modules, split_images


@dataclass(frozen=True)
class BuildResult:
    """A built program, and what clang said about its sources."""

    program: bytes
    warnings: tuple[str, ...]


Listener = Callable[[Job], None]
"""Told of each job before it starts."""


def execute(
    jobs: Sequence[Job], header: PrecompiledHeader, listener: Listener = lambda job: None
) -> BuildResult:
    """Do the jobs in order; the last of them packages the program."""
    work = _Work(header)
    for job in jobs:
        listener(job)
        work.do(job)
    return BuildResult(work.program, tuple(work.warnings))


@dataclass
class _Work:
    """What the jobs so far have left for those to come."""

    header: PrecompiledHeader
    context: Context = field(default_factory=Context)
    modules: list[DeviceModule] = field(default_factory=list[DeviceModule])
    images: list[DeviceImage] = field(default_factory=list[DeviceImage])
    compiled: list[CompiledImage] = field(default_factory=list[CompiledImage])
    warnings: list[str] = field(default_factory=list[str])
    program: bytes = b""

    def do(self, job: Job) -> None:
        match job.action.phase:
            case Phase.PRECOMPILE:
                self._precompile(job)
            case Phase.COMPILE:
                self._compile(job)
            case Phase.PASSES:
                self._run_passes(job)
            case Phase.POST_LINK:
                self.images = list(split_images(link_modules(self.modules)))
            case Phase.GENERATE:
                self.compiled = [emit_spirv(image) for image in self.images]
                for image in self.compiled:
                    validate_spirv(image)
            case Phase.PACKAGE:
                self.program = package_program(self.compiled)

    def _precompile(self, job: Job) -> None:
        header, dependencies = job.outputs
        run_clang(job.command, precompile_input())
        store_precompiled(self.header, header, dependencies)

    def _compile(self, job: Job) -> None:
        assert job.action.source
        bitcode, facts = job.outputs
        module, warnings = compile_device(
            self.context, job.command, job.action.source, bitcode=bitcode, facts=facts
        )
        self.modules.append(module)
        if warnings:
            self.warnings.append(warnings)

    def _run_passes(self, job: Job) -> None:
        # The jobs are in order of the sources, so the newest module is the one this job is about.
        device = self.modules[-1]
        _, pipeline, _ = job.command
        run_pipeline(parse_pipeline(pipeline), PassContext(device.facts), device.module)
