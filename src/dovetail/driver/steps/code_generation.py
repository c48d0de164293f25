"""The step that generates the code of images for all targets."""

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from dovetail.codegen import generators_of
from dovetail.driver.step import AnyStep, Job, SavedResults, Step, Task
from dovetail.driver.steps.post_link import PostLink
from dovetail.targets import Target

if TYPE_CHECKING:
    from dovetail.artifacts import CompiledImage
    from dovetail.driver.steps.aspect_filter import AspectFilter

_KEEP_GOING = "with -fsycl-keep-going, 'dovetail c++' writes the program without that code"


class CodeGenerationFields(NamedTuple):
    """The images, and the targets to generate code for."""

    linked: PostLink
    filters: "tuple[AspectFilter, ...]"
    """One for each target; none for any device."""
    fixed_targets: tuple[Target, ...]
    """The only targets that the program is meant to run on, if given."""
    keep_going: bool
    """Whether to continue without code that compilers reject."""


class CodeGeneration(Step["list[CompiledImage]"], CodeGenerationFields):
    """Return the images with their code."""

    __slots__ = ()
    title = "code generation"
    makes = "code of images"
    side = "device"
    waits_for_compilers = True

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.linked, *self.filters)

    def about(self) -> tuple[str, ...]:
        return (self.side, self.linked.family)

    def words(self) -> tuple[str, ...]:
        targets = [each.target for each in self.filters]
        toolchains = dict.fromkeys(each.target.toolchain for each in targets) or ("",)
        names = dict.fromkeys(g.name for each in toolchains for g in generators_of(each))
        return ("generate", ",".join(names), *(each.name for each in targets))

    def preload(self) -> None:
        # Most generators compile SPIR-V.
        import_module("dovetail.codegen.spirv.image_spirv")
        import_module("dovetail.driver.code_cache")
        import_module("dovetail.driver.target_code")

    def run(self, task: Task) -> "list[CompiledImage]":
        from concurrent.futures import ThreadPoolExecutor

        from dovetail.codegen.session import CodegenSession
        from dovetail.driver.code_cache import CachingCodeGenerator, ModuleDigests
        from dovetail.driver.slots import SlotExecutor
        from dovetail.driver.target_code import (
            compiled_images,
            generate_code,
            group_targets,
            start_compilers,
        )

        session, images = task.session, task.results.of(self.linked)
        filtered = task.results.all_of(self.filters)
        task.contexts += {image.module.context for image in images}
        groups = group_targets(filtered)
        slots = session.slots
        start_compilers(session.jobs, at_most=slots.count)
        if session.trace:
            digests = ModuleDigests()
            groups = [
                group._replace(generator=CachingCodeGenerator(group.generator, digests))
                for group in groups
            ]
        with ThreadPoolExecutor(slots.count) as pool:
            executor = SlotExecutor(pool, slots, session.processes.current)
            codegen = CodegenSession.on(executor)
            if session.reports_intermediate_results:
                # Imported late, since only -save-temps and -ftime-report need it.
                from dovetail.driver.specialising import specialised_images

                for each in specialised_images(images, groups, codegen, slots.lent()):
                    session.report_intermediate_result(task.job, each)
            made = generate_code(images, groups, codegen, slots.lent())
        for invalid in made.invalid:
            session.report_intermediate_result(task.job, invalid)
        if made.failures and not self.keep_going:
            from dovetail.codegen import CodeRefused

            raise CodeRefused(made.failures, advice=_KEEP_GOING)
        task.failures += made.failures
        return compiled_images(images, made, filtered, [each.name for each in self.fixed_targets])

    def save(self, files: SavedResults, job: Job, result: "list[CompiledImage]") -> None:
        files.write_code(self.linked, result)
