"""The aspect filter: which images a target can run, by what they require.

In: a file table, a target, and what each image requires. Out: the table without the rows that the
target's ahead-of-time compiler would refuse. What is not known of a target keeps its row. Required
work-group sizes are not looked at: only a device at hand can say whether they fit. An image whose
kernels are for different devices is kept where one of them fits. Nothing here needs LLVM.
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
    """A row that was left out."""

    row: int
    """From 0."""
    cells: tuple[str, ...]
    missing: tuple[str, ...]
    """What the target does not have, in words."""


class Filtered(NamedTuple):
    """What is left of a table, and what is not."""

    table: FileTable
    dropped: tuple[DroppedRow, ...]


def filter_rows(
    table: FileTable, target: Target, load: Callable[[str], Sequence[Requirements]]
) -> Filtered:
    """The rows of a table with a column "Properties" that `target` has or may have all for.

    `load` tells what the properties file of that name requires, as `alternative_requirements` does.
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
    return Filtered(FileTable(table.titles, tuple(kept)), tuple(dropped))


def fit_of(target: Target, alternatives: Sequence[Requirements]) -> Fit:
    """Return whether `target` has all that one of them requires."""
    return fit_any([fit(target.capabilities, each) for each in alternatives])


def alternative_requirements(info: ImageInfo) -> tuple[Requirements, ...]:
    """What an image requires: one of these, if its kernels are for different devices."""
    functions = info.function_reqs
    exported = {each: functions[each] for each in info.exports if each in functions}
    apart = {**info.kernel_reqs, **exported}
    return tuple(map(combined_requirements, apart.values())) or (info.requirements,)
