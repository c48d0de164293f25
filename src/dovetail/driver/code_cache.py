"""Cache the code of images: a code generator that wraps another.

A change to one kernel leaves most images unchanged, and code generation is the slowest step.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from hashlib import sha256

from dovetail.artifacts import CodeForm, ConditionalCode, DeviceImage
from dovetail.cache import STEPS, get_parsed, key_of, put
from dovetail.codegen import NO_VALUES, BuildTarget, CodeGenerator, Values
from dovetail.codegen.session import CodegenSession
from dovetail.driver.step_keys import FORMAT, target_parts
from dovetail.driver.toolchain import toolchain
from dovetail.errors import FormatError
from dovetail.image import AbstractModule, BundleState, SyclBin, read_program, write_program


class ModuleDigests:
    """The digests of images' modules before code generation.

    Generators modify modules, so a digest is computed before the first generator starts on an
    image, and later generators get that digest. A single thread starts all generators.
    """

    def __init__(self) -> None:
        self._digests: dict[DeviceImage, bytes] = {}

    def of(self, image: DeviceImage) -> bytes:
        if image not in self._digests:
            self._digests[image] = sha256(image.module.to_bitcode()).digest()
        return self._digests[image]


class CachingCodeGenerator(CodeGenerator):
    """Returns cached code, and calls another generator for code that is not cached."""

    def __init__(self, generator: CodeGenerator, digests: ModuleDigests) -> None:
        self._digests = digests
        self.name = generator.name
        self.specialises = generator.specialises
        self._generator = generator
        self._tools = toolchain()

    def check(self, target: BuildTarget) -> None:
        self._generator.check(target)

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        return self._generator.key_parts(target)

    def accepts_options(self, target: BuildTarget) -> bool:
        return self._generator.accepts_options(target)

    def prepare(self, count: int) -> None:
        self._generator.prepare(count)

    def cost(self, targets: Sequence[BuildTarget]) -> tuple[int, ...]:
        return self._generator.cost(targets)

    def generate(
        self,
        image: DeviceImage,
        targets: Sequence[BuildTarget],
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> Future[tuple[CodeForm, ...]]:
        """Return the code from the cache or the wrapped generator; only successes are cached."""
        key = self._key(image, targets, values)
        cached = get_parsed(STEPS, key, parse_code)
        if cached is not None:
            future = Future[tuple[CodeForm, ...]]()
            future.set_result(cached)
            return future
        future = self._generator.generate(image, targets, session, values)
        future.add_done_callback(lambda done: _store(key, done))
        return future

    def _key(self, image: DeviceImage, targets: Sequence[BuildTarget], values: Values) -> str:
        """Return the key of the code of an image for some targets, with values of its constants."""
        described_targets = [
            (target_parts(target.target), target.options, self._generator.key_parts(target))
            for target in targets
        ]
        return key_of(
            ("format", FORMAT),
            ("tools", self._tools),
            ("generator", self._generator.name),
            ("targets", repr(described_targets)),
            ("entry points", repr(image.entry_points)),
            ("requirements", repr(image.info.requirements)),
            ("conditions", _described(image.conditional)),
            ("values", repr(sorted(values.items()))),
            ("module", self._digests.of(image)),
        )


def _described(code: ConditionalCode | None) -> str:
    """Return the parts of conditional code, besides the module, that generated code depends on."""
    if code is None:
        return ""
    return repr((code.constants, code.expressions.nodes, code.functions, code.calls))


def _store(key: str, done: Future[tuple[CodeForm, ...]]) -> None:
    if not done.cancelled() and done.exception() is None:
        module = AbstractModule.of(None, done.result())
        put(STEPS, key, write_program(SyclBin.of(BundleState.INPUT, [module])))


def parse_code(content: bytes) -> tuple[CodeForm, ...]:
    """Return the code in a cache entry; `FormatError` if it is missing or malformed."""
    modules = read_program(content).abstract_modules
    if len(modules) != 1:
        raise FormatError(f"expected the code of one image, got {len(modules)}")
    (module,) = modules
    # These fields are decoded, and thereby checked, when they are read.
    for ir in module.ir_modules:
        _ = ir.ir_type, ir.target, ir.targets
    for native in module.native_images:
        _ = native.arch, native.target, native.targets, native.origin
    return (*module.ir_modules, *module.native_images)
