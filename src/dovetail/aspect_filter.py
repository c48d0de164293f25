"""The aspect filter: removes the images that a target cannot run.

In: a file table, a target, and the requirements of each image. Out: the table without the rows that
the target's ahead-of-time compiler would reject. Rows stay if the target may support them. Required
work-group sizes are ignored, since only an actual device has limits. An image with kernels for
different devices stays if any of its kernels fits. Nothing here needs LLVM.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from dovetail.fit import Fit, Requirements, fit, fit_any
from dovetail.image import (
    PROPERTIES,
    FileTable,
    ImageInfo,
    column_of,
    combined_requirements,
)
from dovetail.targets import Target
from dovetail.targets.fit_text import fit_text


class DroppedRow(NamedTuple):
    """A row that was removed."""

    row: int
    """Its index, from 0."""
    cells: tuple[str, ...]
    missing: tuple[str, ...]
    """What the target lacks, as text."""


class FilteredTable(NamedTuple):
    """The result of filtering a table."""

    table: FileTable
    dropped: tuple[DroppedRow, ...]


def filter_rows(
    table: FileTable, target: Target, load: Callable[[str], Sequence[Requirements]]
) -> FilteredTable:
    """Remove the rows of a table with a column "Properties" that `target` cannot run.

    `load` returns the alternative requirements in the properties file of that name.
    """
    kept: list[tuple[str, ...]] = []
    dropped: list[DroppedRow] = []
    files = column_of(table, PROPERTIES)
    for number, (cells, file) in enumerate(zip(table.rows, files, strict=True)):
        found = fit_of(target, load(file))
        if found.verdict == "no":
            dropped.append(DroppedRow(number, cells, fit_text(found).missing))
        else:
            kept.append(cells)
    return FilteredTable(FileTable(table.titles, tuple(kept)), tuple(dropped))


def fit_of(target: Target, alternatives: Sequence[Requirements]) -> Fit:
    """Return whether `target` meets one of the alternatives."""
    return fit_any([fit(target.capabilities, each) for each in alternatives])


def alternative_requirements(info: ImageInfo) -> tuple[Requirements, ...]:
    """Return the requirements of an image, of which a device must meet at least one.

    There are several if its kernels are for different devices.
    """
    functions = info.function_reqs
    exported = {each: functions[each] for each in info.exports if each in functions}
    separate = {**info.kernel_reqs, **exported}
    return tuple(map(combined_requirements, separate.values())) or (info.requirements,)
