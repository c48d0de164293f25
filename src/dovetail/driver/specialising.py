"""Conditional images as they are compiled for targets, for who wants to see that.

Generators of native code specialise images where they need them. Who keeps or times that has it
done before, each image alone; they then take what is there.
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
from dovetail.driver.target_code import CodeGroup
from dovetail.driver.watching import Specialised, Spent

_P = ParamSpec("_P")
_T = TypeVar("_T")

_Values = tuple[tuple[int, bool], ...]
"""Of constants by `SpecId`, as something that can be a key."""


def specialised_images(
    images: Sequence[DeviceImage],
    groups: Sequence[CodeGroup],
    session: CodegenSession,
    waiting: AbstractContextManager[None],
) -> Iterator[Specialised]:
    """What generators of these groups will compile of conditional images.

    The images are emitted by the pool; while this thread waits for that, it is inside of `waiting`.
    What fails is left to the generators to tell.
    """
    orders = [
        (number, targets, values)
        for number, image in enumerate(images)
        if image.conditional
        for values, targets in _wanted(number, groups)
    ]
    emitted = {number: spirv_of(images[number], session) for number, *_ in orders}
    with waiting:
        for future in emitted.values():
            future.exception()
    here = session._replace(pool=_Here())
    for number, targets, values in orders:
        with suppress(CodeGenerationError):
            start, cpu = monotonic(), thread_time()
            code = specialised_spirv_of(images[number], dict(values), here).result()
            spent = Spent(start, monotonic() - start, thread_time() - cpu)
            yield Specialised(number, tuple(targets), code, spent)


def _wanted(number: int, groups: Sequence[CodeGroup]) -> Iterator[tuple[_Values, list[str]]]:
    """The values that an image is specialised for, with the targets of each."""
    targets: dict[_Values, list[str]] = {}
    for group in groups:
        if group.generator.specialises:
            for order in group.orders(number):
                names = (target.name for target in order.targets)
                targets.setdefault(tuple(sorted(order.values.items())), []).extend(names)
    yield from targets.items()


class _Here(Executor):
    """Does work at once, in the thread that asks for it, so that its time is that thread's."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future = Future[_T]()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future
