"""Link device code, resolve_conditions conditions for targets, and split it into images."""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.step import AnyStep, Job, SavedResults, Step, Task
from dovetail.driver.steps.cross_source_calls import CrossSourceCalls
from dovetail.driver.steps.object_code import ObjectCode, device_modules
from dovetail.driver.steps.passes import Passes
from dovetail.driver.units import family_words, known_targets
from dovetail.postlink import OptionalFeatures, SplitMode
from dovetail.targets import Target
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.artifacts import DeviceImage, DeviceModule
    from dovetail.postlink import LinkedProgram


class PostLinkFields(NamedTuple):
    """What is linked, and how it is split."""

    modules: tuple[Passes | ObjectCode, ...]
    check: CrossSourceCalls | None
    """What has to succeed first where sources are not linked with each other."""
    names: tuple[str, ...]
    """Of the program's sources."""
    family: IRFamily
    warnings: tuple[str, ...]
    """The `-W` words that the analysis of device code goes by."""
    split: SplitMode
    features: OptionalFeatures
    decided_early: bool
    """Whether conditions were decided before code was optimised."""
    targets: tuple[Target, ...]
    """What the code is linked for."""
    by_headers: bool
    """Whether the preprocessor has decided what is for which device."""
    fixed_targets: tuple[Target, ...]
    """What the program is meant to run on, if nothing else."""
    configured_targets: tuple[Target, ...]
    """Those of the user's configuration files, whether they are built for or not."""


class PostLink(Step["list[DeviceImage]"], PostLinkFields):
    """The images of everything that is linked together."""

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
        if self.by_headers:
            linked = replace(linked, resolved_for=tuple(target.name for target in self.targets))
        refuse_undefined(linked)
        task.session.made_meanwhile(task.job, linked)
        images = [image for program in self._programs(task, linked) for image in program]
        for image in images:
            refuse_variables(image, linked.facts)
        return images

    def _programs(self, task: Task, linked: "LinkedProgram") -> "list[list[DeviceImage]]":
        """Return the images, as often as conditions in the code are decided in different ways.

        For drivers that compile as the program runs they stay open; in conditional code, which
        decides them itself, for all.
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
        if self.features is OptionalFeatures.CONDITIONAL and not self.decided_early:
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
    """Return the modules in one context; read in their order, types have the same names always."""
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
