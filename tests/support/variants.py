"""Variants of a test of which `make test` runs a sample, and `make thorough` all."""

from collections.abc import Collection, Iterable

import pytest


def one_in(every: int, values: Iterable[object], always: Collection[object] = ()) -> list[object]:
    """Return parameters: the first of every few values, and those in `always`, are the sample."""
    return [
        variant(value, is_sample=number % every == 0 or value in always)
        for number, value in enumerate(values)
    ]


def rows_one_in(every: int, rows: Iterable[tuple[object, ...]]) -> list[object]:
    """Do the same for tests with several parameters."""
    return [
        pytest.param(*row, marks=() if number % every == 0 else pytest.mark.thorough)
        for number, row in enumerate(rows)
    ]


def variant(value: object, *, is_sample: bool = False) -> object:
    """Return a parameter, marked as thorough unless it is in the sample."""
    return pytest.param(value, marks=() if is_sample else pytest.mark.thorough)
