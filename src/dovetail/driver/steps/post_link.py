"""The step that links device code, resolves conditions for targets, and splits it into images."""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.device_compilations import family_words, known_targets
from dovetail.driver.step import AnyStep, Job, SavedResults, Step, Task
from dovetail.driver.steps.passes import Passes, device_modules
from dovetail.postlink import OptionalFeatures, SplitMode
from dovetail.targets import Target
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.artifacts import DeviceImage, DeviceModule
    from dovetail.driver.steps.cross_source_calls import CrossSourceCalls
    from dovetail.driver.steps.object_code import ObjectCode
    from dovetail.postlink import LinkedProgram


class PostLinkFields(NamedTuple):
    """The modules to link, and how to split them."""

    modules: "tuple[Passes | ObjectCode, ...]"
    check: "CrossSourceCalls | None"
    """The check of calls between sources, if these are linked separately."""
    names: tuple[str, ...]
    """The names of the program's sources."""
    family: IRFamily
    warnings: tuple[str, ...]
    """The `-W` options, for findings in device code."""
    split: SplitMode
    features: OptionalFeatures
    resolved_early: bool
    """Whether conditions were resolved before optimization."""
    targets: tuple[Target, ...]
    """The targets of the code; empty for any device."""
    resolved_by_macros: bool
    """Whether the preprocessor has resolved conditions."""
    fixed_targets: tuple[Target, ...]
    """The only targets that the program is meant to run on, if given."""
    configured_targets: tuple[Target, ...]
    """The targets of the user's configuration files, including those that are not built for."""


class PostLink(Step["list[DeviceImage]"], PostLinkFields):
    """Link modules and return their images."""

    __slots__ = ()
    title = "post-link"
    makes = "images"
    side = "device"
    not_in_key = ("names",)

    def inputs(self) -> tuple[AnyStep, ...]:
        return (*self.modules, *((self.check,) if self.check else ()))

    def about(self) -> tuple[str, ...]:
        return (self.side, self.family)

    def words(self) -> tuple[str, ...]:
        is_usual = self.features is OptionalFeatures.SPLIT
        features = () if is_usual else (f"-optional-features={self.features}",)
        split = f"-split={self.split}"
        return (self.title, split, *features, *self.names, *family_words(self.family))

    def preload(self) -> None:
        import_module("dovetail.driver.reporting")
        import_module("dovetail.postlink.post_link")

    def run(self, task: Task) -> "list[DeviceImage]":
        from dataclasses import replace

        from dovetail.postlink import link_modules, refuse_undefined, refuse_variables

        modules = [module for step in self.modules for module in device_modules(task.results, step)]
        if not modules:
            return []
        linked = link_modules(_in_one_context(task, modules))
        if self.resolved_by_macros:
            linked = replace(linked, resolved_for=tuple(target.name for target in self.targets))
        refuse_undefined(linked)
        task.session.report_intermediate_result(task.job, linked)
        images = [image for program in self._programs(task, linked) for image in program]
        for image in images:
            refuse_variables(image, linked.facts)
        return images

    def _programs(self, task: Task, linked: "LinkedProgram") -> "list[list[DeviceImage]]":
        """Return the images of each variant of the program.

        A variant is for targets on which all conditions have the same outcome. Conditions stay open
        for targets that drivers compile for at run time, and in conditional code.
        """
        from dataclasses import replace

        from dovetail.driver.reporting import report
        from dovetail.postlink import PostLinked, find_between_sources

        table = known_targets(self.configured_targets, self.targets)
        split = partial(PostLinked.of, mode=self.split, features=self.features, table=table)
        program = split(linked)
        found = find_between_sources(
            linked, program.used, self.fixed_targets, conditional=program.conditional, table=table
        )
        report(task, found, self.warnings)
        ahead = [target for target in self.targets if target.toolchain]
        if not ahead:
            return [list(program.images())]
        # Imported late: only code that is compiled ahead of time needs conditions resolved here.
        from dovetail.postlink import (
            conditions_in,
            resolve_conditions,
            unknown_conditions,
            variants_of,
        )

        written = conditions_in(linked)
        if not written:
            return [list(program.images())]
        report(task, list(unknown_conditions(linked, written, ahead, table)), self.warnings)
        if self.features is OptionalFeatures.CONDITIONAL and not self.resolved_early:
            return [list(program.images())]
        programs = [
            list(split(resolve_conditions(linked, variant)).images())
            for variant in variants_of(written, ahead, table)
        ]
        at_run_time = tuple(each.name for each in self.targets if not each.toolchain)
        if at_run_time:
            programs.insert(0, [replace(each, targets=at_run_time) for each in program.images()])
        return programs

    def save(self, files: SavedResults, job: Job, result: "list[DeviceImage]") -> None:
        files.write_images(self, result)


def _in_one_context(task: Task, modules: "Sequence[DeviceModule]") -> "Sequence[DeviceModule]":
    """Return the modules in one context, which the task then has.

    They are read in order, so that names of types are reproducible.
    """
    from dataclasses import replace

    from dovetail.ir import Module

    contexts = {device.module.context for device in modules}
    if len(contexts) == 1:
        task.contexts += contexts
        return modules
    context = task.new_context()
    return [
        replace(each, module=Module.parse(context, each.module.to_bitcode(), each.module.name))
        for each in modules
    ]
