"""The step that collects the device code of object files and archives."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.device_compilations import family_words
from dovetail.driver.inputs import LinkedObject
from dovetail.driver.step import AnyStep, Job, SavedResults, Step, Task
from dovetail.driver.steps.host_link import HostLink, kind_of_linked
from dovetail.driver.steps.passes import Passes
from dovetail.packing import packed
from dovetail.targets import Target
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from dovetail.artifacts import DeviceModule


class ObjectCodeFields(NamedTuple):
    """The objects, and the IR family and targets whose code is collected."""

    objects: tuple[LinkedObject, ...]
    family: IRFamily
    targets: tuple[Target, ...]
    modules: tuple[Passes, ...] = ()
    """The program's own sources, which are linked with it."""
    linked: HostLink | None = None
    """The step that determines which archive members are linked."""


class ObjectCode(Step["list[DeviceModule]"], ObjectCodeFields):
    """Return the device modules of objects."""

    __slots__ = ()
    title = "device code of objects"
    makes = "bitcode and facts"
    side = "device"

    def inputs(self) -> tuple[AnyStep, ...]:
        return (*self.modules, *((self.linked,) if self.linked else ()))

    def about(self) -> tuple[str, ...]:
        return (self.side, self.family)

    def input_files(self) -> Iterator[tuple[str, str]]:
        names = dict.fromkeys(linked.archive or linked.path for linked in self.objects)
        yield from ((name, kind_of_linked(name)) for name in names)

    def words(self) -> tuple[str, ...]:
        return ("gather", *map(str, self.objects), *family_words(self.family))

    def run(self, task: Task) -> "list[DeviceModule]":
        from dovetail.driver.objects import WantedCode, gather

        sources = task.results.all_of(self.modules)
        taken = list(task.results.of(self.linked).taken) if self.linked else []
        wanted = WantedCode(self.family, tuple(target.name for target in self.targets))
        return gather(self.objects, taken, sources, task.new_context(), wanted)

    def serialize(self, task: Task, result: "list[DeviceModule]") -> bytes:
        names = (device.module.name.encode(errors="surrogateescape") for device in result)
        return packed([*names, *(device.module.to_bitcode() for device in result)])

    def save(self, files: SavedResults, job: Job, result: "list[DeviceModule]") -> None:
        for number, device in enumerate(result):
            # The triple comes from untrusted bitcode.
            family = files.safe(device.module.triple.partition("-")[0])
            name = f"{files.program}.gathered_{number}.{family}.bc"
            files.write(name, device.module.to_bitcode())
