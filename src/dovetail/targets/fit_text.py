"""Why code does not fit a target, in the words of messages, of JSON and of packaged programs."""

from typing import NamedTuple

from dovetail.capabilities import Verdict
from dovetail.fit import AspectReason, Fit, Reason, SubGroupReason
from dovetail.targets.aspects import aspect_text


class FitText(NamedTuple):
    """Whether code fits a target, and in words why it does not or may not."""

    verdict: Verdict
    missing: tuple[str, ...]
    """What the target does not have."""
    unknown: tuple[str, ...]
    """What is not known of the target."""


def fit_text(found: Fit) -> FitText:
    """Return the verdict with the reasons in words."""
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
