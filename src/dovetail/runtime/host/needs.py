"""Reading the requirements of a command group."""

from ctypes import c_uint64, sizeof
from typing import TypeVar

from dovetail.runtime.host.buffer import Buffer
from dovetail.runtime.host.handles import Handles
from dovetail.runtime.host.queue import QueueWork
from dovetail.runtime.host.scheduler import WorkNeeds
from dovetail.runtime.host.structures import Access, BufferAccess, RequirementsStruct

T = TypeVar("T", c_uint64, BufferAccess)

NOTHING = WorkNeeds({}, ())


def read_needs(address: int | None, handles: Handles) -> WorkNeeds:
    """Read the requirements at an address; none if it is null."""
    if not address:
        return NOTHING
    data = RequirementsStruct.from_address(address)
    events = _row(data.events, data.event_count, c_uint64)
    accesses = _row(data.accesses, data.access_count, BufferAccess)
    return WorkNeeds(
        _merged(accesses, handles), tuple(handles.get(event.value, QueueWork) for event in events)
    )


def _row(address: int | None, count: int, kind: type[T]) -> list[T]:
    """Return the elements of a C array."""
    begin = address or 0
    return [kind.from_address(begin + number * sizeof(kind)) for number in range(count)]


def _merged(accesses: list[BufferAccess], handles: Handles) -> dict[int, tuple[Buffer, Access]]:
    """Return one access for each buffer; it needs the content if one of several accesses does."""
    modes: dict[int, Access] = {}
    for access in accesses:
        mode = Access(access.mode)
        before = modes.get(access.buffer, mode)
        needs_content = not (mode & before & Access.NO_INIT)
        both = (mode | before) & ~Access.NO_INIT
        modes[access.buffer] = both if needs_content else both | Access.NO_INIT
    return {handle: (handles.get(handle, Buffer), mode) for handle, mode in modes.items()}
