"""The step that adds device code to a source's object file."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from dovetail.driver.step import AnyStep, Job, SavedResults, Task
from dovetail.driver.steps.device_compile import DeviceCompile
from dovetail.driver.steps.host_compile import HostCompile
from dovetail.driver.steps.passes import Passes
from dovetail.driver.steps.source_object import SourceObject
from dovetail.frontend import Dependencies, PrecompiledHeader, object_command
from dovetail.targets import Target


class ObjectFileFields(NamedTuple):
    """The parts of an object file."""

    host: HostCompile
    modules: tuple[Passes, ...]
    """The device code for each IR family."""
    listings: tuple[DeviceCompile, ...]
    """The device compilations whose dependencies are merged into the dependency file."""
    output: Path
    headers: tuple[PrecompiledHeader, ...]
    """The headers whose bodies have to be linked with the object."""
    dependencies: Dependencies
    targets: tuple[Target, ...]


class ObjectFile(SourceObject, ObjectFileFields):
    """Make an object with a section for device code, if any, and its dependency file."""

    __slots__ = ()
    title = "object"

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.host, *self.modules, *self.listings)

    def job(self, place: Path, jobs: Mapping[AnyStep, Job]) -> Job:
        compiled, *dependencies = jobs[self.host].outputs
        for each in self.listings:
            dependencies += jobs[each].outputs[2:]
        outputs = (place.with_suffix(".o"), place.with_suffix(".offload"))
        command = object_command(outputs[1], compiled, outputs[0])
        return Job(self, command, outputs, (compiled, *dependencies))

    def preload(self) -> None:
        import_module("dovetail.driver.objects")

    def run(self, task: Task) -> dict[Path, bytes]:
        from dovetail.driver.objects import merged_dependencies, section_of
        from dovetail.image.device_section import write_device_section

        modules = [(task.results.of(each), each.targets or self.targets) for each in self.modules]
        compiled, *dependencies = task.job.inputs
        made, section_file = task.job.outputs
        section = section_of(modules, self.headers)
        if section:
            section_file.write_bytes(write_device_section(section))
            task.session.tools.run(task.job.command, outputs=[made])
        contents = [(made if section else compiled).read_bytes()]
        if dependencies:
            contents.append(merged_dependencies(dependencies, self.dependencies))
        return self.named(contents)

    def save(self, files: SavedResults, job: Job, result: dict[Path, bytes]) -> None:
        files.copy(job.outputs[1], f"{files.stem(self.host.source)}.device.offload")
