"""The names and numbers of SYCL's aspects, as `devices.td` lists them.

The numbers are an ABI, shared with compiled images and with other SYCL runtimes.
"""

from dovetail.targets import _aspects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_NAMES = {number: name for name, (number,) in _aspects.AspectTable.items()}


def aspect_names() -> tuple[str, ...]:
    """All aspects of today's SYCL runtimes, in the order of their numbers."""
    return tuple(_aspects.AspectTable)


def deprecated_aspects() -> dict[str, str]:
    """Names that still have a number, and what to use instead; may be empty."""
    return {name: instead for name, (_, instead) in _aspects.DeprecatedAspectTable.items()}


def is_retired(name: str) -> bool:
    """Whether older documents list it and today's runtimes give it no number."""
    return name in _aspects.RetiredAspectTable


def aspect_name(aspect: str | int) -> str:
    """The name of an aspect given by name or number; `UsageError` if there is none.

    A deprecated name stays, unless it is only another spelling of the same number.
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
        f"there is no aspect '{aspect}'", hint=hint or "'dovetail targets --aspects' lists them"
    )


def aspect_text(aspect: int) -> str:
    """Return an aspect's name; its number if it has none, as one of a newer SYCL."""
    from dovetail.errors import UsageError

    try:
        return aspect_name(aspect)
    except UsageError:
        return str(aspect)


def aspect_number(aspect: str | int) -> int:
    """The number of an aspect given by name or number; `UsageError` if there is none."""
    name = aspect_name(aspect)
    row = _aspects.AspectTable.get(name) or _aspects.DeprecatedAspectTable[name]
    return row[0]


def implied_aspects(names: "Collection[str]") -> list[str]:
    """Return the deprecated aspects that a device has because it has what replaced them."""
    return [old for old, new in deprecated_aspects().items() if new in names]
