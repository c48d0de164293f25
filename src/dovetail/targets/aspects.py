"""The names and numbers of SYCL's aspects, as `devices.td` lists them.

The numbers are an ABI, shared with compiled images and with other SYCL runtimes.
"""

from dovetail.errors import UsageError, nearest
from dovetail.targets import _names

_NAMES = {number: name for name, (number,) in _names.AspectTable.items()}


def aspect_names() -> tuple[str, ...]:
    """All aspects of today's SYCL runtimes, in the order of their numbers."""
    return tuple(_names.AspectTable)


def deprecated_aspects() -> dict[str, str]:
    """Names that still have a number, and what to use instead; may be empty."""
    return {name: instead for name, (_, instead) in _names.DeprecatedAspectTable.items()}


def is_retired(name: str) -> bool:
    """Whether older documents list it and today's runtimes give it no number."""
    return name in _names.RetiredAspectTable


def aspect_name(aspect: str | int) -> str:
    """The name of an aspect given by name or number; `UsageError` if there is none.

    A deprecated name stays, unless it is only another spelling of the same number.
    """
    if isinstance(aspect, str):
        if aspect in _names.DeprecatedAspectTable:
            return _NAMES.get(_names.DeprecatedAspectTable[aspect][0], aspect)
        if aspect in _names.AspectTable:
            return aspect
    elif aspect in _NAMES:
        return _NAMES[aspect]
    else:
        for name, (number, _) in _names.DeprecatedAspectTable.items():
            if number == aspect:
                return name
    known = [*_names.AspectTable, *_names.DeprecatedAspectTable]
    hint = nearest(aspect, known) if isinstance(aspect, str) else ""
    raise UsageError(
        f"there is no aspect '{aspect}'", hint=hint or "'dovetail targets --aspects' lists them"
    )


def aspect_number(aspect: str | int) -> int:
    """The number of an aspect given by name or number; `UsageError` if there is none."""
    name = aspect_name(aspect)
    row = _names.AspectTable.get(name) or _names.DeprecatedAspectTable[name]
    return row[0]


def implied_by(name: str) -> str:
    """The aspect that gives a device this one too: what a deprecated name was replaced by."""
    return _names.DeprecatedAspectTable[name][1] if name in _names.DeprecatedAspectTable else ""
