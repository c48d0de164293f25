"""The aspect filter: which images a target can run, by what they require.

In: a file table, a target, and what each image requires. Out: the table without the rows that the
target's ahead-of-time compiler would refuse. What is not known of a target keeps its row. Required
work-group sizes are not looked at: only a device at hand can say whether they fit. An image whose
kernels are for different devices is kept where one of them fits. Nothing here needs LLVM.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from dovetail.errors import UsageError
from dovetail.image import (
    PROPERTIES,
    FileTable,
    ImageInfo,
    Requirements,
    column_of,
    joined,
)
from dovetail.targets import Fit, Target, aspect_name


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

    `load` tells what the properties file of that name requires, as `alternatives_of` does.
    """
    kept: list[tuple[str, ...]] = []
    dropped: list[DroppedRow] = []
    files = column_of(table, PROPERTIES)
    for number, (cells, file) in enumerate(zip(table.rows, files, strict=True)):
        fit = fit_any([fit_requirements(target, each) for each in load(file)])
        if fit.verdict == "no":
            dropped.append(DroppedRow(number, cells, fit.missing))
        else:
            kept.append(cells)
    return Filtered(FileTable(table.titles, tuple(kept)), tuple(dropped))


def fit_requirements(target: Target, requirements: Requirements) -> Fit:
    """Whether `target` has the aspects and the sub-group size that an image requires."""
    named = [aspect for aspect in requirements.aspects if _has_name(aspect)]
    fit = target.fit(named, requirements.sub_group_size)
    # Images of newer compilers can have aspects that no entry lists, as there or as absent.
    newer = tuple(f"aspect {each}" for each in requirements.aspects if not _has_name(each))
    if target.may_support_other_aspects:
        return Fit(fit.missing, fit.unknown + newer)
    return Fit(fit.missing + newer, fit.unknown)


def alternatives_of(info: ImageInfo) -> tuple[Requirements, ...]:
    """What an image requires: one of these, if its kernels are for different devices."""
    functions = info.function_reqs
    exported = {each: functions[each] for each in info.exports if each in functions}
    apart = {**info.kernel_reqs, **exported}
    return tuple(map(joined, apart.values())) or (info.requirements,)


def fit_any(alternatives: Sequence[Fit]) -> Fit:
    """Whether one of them fits; if none does, it is all of them that stands against it."""
    fitting = [fit for fit in alternatives if fit.verdict != "no"]
    if not fitting:
        return Fit(_each_once(fit.missing for fit in alternatives), ())
    is_sure = any(fit.verdict == "yes" for fit in fitting)
    return Fit((), () if is_sure else _each_once(fit.unknown for fit in fitting))


def _each_once(words: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for each in words for word in each))


def _has_name(aspect: int) -> bool:
    try:
        aspect_name(aspect)
    except UsageError:
        return False
    return True
