"""The names and numbers of SYCL's aspects, as `devices.td` lists them.

The numbers are an ABI, shared with compiled images and with other SYCL runtimes.
"""

from dovetail.targets import _aspects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_NAMES = {number: name for name, (number,) in _aspects.AspectTable.items()}


def aspect_names() -> tuple[str, ...]:
    """Return all aspects of current SYCL runtimes, in the order of their numbers."""
    return tuple(_aspects.AspectTable)


def deprecated_aspects() -> dict[str, str]:
    """Return the deprecated aspects, each with its replacement, which may be empty."""
    return {name: instead for name, (_, instead) in _aspects.DeprecatedAspectTable.items()}


def is_retired(name: str) -> bool:
    """Return whether only older specifications list an aspect, so that it has no number."""
    return name in _aspects.RetiredAspectTable


def aspect_name(aspect: str | int) -> str:
    """Return the name of an aspect given by name or number; raise `UsageError` if it is unknown.

    A deprecated name is kept unless it is another spelling of a current aspect.
    """
    if isinstance(aspect, str):
        if aspect in _aspects.DeprecatedAspectTable:
            return _NAMES.get(_aspects.DeprecatedAspectTable[aspect][0], aspect)
        if aspect in _aspects.AspectTable:
            return aspect
    elif aspect in _NAMES:
        return _NAMES[aspect]
    else:
        for name, (number, _) in _aspects.DeprecatedAspectTable.items():
            if number == aspect:
                return name
    raise _unknown(aspect)


def _unknown(aspect: str | int) -> Exception:
    from dovetail.errors import UsageError, nearest

    known = [*_aspects.AspectTable, *_aspects.DeprecatedAspectTable]
    hint = nearest(aspect, known) if isinstance(aspect, str) else ""
    return UsageError(
        f"unknown aspect '{aspect}'", hint=hint or "'dovetail targets --aspects' lists all aspects"
    )


def aspect_text(aspect: int) -> str:
    """Return an aspect's name, or its number if it is unknown, such as one of a newer SYCL."""
    from dovetail.errors import UsageError

    try:
        return aspect_name(aspect)
    except UsageError:
        return str(aspect)


def aspect_number(aspect: str | int) -> int:
    """Return the number of an aspect given by name or number; raise `UsageError` if unknown."""
    name = aspect_name(aspect)
    row = _aspects.AspectTable.get(name) or _aspects.DeprecatedAspectTable[name]
    return row[0]


def implied_aspects(names: "Collection[str]") -> list[str]:
    """Return the deprecated aspects that a device has because it has their replacements."""
    return [old for old, new in deprecated_aspects().items() if new in names]
