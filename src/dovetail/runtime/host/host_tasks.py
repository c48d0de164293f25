"""Host tasks: functions of host code that the runtime calls."""

from ctypes import CFUNCTYPE, c_int32, c_void_p

from dovetail.errors import DovetailError
from dovetail.runtime.host.host_work import HostWork

_RUN = CFUNCTYPE(c_int32, c_void_p, c_void_p)
_END = CFUNCTYPE(None, c_void_p)


class HostTaskFailure(DovetailError):
    """A host task threw an exception, which the headers store."""


class HostTask:
    """A host task, by the addresses of its functions."""

    def __init__(self, run: int, end: int, task: int | None) -> None:
        self._run, self._end, self._task = _RUN(run), _END(end), task

    def run(self, addresses: list[int]) -> HostTaskFailure | None:
        array = (c_void_p * len(addresses))(*addresses)
        failed = self._run(self._task, array)
        return HostTaskFailure("a host task threw an exception") if failed else None

    def release(self) -> None:
        self._end(self._task)


class HostTasks:
    """All host tasks that may not have finished."""

    def __init__(self) -> None:
        self._works: dict[HostWork, None] = {}
        self._sweep_at = 16

    def add(self, work: HostWork) -> None:
        """Add a host task."""
        self._works[work] = None
        if len(self._works) > self._sweep_at:
            self._forget_finished()
            self._sweep_at = 16 + 2 * len(self._works)

    @property
    def are_unfinished(self) -> bool:
        """Whether there is a host task that has not finished."""
        self._forget_finished()
        return bool(self._works)

    def end_own(self) -> None:
        """Mark the calling thread's host task as finished, since it ends the process."""
        for work in tuple(self._works):
            if work.runs_here:
                work.end()

    def _forget_finished(self) -> None:
        for work in tuple(self._works):
            if work.done:
                self._works.pop(work, None)
