"""What a target makes of a conditional image: what it can run, and what the constants are on it.

Only a compiler ahead of time needs to know: as a program runs, the device itself is asked.
"""

from collections.abc import Iterable, Mapping

from dovetail import conditions
from dovetail.artifacts import DeviceImage
from dovetail.codegen import Values
from dovetail.fit import Fit, fit
from dovetail.image import Constants, joined
from dovetail.targets import Table, Target


def values_on(target: Target, constants: Constants, table: Table) -> Values:
    """What constants are on a target; `table` is what is known of targets.

    Code that requires what the target may have is there; a condition on that does not hold.
    """
    return constants.values(
        lambda single: fit(target.capabilities, single).verdict != "no",
        lambda leaf: conditions.resolve(leaf, target, table).holds,
    )


def entry_point_fits(image: DeviceImage, target: Target, table: Table) -> dict[str, Fit]:
    """Whether a target can run each entry point of an image, with what that calls on it."""
    reqs = {**image.info.function_reqs, **image.info.kernel_reqs}
    made = {
        caller: [c.action for c in calls if conditions.resolve(c.condition, target, table).holds]
        for caller, calls in image.info.conditional_calls.items()
    }
    fits: dict[str, Fit] = {}
    for symbol in image.entry_points:
        singles = (reqs.get(each, {}) for each in _reached(symbol, made))
        required = joined({single: i for each in singles for single, i in each.items()})
        fits[symbol] = fit(target.capabilities, required)
    return fits


def _reached(function: str, calls: Mapping[str, Iterable[str]]) -> Iterable[str]:
    """The function and all that it comes to call, each once."""
    reached = {function: None}
    waiting = [function]
    while waiting:
        new = [each for each in calls.get(waiting.pop(), ()) if each not in reached]
        reached |= dict.fromkeys(new)
        waiting += new
    return reached
