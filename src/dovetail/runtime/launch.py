"""Launching one kernel on one device: checks, arguments, staging, start.

A `Launch` is prepared once for a kernel and a device, and then used repeatedly, by one thread at a
time. Everything that depends on neither the arguments nor the range is computed in advance.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

from dovetail.errors import ArgumentTypeError, DovetailError
from dovetail.kernel_info import POINTERS, KernelInfo, Parameter, ParameterKind
from dovetail.runtime.arguments import ForeignArgument, argument_setter, array_check
from dovetail.runtime.assertions import AssertionReader
from dovetail.runtime.backend import BackendKernel, BackendProgram
from dovetail.runtime.device import Device
from dovetail.runtime.event import Event, Pending
from dovetail.runtime.memory import is_host_array
from dovetail.runtime.nd_range import NdRange, Size
from dovetail.runtime.slot import Slot, count_error
from dovetail.runtime.staging import Staging

_MAX_REBINDS = 8
"""The number of changes of pointer arguments after which another launch is prepared."""

SINGLE_TASK = NdRange(1, 1)
"""The range of single tasks; compared by identity."""


def prepare(
    info: KernelInfo,
    device: Device,
    program: BackendProgram,
    work_group_size: tuple[int, ...],
    assertion_reader: AssertionReader | None = None,
    on_many_rebinds: Callable[[], None] = lambda: None,
    *,
    follows_pointers: bool = False,
) -> "Launch":
    """Return a launch of the kernel, for one thread at a time.

    `work_group_size` is the size that the kernel requires, or empty. `follows_pointers` says that
    it finds addresses outside its arguments. `on_many_rebinds` is called when pointer arguments
    have changed often, which several launches that take turns may avoid.
    """
    kind = LaunchOnHostMemory if device.native.reaches_host_memory else LaunchOnCopies
    return kind(
        info, device, program, work_group_size, assertion_reader, on_many_rebinds, follows_pointers
    )


class Launch(ABC):
    """A kernel that is prepared for launches on a device."""

    __slots__ = (
        "_array_argument",
        "_checked",
        "_device",
        "_info",
        "_on_many_rebinds",
        "_reader",
        "_rebinds",
        "_required",
        "_setters",
        "_sizes",
        "_slots",
        "kernel",
    )

    def __init__(
        self,
        info: KernelInfo,
        device: Device,
        program: BackendProgram,
        work_group_size: tuple[int, ...],
        assertion_reader: AssertionReader | None,
        on_many_rebinds: Callable[[], None],
        follows_pointers: bool,
    ) -> None:
        _refuse_inner_arguments(info)
        follows = follows_pointers or any(map(_may_contain_pointers, info.parameters))
        kernel = program.kernel(info.symbol, follows_pointers=follows, label=info.label)
        self._info = info
        self._device = device
        self._array_argument = device.native.array_argument
        self.kernel: BackendKernel = kernel
        self._slots = tuple(Slot(info, number) for number in range(len(info.parameters)))
        self._rebinds = 0
        """How often a pointer argument has changed."""
        self._on_many_rebinds = on_many_rebinds
        native, on_rebind = device.native, self._count_rebind
        self._setters = tuple(
            (s.index, argument_setter(s, native, kernel, on_rebind)) for s in self._slots
        )
        self._required = work_group_size
        self._reader = assertion_reader
        self._checked: NdRange | None = None
        self._sizes = SINGLE_TASK.innermost_first
        """The sizes of the last checked range, innermost dimension first."""

    @abstractmethod
    def start(
        self, pending: Pending, nd_range: NdRange | Size, arguments: tuple[object, ...]
    ) -> Event:
        """Check the range and the arguments, then start the kernel on the queue of `pending`.

        Nothing is done after the start: the sooner the caller waits, the more often a CPU driver
        runs the kernel in the waiting thread, without waking another.
        """

    def _check(self, given: NdRange | Size, arguments: tuple[object, ...]) -> None:
        """Check the range and the number of arguments, and store the sizes for the driver."""
        nd_range = given if isinstance(given, NdRange) else NdRange(given)
        if len(arguments) != len(self._setters):
            raise count_error(self._info, len(arguments))
        self._check_range(nd_range)
        self._sizes = nd_range.with_required(self._info.name, self._required).innermost_first
        self._checked = nd_range

    def _start_with_foreign(
        self, pending: Pending, nd_range: NdRange | Size, arguments: tuple[object, ...]
    ) -> Event:
        """Start the kernel with arrays of other libraries among its arguments."""
        # Imported late: most programs use only NumPy.
        from dovetail.runtime.foreign_arguments import plain_argument

        try:
            plain = [
                plain_argument(slot, value, self._device)
                for slot, value in zip(self._slots, arguments, strict=True)
            ]
            event = self.start(pending, nd_range, tuple(each.value for each in plain))
        except DovetailError as error:
            # The user gave the arguments, and need not know that some were converted.
            error.__suppress_context__ = True
            raise
        event.keep(plain)
        return event

    def _count_rebind(self) -> None:
        """Count a change of a pointer argument, and report when there are many."""
        self._rebinds += 1
        if self._rebinds == _MAX_REBINDS:
            self._on_many_rebinds()

    def _check_range(self, nd_range: NdRange) -> None:
        """Raise an error if the range does not have the kernel's dimensions, or does not fit."""
        name, wanted = self._info.name, self._info.dimensions
        if wanted is None:
            nd_range.check_fits(self._device.description)
            return
        if nd_range is SINGLE_TASK:
            if wanted:
                raise ArgumentTypeError(
                    f"kernel '{name}': expected a range of {wanted} dimensions, got a single task",
                    hint="use parallel_for",
                )
            return
        if not wanted:
            raise ArgumentTypeError(f"kernel '{name}' is a single task", hint="use single_task")
        if nd_range.dimensions != wanted:
            raise ArgumentTypeError(
                f"kernel '{name}': expected a range of {wanted} dimensions, got {nd_range}"
            )
        nd_range.check_fits(self._device.description)


