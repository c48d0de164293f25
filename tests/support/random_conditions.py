"""Random conditions and devices, and the plainest evaluation of conditions for devices."""

from collections.abc import Sequence
from itertools import chain, combinations
from typing import NamedTuple

from hypothesis import strategies as st

from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, OR, Condition, read_condition

ASPECTS: tuple[int, ...] = (2, 5, 6)
ARCHITECTURES: tuple[int, ...] = (0, 17, 20)


class MockDevice(NamedTuple):
    """The features of a device that conditions query."""

    aspects: frozenset[int]
    architecture: int | None


def all_devices(
    aspects: Sequence[int] = ASPECTS, architectures: Sequence[int] = ARCHITECTURES
) -> list[MockDevice]:
    """Return all devices that conditions on these can distinguish."""
    subsets = chain.from_iterable(combinations(aspects, size) for size in range(len(aspects) + 1))
    return [
        MockDevice(frozenset(subset), architecture)
        for subset in subsets
        for architecture in (*architectures, None)
    ]


def conditions(
    aspects: Sequence[int] = ASPECTS,
    architectures: Sequence[int] = ARCHITECTURES,
    most_leaves: int = 12,
) -> st.SearchStrategy[Condition]:
    """Return a strategy for random conditions on these."""
    leaves = st.tuples(st.just(ASPECT), st.sampled_from(aspects)) | st.tuples(
        st.just(ARCHITECTURE), st.sampled_from(architectures)
    )

    def grown(parts: st.SearchStrategy[tuple[int, ...]]) -> st.SearchStrategy[tuple[int, ...]]:
        negations = parts.map(lambda part: (NOT, *part))
        joined = st.tuples(st.sampled_from((AND, OR)), parts, parts)
        return negations | joined.map(lambda each: (each[0], *each[1], *each[2]))

    return st.recursive(leaves, grown, max_leaves=most_leaves).map(read_condition)


def joined(operator: int, parts: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the combination as the headers nest it: the first part, and the rest."""
    ints: list[int] = []
    for part in parts[:-1]:
        ints += (operator, *part)
    return (*ints, *parts[-1])


def joined_from_left(operator: int, parts: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the combination of all parts before the last, and the last."""
    whole = parts[0]
    for part in parts[1:]:
        whole = (operator, *whole, *part)
    return whole


def truth(ints: Sequence[int], device: MockDevice) -> bool:
    """Return whether a condition holds, literally by its definition."""
    value, end = _truth(ints, 0, device)
    assert end == len(ints)
    return value


def _truth(ints: Sequence[int], start: int, device: MockDevice) -> tuple[bool, int]:
    node = ints[start]
    if node == ASPECT:
        return ints[start + 1] in device.aspects, start + 2
    if node == ARCHITECTURE:
        return ints[start + 1] == device.architecture, start + 2
    first, end = _truth(ints, start + 1, device)
    if node == NOT:
        return not first, end
    second, end = _truth(ints, end, device)
    return (first and second) if node == AND else (first or second), end


def truths(condition: Condition | bool, devices: Sequence[MockDevice]) -> list[bool]:
    """Return for each device whether a condition holds."""
    if isinstance(condition, bool):
        return [condition] * len(devices)
    return [truth(condition, device) for device in devices]
