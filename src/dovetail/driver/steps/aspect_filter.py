"""The step that selects the images that a target can run."""

from typing import TYPE_CHECKING, NamedTuple

from dovetail.codegen import BuildTarget
from dovetail.driver.device_compilations import known_targets
from dovetail.driver.step import AnyStep, Job, SavedResults, Step, Task
from dovetail.driver.steps.post_link import PostLink

if TYPE_CHECKING:
    from dovetail.driver.target_code import TargetImages


class AspectFilterFields(NamedTuple):
    """The post-link step with the images, and the target."""

    linked: PostLink
    target: BuildTarget


class AspectFilter(Step["TargetImages"], AspectFilterFields):
    """Select the images that a target can run."""

    __slots__ = ()
    title = "aspect filter"
    makes = "images"
    side = "device"
    follows_from_inputs = True

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.linked,)

    def subject(self) -> str:
        return self.target.name

    def about(self) -> tuple[str, ...]:
        return (self.side, self.linked.family, self.target.name)

    def words(self) -> tuple[str, ...]:
        return ("aspect-filter", "--arch", self.target.name)

    def toolchain(self) -> str:
        return self.target.target.toolchain

    def run(self, task: Task) -> "TargetImages":
        from dovetail.driver.target_code import filter_images

        table = known_targets(self.linked.configured_targets, self.linked.targets)
        return filter_images(task.results.of(self.linked), self.target, table)

    def save(self, files: SavedResults, job: Job, result: "TargetImages") -> None:
        files.write_table(self.linked, self.target.name, result.gets)
