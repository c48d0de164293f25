"""Specialize conditional images for targets as a separate step, for `-save-temps` and timing.

Otherwise, generators of native code specialize images when they need them. The session stores the
results, so generators do not specialize the images again.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, suppress
from time import monotonic, thread_time
from typing import ParamSpec, TypeVar

from dovetail.artifacts import DeviceImage
from dovetail.codegen import CodeGenerationError
from dovetail.codegen.session import CodegenSession
from dovetail.codegen.spirv.image_spirv import specialised_spirv_of, spirv_of
from dovetail.driver.job_listener import Specialised, Spent
from dovetail.driver.target_code import CodeGroup

_P = ParamSpec("_P")
_T = TypeVar("_T")

_Values = tuple[tuple[int, bool], ...]
"""The values of constants by `SpecId`, hashable."""


def specialised_images(
    images: Sequence[DeviceImage],
    groups: Sequence[CodeGroup],
    session: CodegenSession,
    waiting: AbstractContextManager[None],
) -> Iterator[Specialised]:
    """Yield the specialized SPIR-V of conditional images that the groups' generators will compile.

    The session's pool emits the images; this thread waits for it in the context `waiting`.
    Failures are ignored here, since the generators report them.
    """
    variants = [
        (number, targets, values)
        for number, image in enumerate(images)
        if image.conditional
        for values, targets in _values_with_targets(number, groups)
    ]
    emitted = {number: spirv_of(images[number], session) for number, *_ in variants}
    with waiting:
        for future in emitted.values():
            future.exception()
    in_this_thread = session._replace(pool=_ImmediateExecutor())
    for number, targets, values in variants:
        with suppress(CodeGenerationError):
            start, cpu = monotonic(), thread_time()
            code = specialised_spirv_of(images[number], dict(values), in_this_thread).result()
            spent = Spent(start, monotonic() - start, thread_time() - cpu)
            yield Specialised(number, tuple(targets), code, spent)


def _values_with_targets(
    number: int, groups: Sequence[CodeGroup]
) -> Iterator[tuple[_Values, list[str]]]:
    """Yield the values that an image is specialized with, and the names of their targets."""
    targets: dict[_Values, list[str]] = {}
    for group in groups:
        if group.generator.specialises:
            for variant in group.variants(number):
                names = (target.name for target in variant.targets)
                targets.setdefault(tuple(sorted(variant.values.items())), []).extend(names)
    yield from targets.items()


class _ImmediateExecutor(Executor):
    """Runs calls immediately in the calling thread, so that their CPU time can be measured."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future = Future[_T]()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future
