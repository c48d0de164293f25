"""The step that runs passes over the device code of a source, or over a file of IR."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.device_compilations import family_words, known_targets
from dovetail.driver.step import AnyStep, Job, Results, SavedResults, Session, Step, Task
from dovetail.driver.steps.clang import has_known_reads
from dovetail.driver.steps.device_compile import DeviceCompile
from dovetail.frontend import Source
from dovetail.targets import Target
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from dovetail.artifacts import DeviceModule
    from dovetail.driver.steps.read_ir import ReadIR


class PassesFields(NamedTuple):
    """The code, and the passes to run."""

    code: "DeviceCompile | ReadIR"
    pipeline: str
    """The names of passes, as in `dovetail opt -p`."""
    family: IRFamily = IRFamily.SPIRV64
    source: Source | None = None
    """The source of the code, if it was compiled."""
    unique_prefix: str = ""
    targets: tuple[Target, ...] = ()
    """The target, if the code may depend on it; otherwise empty."""
    configured_targets: tuple[Target, ...] = ()
    """The targets of the user's configuration files."""


class Passes(Step["DeviceModule"], PassesFields):
    """Run the passes and return the module."""

    __slots__ = ()
    title = "passes"
    makes = "bitcode"
    side = "device"
    can_be_restored = True

    def inputs(self) -> tuple[AnyStep, ...]:
        return (self.code,)

    def subject(self) -> str:
        return self.source.path if self.source else ""

    def about(self) -> tuple[str, ...]:
        return (self.side, self.family)

    def words(self) -> tuple[str, ...]:
        name = [self.source.path] if self.source else []
        return ("passes", self.pipeline, *name, *family_words(self.family))

    def is_cacheable(self) -> bool:
        return self.source is None or has_known_reads(self.source)

    def preload(self) -> None:
        from dovetail.passes import parse_pipeline

        import_module("dovetail.driver.target_code")
        import_module("dovetail.ir")
        parse_pipeline(self.pipeline)

    def run(self, task: Task) -> "DeviceModule":
        from dovetail.driver.target_code import start_compilers
        from dovetail.passes import PassContext, parse_pipeline, run_pipeline

        # Only one: more would slow down the passes. The others start while code is emitted.
        start_compilers(task.session.jobs, at_most=1)
        device = self._loaded(task)
        table = known_targets(self.configured_targets, self.targets)
        context = PassContext(device.facts, self.unique_prefix, table)
        run_pipeline(parse_pipeline(self.pipeline), context, device.module)
        return device

    def _loaded(self, task: Task) -> "DeviceModule":
        """Return the module of the previous step, in a new context if it is in files."""
        from dovetail.artifacts import DeviceModule

        if not isinstance(self.code, DeviceCompile):
            return task.results.of(self.code)
        bitcode, facts, *_ = task.session.jobs[self.code].outputs
        name, prefix = self.code.source.path, self.code.unique_prefix
        return DeviceModule.load(task.new_context(), name, bitcode, facts, prefix)

    def serialize(self, task: Task, result: "DeviceModule") -> bytes:
        return result.module.to_bitcode()

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> "DeviceModule":
        """Return the module; its facts are in its metadata."""
        from dovetail.artifacts import DeviceModule
        from dovetail.device_metadata import facts_of
        from dovetail.ir import Context, Module

        module = Module.parse(Context(), content, self.subject())
        return DeviceModule(module, facts_of(module))

    def save(self, files: SavedResults, job: Job, result: "DeviceModule") -> None:
        owner = files.stem(self.source) if self.source else files.program
        files.write(f"{owner}.device.{self.family}.passes.bc", result.module.to_bitcode())


def device_modules(
    results: Results, step: "Passes | Step[list[DeviceModule]]"
) -> "list[DeviceModule]":
    """Return the modules of a step: one for a source, any number for objects."""
    return [results.of(step)] if isinstance(step, Passes) else results.of(step)
