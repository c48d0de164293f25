"""Resolve a conditional image for a target: which entry points fit, and the constants' values.

Only ahead-of-time compilation needs this; at run time the device itself is queried.
"""

from collections.abc import Iterable, Mapping

from dovetail import conditions
from dovetail.artifacts import DeviceImage
from dovetail.codegen import Values
from dovetail.fit import Fit, fit
from dovetail.image import Constants, combined_requirements
from dovetail.targets import Table, Target


def values_on(target: Target, constants: Constants, table: Table) -> Values:
    """Return the values of constants on a target; `table` has the known targets.

    Code that requires a feature which the target may have is included; a condition on such a
    feature does not hold.
    """
    return constants.values(
        lambda single: fit(target.capabilities, single).verdict != "no",
        lambda leaf: conditions.resolve(leaf, target, table).holds,
    )


def entry_point_fits(image: DeviceImage, target: Target, table: Table) -> dict[str, Fit]:
    """Return whether a target can run each entry point, including the actions it calls there."""
    reqs = {**image.info.function_reqs, **image.info.kernel_reqs}
    actions = {
        caller: [c.action for c in calls if conditions.resolve(c.condition, target, table).holds]
        for caller, calls in image.info.conditional_calls.items()
    }
    fits: dict[str, Fit] = {}
    for symbol in image.entry_points:
        singles = (reqs.get(each, {}) for each in _reached(symbol, actions))
        required = combined_requirements(
            {single: i for each in singles for single, i in each.items()}
        )
        fits[symbol] = fit(target.capabilities, required)
    return fits


def _reached(function: str, calls: Mapping[str, Iterable[str]]) -> Iterable[str]:
    """Return the function and all that it calls, directly or indirectly."""
    reached = {function: None}
    waiting = [function]
    while waiting:
        new = [each for each in calls.get(waiting.pop(), ()) if each not in reached]
        reached |= dict.fromkeys(new)
        waiting += new
    return reached
