"""Profiles: how long the kernels ran that were launched in a `with dovetail.profile()` block."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from dovetail.errors import UsageError
from dovetail.kernel_info import KernelInfo
from dovetail.runtime import profiled_event
from dovetail.runtime.event import EventProfile
from dovetail.runtime.queue import measure_all, stop_measuring_all

_UNITS = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"))
_HEADINGS = ("kernel", "calls", "total", "mean", "min", "max", "share")


class ProfileRow(NamedTuple):
    """The launches of one kernel, in nanoseconds."""

    kernel: str
    """The kernel's name; its signature, if another kernel in the profile has the same name."""
    calls: int
    total: int
    mean: float
    min: int
    max: int
    share: float
    """Its part of the time of all kernels, from 0 to 1."""


class Profile:
    """The launches in a `with dovetail.profile() as p:` block, by kernel; `print(p)` shows them.

    The block begins and ends with a wait for the work of all queues.
    """

    def __init__(self) -> None:
        self._durations: dict[KernelInfo, list[int]] = {}
        self._is_running = False

    def __enter__(self) -> Self:
        if self._is_running:
            raise UsageError("the profile is already running", hint="call dovetail.profile() again")
        try:
            measure_all()
        except BaseException:
            stop_measuring_all()
            raise
        profiled_event.listeners.append(self._add)
        self._is_running = True
        return self

    def __exit__(self, *_: object) -> None:
        try:
            stop_measuring_all()
        finally:
            profiled_event.listeners.remove(self._add)
            self._is_running = False

    @property
    def rows(self) -> list[ProfileRow]:
        """The kernels, those that took the longest time first."""
        durations = {kernel: tuple(times) for kernel, times in tuple(self._durations.items())}
        total = sum(map(sum, durations.values()))
        names = [kernel.name for kernel in durations]
        rows = [
            _row(kernel.name if names.count(kernel.name) == 1 else kernel.signature, times, total)
            for kernel, times in durations.items()
        ]
        return sorted(rows, key=lambda row: row.total, reverse=True)

    def table(self) -> str:
        """Return the rows as text."""
        rows = self.rows
        if not rows:
            return "no kernels were launched"
        return _aligned([_HEADINGS, *map(_cells, rows)])

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        calls = sum(map(len, tuple(self._durations.values())))
        return f"<Profile of {calls} launches>"

    def _add(self, kernel: KernelInfo, times: EventProfile) -> None:
        # Atomic in Python: several threads may wait for launches.
        self._durations.setdefault(kernel, []).append(times.duration)


def profile() -> Profile:
    """Return a profile for a `with` block, which collects the launches of all queues.

    Queues without profiling measure while the block runs. No other thread may use a queue when the
    block begins or ends.
    """
    return Profile()


def _row(name: str, times: Sequence[int], total: int) -> ProfileRow:
    own = sum(times)
    share = own / total if total else 0.0
    return ProfileRow(name, len(times), own, own / len(times), min(times), max(times), share)


def _cells(row: ProfileRow) -> tuple[str, ...]:
    times = map(duration_text, (row.total, row.mean, row.min, row.max))
    return (row.kernel, str(row.calls), *times, f"{row.share:.1%}")


def duration_text(nanoseconds: float) -> str:
    """Return a duration with a unit, such as `1.25 ms`."""
    for size, unit in _UNITS:
        if nanoseconds >= size:
            return f"{nanoseconds / size:.2f} {unit}"
    return f"{nanoseconds:.0f} ns"


def _aligned(rows: Iterable[tuple[str, ...]]) -> str:
    """Return the rows as lines: the first column left-aligned, the others right-aligned."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(
            (row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])),
        )
        for row in table
    )
