"""Run passes over the device code of one source, or over a file of IR."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.step import AnyStep, Job, SavedResults, Session, Step, Task
from dovetail.driver.steps.clang import has_known_reads
from dovetail.driver.steps.device_compile import DeviceCompile
from dovetail.driver.steps.read_ir import ReadIR
from dovetail.driver.units import family_words, known_targets
from dovetail.frontend import Source
from dovetail.targets import Target
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from dovetail.artifacts import DeviceModule


class PassesFields(NamedTuple):
    """Which passes run over what."""

    code: DeviceCompile | ReadIR
    pipeline: str
    """Passes by name, as `dovetail opt -p` takes them."""
    family: IRFamily = IRFamily.SPIRV64
    source: Source | None = None
    """What the code was compiled from."""
    unique_prefix: str = ""
    targets: tuple[Target, ...] = ()
    """The only target that the code is for, if there is one."""
    configured_targets: tuple[Target, ...] = ()
    """Those of the user's configuration files."""


class Passes(Step["DeviceModule"], PassesFields):
    """The module after the passes."""

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

        # One, or they would slow down the passes; the others start while code is emitted.
        start_compilers(task.session.jobs, at_most=1)
        device = self._loaded(task)
        table = known_targets(self.configured_targets, self.targets)
        context = PassContext(device.facts, self.unique_prefix, table)
        run_pipeline(parse_pipeline(self.pipeline), context, device.module)
        return device

    def _loaded(self, task: Task) -> "DeviceModule":
        from dovetail.frontend import load_device_module

        if isinstance(self.code, ReadIR):
            return task.results.of(self.code)
        bitcode, facts, *_ = task.session.jobs[self.code].outputs
        name, prefix = self.code.source.path, self.code.unique_prefix
        return load_device_module(task.new_context(), name, bitcode, facts, prefix)

    def serialize(self, task: Task, result: "DeviceModule") -> bytes:
        return result.module.to_bitcode()

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> "DeviceModule":
        """As from an object file: the facts travel in the module."""
        from dovetail.artifacts import DeviceModule
        from dovetail.device_metadata import facts_of
        from dovetail.ir import Context, Module

        module = Module.parse(Context(), content, self.subject())
        return DeviceModule(module, facts_of(module))

    def save(self, files: SavedResults, job: Job, result: "DeviceModule") -> None:
        owner = files.stem(self.source) if self.source else files.program
        files.write(f"{owner}.device.{self.family}.passes.bc", result.module.to_bitcode())
