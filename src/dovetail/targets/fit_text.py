"""Fit verdicts as text, for messages, JSON and packaged programs."""

from typing import NamedTuple

from dovetail.capabilities import Verdict
from dovetail.fit import AspectReason, Fit, Reason, SubGroupReason
from dovetail.targets.aspects import aspect_text


class FitText(NamedTuple):
    """A verdict with its reasons as text."""

    verdict: Verdict
    missing: tuple[str, ...]
    """Requirements that the target does not meet."""
    unknown: tuple[str, ...]
    """Requirements that it may or may not meet."""


def fit_text(found: Fit) -> FitText:
    """Return the verdict with its reasons as text."""
    return FitText(found.verdict, _texts(found.missing), _texts(found.unknown))


def _texts(reasons: tuple[Reason, ...]) -> tuple[str, ...]:
    return tuple(map(_text, reasons))


def _text(reason: Reason) -> str:
    if isinstance(reason, AspectReason):
        name = aspect_text(reason.aspect)
        return f"aspect {name}" if name.isdecimal() else name
    if isinstance(reason, SubGroupReason):
        return f"sub-group size {reason.size}"
    return f"work-group size {'x'.join(map(str, reason.size))}"
