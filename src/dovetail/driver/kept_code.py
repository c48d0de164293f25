"""Code of images that was made before: a code generator in front of another.

A change to one kernel leaves most images as they were, and making code takes longest of all steps.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from hashlib import sha256

from dovetail.artifacts import CodeForm, ConditionalCode, DeviceImage
from dovetail.cache import STEPS, get_parsed, key_of, put
from dovetail.codegen import NO_VALUES, BuildTarget, CodeGenerator, Values
from dovetail.codegen.generator import CodegenSession
from dovetail.driver.step_keys import FORMAT, target_parts
from dovetail.driver.toolchain import toolchain
from dovetail.errors import FormatError
from dovetail.image import AbstractModule, BundleState, SyclBin, read_program, write_program


class ModuleDigests:
    """The digests of images' modules, as they were before code was made of them.

    Generators change modules. So each `KeptCode` asks before it starts its generator, and those
    that come to an image later get what the first one got. One thread starts all of them.
    """

    def __init__(self) -> None:
        self._digests: dict[DeviceImage, bytes] = {}

    def of(self, image: DeviceImage) -> bytes:
        if image not in self._digests:
            self._digests[image] = sha256(image.module.to_bitcode()).digest()
        return self._digests[image]


class KeptCode(CodeGenerator):
    """Asks another generator for what is not kept yet."""

    def __init__(self, generator: CodeGenerator, digests: ModuleDigests) -> None:
        self._digests = digests
        self.name = generator.name
        self.specialises = generator.specialises
        self._generator = generator
        self._tools = toolchain()

    def check(self, target: BuildTarget) -> None:
        self._generator.check(target)

    def words(self, target: BuildTarget) -> tuple[str, ...]:
        return self._generator.words(target)

    def takes_options(self, target: BuildTarget) -> bool:
        return self._generator.takes_options(target)

    def prepare(self, count: int) -> None:
        self._generator.prepare(count)

    def effort(self, targets: Sequence[BuildTarget]) -> tuple[int, ...]:
        return self._generator.effort(targets)

    def generate(
        self,
        image: DeviceImage,
        targets: Sequence[BuildTarget],
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> Future[tuple[CodeForm, ...]]:
        """What the other one makes, or has made; only what it succeeded with is kept."""
        key = self._key(image, targets, values)
        made = get_parsed(STEPS, key, parse_code)
        if made is not None:
            future = Future[tuple[CodeForm, ...]]()
            future.set_result(made)
            return future
        future = self._generator.generate(image, targets, session, values)
        future.add_done_callback(lambda done: _keep(key, done))
        return future

    def _key(self, image: DeviceImage, targets: Sequence[BuildTarget], values: Values) -> str:
        told = [
            (target_parts(target.target), target.options, self._generator.words(target))
            for target in targets
        ]
        return key_of(
            ("format", FORMAT),
            ("tools", self._tools),
            ("generator", self._generator.name),
            ("targets", repr(told)),
            ("entry points", repr(image.entry_points)),
            ("requirements", repr(image.info.requirements)),
            ("conditions", _described(image.conditional)),
            ("values", repr(sorted(values.items()))),
            ("module", self._digests.of(image)),
        )


def _described(code: ConditionalCode | None) -> str:
    """All that what is made of conditional code depends on, beside the module."""
    if code is None:
        return ""
    return repr((code.constants, code.expressions.nodes, code.functions, code.calls))


def _keep(key: str, done: Future[tuple[CodeForm, ...]]) -> None:
    if not done.cancelled() and done.exception() is None:
        module = AbstractModule.of(None, done.result())
        put(STEPS, key, write_program(SyclBin.of(BundleState.INPUT, [module])))


def parse_code(content: bytes) -> tuple[CodeForm, ...]:
    """Return the code in an entry; `FormatError` if it has none, or does not say what it is."""
    modules = read_program(content).abstract_modules
    if len(modules) != 1:
        raise FormatError(f"code of {len(modules)} images instead of one")
    (module,) = modules
    for ir in module.ir_modules:
        _ = ir.ir_type, ir.target, ir.targets
    for native in module.native_images:
        _ = native.arch, native.target, native.targets, native.origin
    return (*module.ir_modules, *module.native_images)
