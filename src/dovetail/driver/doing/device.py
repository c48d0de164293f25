"""Steps of device code, which LLVM has a part in."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from dovetail.artifacts import CompiledImage, DeviceImage, DeviceModule
from dovetail.codegen import CodeRefused, generators_of
from dovetail.codegen.generator import CodegenSession, Once
from dovetail.device_metadata import facts_of
from dovetail.driver.actions import Phase
from dovetail.driver.binding import Job
from dovetail.driver.doing.bench import Bench, Task
from dovetail.driver.doing.checking import report
from dovetail.driver.doing.plain import HostLibrary, object_files
from dovetail.driver.doing.specialising import specialised_images
from dovetail.driver.kept_code import KeptCode, ModuleDigests
from dovetail.driver.objects import Wanted, gather, merged_dependencies, section_of
from dovetail.driver.slots import InTurn
from dovetail.driver.target_code import (
    TargetImages,
    compiled_images,
    filter_images,
    generate_code,
    group_targets,
)
from dovetail.errors import InputError
from dovetail.facts import Facts
from dovetail.facts_json import parse_facts
from dovetail.files import FACTS, LLVM_IR, read_bytes, read_input, require_utf8_name
from dovetail.frontend import load_device_module
from dovetail.image import ImageInfo
from dovetail.image.device_section import write_device_section
from dovetail.ir import Context, Module, parse_untrusted
from dovetail.package import package_program
from dovetail.packing import packed
from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.postlink import (
    LinkedProgram,
    OptionalFeatures,
    PostLinked,
    conditions_in,
    decide,
    find_between_sources,
    link_modules,
    open_questions,
    refuse_calls_between,
    refuse_undefined,
    refuse_variables,
    variants_of,
)

_KEEP_GOING = "with -fsycl-keep-going, 'dovetail c++' writes the program without that code"


def read(task: Task) -> DeviceModule:
    """A file of IR."""
    _, path, *facts_path = task.job.command
    require_utf8_name(path)
    data = read_input(path, LLVM_IR)
    facts = parse_facts(read_bytes(facts_path[0], FACTS)) if facts_path else Facts()
    return DeviceModule(parse_untrusted(data, path, task.new_context()), facts)


def get_ready(job: Job) -> None:
    """While nothing is there yet for a job: load its passes."""
    if job.action.pipeline:
        parse_pipeline(job.action.pipeline)


def _start_compilers(bench: Bench, at_most: int) -> None:
    """Those that images will go to; what has come up already is not started again."""
    targets = (job.action.target for job in bench.jobs.values())
    toolchains = (target.target.toolchain for target in targets if target)
    counts = Counter(generator for each in toolchains for generator in generators_of(each))
    for generator, count in counts.items():
        generator.prepare(min(count, at_most))


def run_passes(task: Task) -> DeviceModule:
    """What clang made of a source, or what was read, after the passes."""
    # One, or they would be in the way of the passes; the others come up while code is emitted.
    _start_compilers(task.bench, at_most=1)
    source = task.action.source
    (needed,) = task.action.inputs
    if needed.phase is Phase.READ or source is None:
        (device,) = task.inputs
    else:
        bitcode, facts, *_ = task.bench.jobs[needed].outputs
        prefix = needed.unique_prefix
        device = load_device_module(task.new_context(), source.path, bitcode, facts, prefix)
    context_of_passes = PassContext(device.facts, task.action.unique_prefix, task.action.table)
    run_pipeline(parse_pipeline(task.action.pipeline), context_of_passes, device.module)
    return device


def freeze_module(task: Task, made: DeviceModule) -> bytes:
    return made.module.to_bitcode()


def thaw_module(job: Job, content: bytes, bench: Callable[[], Bench]) -> DeviceModule:
    """As from an object file: the facts travel in the module."""
    assert job.action.source
    module = Module.parse(Context(), content, job.action.source.path)
    return DeviceModule(module, facts_of(module))


def make_object(task: Task) -> dict[Path, bytes]:
    """The object, with a section for device code if there is any; and its dependency file."""
    modules = [
        (made, needed.targets or task.action.targets)
        for needed, made in zip(task.action.inputs, task.inputs, strict=True)
        if isinstance(made, DeviceModule)
    ]
    compiled, *dependencies = task.job.inputs
    made, section_file = task.job.outputs
    section = section_of(modules, task.action.bodies)
    if section:
        section_file.write_bytes(write_device_section(section))
        task.bench.tools.run(task.job.command, makes=[made])
    contents = [(made if section else compiled).read_bytes()]
    if dependencies:
        contents.append(merged_dependencies(dependencies, task.action.dependencies))
    return dict(zip(object_files(task.job), contents, strict=False))


def gather_objects(task: Task) -> list[DeviceModule]:
    """The device code that objects bring."""
    sources = [each for each in task.inputs if isinstance(each, DeviceModule)]
    taken = [name for each in task.inputs if isinstance(each, HostLibrary) for name in each.taken]
    wanted = Wanted(task.action.family, tuple(target.name for target in task.action.targets))
    return gather(task.action.objects, taken, sources, task.new_context(), wanted)


def freeze_gathered(task: Task, made: Sequence[DeviceModule]) -> bytes:
    names = (device.module.name.encode(errors="surrogateescape") for device in made)
    return packed([*names, *(device.module.to_bitcode() for device in made)])


def refuse_calls(task: Task) -> None:
    """Sources that are not linked with each other must not call each other."""
    refuse_calls_between(_groups(task.inputs))


def _groups(inputs: Sequence[Any]) -> list[list[DeviceModule]]:
    """The modules of each input that has some: a source has one, objects may have more."""
    made = cast(Sequence[DeviceModule | list[DeviceModule] | None], inputs)
    return [each if isinstance(each, list) else [each] for each in made if each is not None]


def _in_one_context(task: Task, modules: Sequence[DeviceModule]) -> Sequence[DeviceModule]:
    """As LLVM's linker wants them; read in their order, types have the same names each time."""
    contexts = {device.module.context for device in modules}
    if len(contexts) == 1:
        task.contexts += contexts
        return modules
    context = task.new_context()
    return [
        replace(each, module=Module.parse(context, each.module.to_bitcode(), each.module.name))
        for each in modules
    ]


