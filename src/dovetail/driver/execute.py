"""Doing the jobs, one after the other."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dovetail.artifacts import CompiledImage, DeviceImage, DeviceModule
from dovetail.codegen.spirv import emit_spirv, validate_spirv
from dovetail.driver.actions import Phase
from dovetail.driver.bind import Job
from dovetail.facts import Facts, parse_facts
from dovetail.files import read_bytes
from dovetail.frontend import compile_device, precompile_input, run_clang, store_precompiled
from dovetail.ir import Context, parse_untrusted
from dovetail.package import package_program
from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.postlink import link_modules, refuse_undefined, split_images

Listener = Callable[[Job], None]
"""Told of each job before it starts."""


@dataclass
class Results:
    """What the jobs so far have left for those to come, and in the end for the caller."""

    modules: list[DeviceModule] = field(default_factory=list[DeviceModule])
    images: list[DeviceImage] = field(default_factory=list[DeviceImage])
    compiled: list[CompiledImage] = field(default_factory=list[CompiledImage])
    program: bytes = b""
    warnings: list[str] = field(default_factory=list[str])
    """What clang said about the sources."""


def execute(jobs: Sequence[Job], listener: Listener = lambda job: None) -> Results:
    """Do the jobs in order."""
    context, results = Context(), Results()
    for job in jobs:
        listener(job)
        _DO[job.action.phase](job, context, results)
    return results


def _precompile(job: Job, context: Context, results: Results) -> None:
    assert job.action.header
    made, dependencies = job.outputs
    run_clang(job.command, precompile_input())
    store_precompiled(job.action.header, made, dependencies)


def _compile(job: Job, context: Context, results: Results) -> None:
    assert job.action.source
    bitcode, facts = job.outputs
    module, warnings = compile_device(
        context, job.command, job.action.source, bitcode=bitcode, facts=facts
    )
    results.modules.append(module)
    if warnings:
        results.warnings.append(warnings)


def _read(job: Job, context: Context, results: Results) -> None:
    _, path, *facts_path = job.command
    data = sys.stdin.buffer.read() if path == "-" else read_bytes(path)
    facts = parse_facts(read_bytes(facts_path[0])) if facts_path else Facts()
    results.modules.append(DeviceModule(parse_untrusted(data, path, context), facts))


def _run_passes(job: Job, context: Context, results: Results) -> None:
    # A module's passes follow its compilation at once, so the newest module is the one meant.
    device = results.modules[-1]
    run_pipeline(parse_pipeline(job.action.pipeline), PassContext(device.facts), device.module)


def _post_link(job: Job, context: Context, results: Results) -> None:
    linked = link_modules(results.modules)
    refuse_undefined(linked)
    results.images = list(split_images(linked))


def _generate(job: Job, context: Context, results: Results) -> None:
    results.compiled = [emit_spirv(image) for image in results.images]
    for image in results.compiled:
        validate_spirv(image)


def _package(job: Job, context: Context, results: Results) -> None:
    results.program = package_program(results.compiled)


_DO: dict[Phase, Callable[[Job, Context, Results], None]] = {
    Phase.PRECOMPILE: _precompile,
    Phase.COMPILE: _compile,
    Phase.READ: _read,
    Phase.PASSES: _run_passes,
    Phase.POST_LINK: _post_link,
    Phase.GENERATE: _generate,
    Phase.PACKAGE: _package,
}
