"""The names and numbers of SYCL's aspects, as `devices.td` lists them.

The numbers are an ABI, shared with compiled images and with other SYCL runtimes.
"""

from dovetail.errors import UsageError, nearest
from dovetail.targets import _table

_NAMES = {number: name for name, (number,) in _table.AspectTable.items()}


def aspect_names() -> tuple[str, ...]:
    """All aspects of today's SYCL runtimes, in the order of their numbers."""
    return tuple(_table.AspectTable)


def deprecated_aspects() -> dict[str, str]:
    """Names that still have a number, and what to use instead; may be empty."""
    return {name: instead for name, (_, instead) in _table.DeprecatedAspectTable.items()}


def is_retired(name: str) -> bool:
    """Whether older documents list it and today's runtimes give it no number."""
    return name in _table.RetiredAspectTable


def aspect_name(aspect: str | int) -> str:
    """The name of an aspect given by name or number; `UsageError` if there is none.

    A deprecated name stays, unless it is only another spelling of the same number.
    """
    if isinstance(aspect, str):
        if aspect in _table.DeprecatedAspectTable:
            return _NAMES.get(_table.DeprecatedAspectTable[aspect][0], aspect)
        if aspect in _table.AspectTable:
            return aspect
    elif aspect in _NAMES:
        return _NAMES[aspect]
    else:
        for name, (number, _) in _table.DeprecatedAspectTable.items():
            if number == aspect:
                return name
    known = [*_table.AspectTable, *_table.DeprecatedAspectTable]
    hint = nearest(aspect, known) if isinstance(aspect, str) else ""
    raise UsageError(
        f"there is no aspect '{aspect}'", hint=hint or "'dovetail targets --aspects' lists them"
    )


def aspect_number(aspect: str | int) -> int:
    """The number of an aspect given by name or number; `UsageError` if there is none."""
    name = aspect_name(aspect)
    row = _table.AspectTable.get(name) or _table.DeprecatedAspectTable[name]
    return row[0]


def implied_by(name: str) -> str:
    """The aspect that gives a device this one too: what a deprecated name was replaced by."""
    return _table.DeprecatedAspectTable[name][1] if name in _table.DeprecatedAspectTable else ""