def post_link(task: Task) -> list[DeviceImage]:
    """The images of everything that is linked together."""
    modules = [device for group in _groups(task.inputs) for device in group]
    if not modules:
        return []
    linked = link_modules(_in_one_context(task, modules))
    if task.action.by_headers:
        names = tuple(target.name for target in task.action.targets)
        linked = replace(linked, decided_for=names)
    refuse_undefined(linked)
    task.bench.watcher.made_meanwhile(task.job, linked)
    images = [image for program in _programs(task, linked) for image in program]
    for image in images:
        refuse_variables(image, linked.facts)
    return images


def _programs(task: Task, linked: LinkedProgram) -> list[list[DeviceImage]]:
    """The images, as often as conditions in the code are decided in different ways.

    For drivers that compile as the program runs they stay open; in conditional code, which decides
    them itself, for all.
    """
    action, table = task.action, task.action.table
    taken_apart = partial(PostLinked.of, mode=action.split, features=action.features, table=table)
    program = taken_apart(linked)
    found = find_between_sources(
        linked, program.used, action.fixed_targets, conditional=program.conditional, table=table
    )
    report(task, found, [])
    ahead = [target for target in action.targets if target.toolchain]
    written = conditions_in(linked) if ahead else []
    if not written:
        return [list(program.images())]
    report(task, list(open_questions(linked, written, ahead, table)), [])
    if action.features is OptionalFeatures.CONDITIONAL and not action.decided_early:
        return [list(program.images())]
    programs = [
        list(taken_apart(decide(linked, variant)).images())
        for variant in variants_of(written, ahead, table)
    ]
    at_run_time = tuple(each.name for each in action.targets if not each.toolchain)
    if at_run_time:
        programs.insert(0, [replace(each, targets=at_run_time) for each in program.images()])
    return programs


def filter_for_target(task: Task) -> TargetImages:
    """Which images a target gets."""
    (images,) = task.inputs
    assert task.action.target
    return filter_images(images, task.action.target, task.action.table)


def generate(task: Task) -> list[CompiledImage]:
    """The images with their code, for all targets."""
    images, *filtered = task.inputs
    task.contexts += {image.module.context for image in images}
    groups = group_targets(filtered)
    slots = task.bench.slots
    _start_compilers(task.bench, at_most=slots.count)
    if task.bench.trace:
        digests = ModuleDigests()
        groups = [group._replace(generator=KeptCode(group.generator, digests)) for group in groups]
    with ThreadPoolExecutor(slots.count) as pool:
        compilers = InTurn(pool, slots, task.bench.processes.current)
        session = CodegenSession(compilers, Once())
        if task.bench.watcher.needs_all:
            for each in specialised_images(images, groups, session, slots.lent()):
                task.bench.watcher.made_meanwhile(task.job, each)
        made = generate_code(images, groups, session, slots.lent())
    for invalid in made.invalid:
        task.bench.watcher.made_meanwhile(task.job, invalid)
    if made.failures and not task.action.keep_going:
        raise CodeRefused(made.failures, advice=_KEEP_GOING)
    task.failures += made.failures
    fixed = [target.name for target in task.action.fixed_targets]
    return compiled_images(images, made, filtered, fixed)


def _told_apart(linked_apart: Sequence[Sequence[CompiledImage]]) -> list[CompiledImage]:
    """All images, with add-ons that are numbered through: what is linked apart begins at 1."""
    images: list[CompiledImage] = []
    count = 0
    for group in linked_apart:
        add_ons = {add_on.identifier for image in group if (add_on := image.info.add_on)}
        if add_ons and count:
            images += (
                replace(image, info=_renumbered_add_ons(image.info, count)) for image in group
            )
        else:
            images += group
        count += len(add_ons)
    return images


def _renumbered_add_ons(info: ImageInfo, by: int) -> ImageInfo:
    """Return the same description with higher identifiers: the numbers that post-link gives."""
    add_on = info.add_on
    return replace(
        info,
        add_ons={str(int(each) + by): condition for each, condition in info.add_ons.items()},
        add_on=add_on and add_on._replace(identifier=str(int(add_on.identifier) + by)),
    )


def package(task: Task) -> bytes:
    """The program's file."""
    images = _told_apart(task.inputs)
    if task.action.needs_kernels and not images:
        raise InputError(
            "the program has no kernels",
            hint="mark a function with SYCL_EXT_ONEAPI_FUNCTION_PROPERTY"
            "((sycl::ext::oneapi::experimental::nd_range_kernel<1>))",
        )
    return package_program(images)