class LaunchOnHostMemory(Launch):
    """A launch that passes NumPy arrays to the kernel without copies."""

    __slots__ = ()

    def start(
        self, pending: Pending, nd_range: NdRange | Size, arguments: tuple[object, ...]
    ) -> Event:
        # Ranges are immutable, so the last one is not checked again.
        if nd_range is not self._checked or len(arguments) != len(self._setters):
            self._check(nd_range, arguments)
        array_argument = self._array_argument
        try:
            for number, set_argument in self._setters:
                set_argument(arguments[number], array_argument)
        except ForeignArgument:
            return self._start_with_foreign(pending, nd_range, arguments)
        event = pending.event_type()
        whole, local = self._sizes
        try:
            pending.add(event, arguments, self._reader, self._info)
            event.natives = (pending.queue.launch(self.kernel, whole, local),)
        except BaseException as error:
            pending.start_failed(event, error)
            raise
        return event


class LaunchOnCopies(Launch):
    """A launch that copies NumPy arrays to the device and back."""

    __slots__ = ()

    def start(
        self, pending: Pending, nd_range: NdRange | Size, arguments: tuple[object, ...]
    ) -> Event:
        self._check(nd_range, arguments)
        queue = pending.queue
        staging = Staging(self._device, queue)
        self._note_arrays(staging, arguments)
        event = pending.event_type()
        try:
            pending.add(event, (arguments, staging), self._reader, self._info)
            staging.copy_in()
            for number, set_argument in self._setters:
                set_argument(arguments[number], staging.argument)
            launched = queue.launch(self.kernel, *self._sizes)
            event.natives = (launched, *staging.copy_back())
        except ForeignArgument:
            event.kernel = None
            pending.wait_for_queue(event)
            return self._start_with_foreign(pending, nd_range, arguments)
        except BaseException:
            # Commands in flight still use the copies and the arrays.
            event.kernel = None
            pending.wait_for_queue(event)
            raise
        return event

    def _note_arrays(self, staging: Staging, arguments: tuple[object, ...]) -> None:
        """Check the host arrays among the arguments, and add them to `staging`."""
        for slot, value in zip(self._slots, arguments, strict=True):
            if slot.parameter.kind is ParameterKind.POINTER and is_host_array(value):
                array_check(slot)(value)
                staging.add(value, writable=slot.parameter.writable)


def _refuse_inner_arguments(info: KernelInfo) -> None:
    """Raise `ArgumentTypeError` if a member of an object needs an argument of its own."""
    for parameter in info.parameters:
        for member in parameter.members:
            if member.kind in POINTERS:
                continue
            raise ArgumentTypeError(
                f"kernel '{info.name}' cannot be launched from Python: its parameter"
                f" '{parameter.name}' contains a '{member.type}', which needs its own argument"
            )


def _may_contain_pointers(parameter: Parameter) -> bool:
    """Return whether a kernel can find addresses in the argument, or in memory it points to."""
    if parameter.kind is ParameterKind.SCALAR:
        return False
    return parameter.kind is ParameterKind.OBJECT or not parameter.encoding
