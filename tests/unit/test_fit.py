"""The fit of a device's capabilities and the requirements of code."""

import pytest
from hypothesis import given, strategies as st

from dovetail.capabilities import Capabilities, Verdict, WorkGroupLimits
from dovetail.fit import (
    AspectReason,
    Fit,
    Requirements,
    SubGroupReason,
    WorkGroupReason,
    fit,
    fit_any,
)

GPU, FP16, FP64, UNLISTED = 2, 5, 6, 4_000_000
LIMITS = WorkGroupLimits(64, (16, 32, 64))
COMPLETE = Capabilities(frozenset({GPU, FP16}), sub_group_sizes=(8, 16))
OPEN = Capabilities(frozenset({GPU}), frozenset({FP64}), may_support_other_aspects=True)
DEVICE = COMPLETE._replace(work_group_limits=LIMITS)


@pytest.mark.parametrize(
    ("capabilities", "requirements", "verdict"),
    [
        (COMPLETE, Requirements(), "yes"),
        (COMPLETE, Requirements((FP16,), 8), "yes"),
        (COMPLETE, Requirements((FP64,)), "no"),
        (COMPLETE, Requirements((), 32), "no"),
        (COMPLETE, Requirements((), None, (2**40,)), "yes"),
        (COMPLETE, Requirements((UNLISTED,)), "no"),
        (OPEN, Requirements((GPU,)), "yes"),
        (OPEN, Requirements((FP16,)), "may"),
        (OPEN, Requirements((FP64,)), "no"),
        (OPEN, Requirements((), 32), "may"),
        (OPEN, Requirements((UNLISTED,)), "may"),
        (OPEN, Requirements((FP64, UNLISTED)), "no"),
        (DEVICE, Requirements((), None, (4, 16)), "yes"),
        (DEVICE, Requirements((), None, (16, 2, 2)), "yes"),
        (DEVICE, Requirements((), None, (128,)), "no"),
        (DEVICE, Requirements((), None, (8, 16)), "no"),
        (DEVICE, Requirements((), None, (32, 1, 1)), "no"),
    ],
)
def test_verdicts(capabilities: Capabilities, requirements: Requirements, verdict: Verdict) -> None:
    assert fit(capabilities, requirements).verdict == verdict


def test_reasons() -> None:
    found = fit(DEVICE, Requirements((UNLISTED, FP64, GPU), 32, (65,)))
    assert found.unknown == ()
    assert found.missing == (
        AspectReason(FP64),
        AspectReason(UNLISTED),
        SubGroupReason(32, (8, 16)),
        WorkGroupReason((65,), LIMITS),
    )
    found = fit(OPEN, Requirements((FP16, FP64), 32))
    assert found.missing == (AspectReason(FP64),)
    assert found.unknown == (AspectReason(FP16), SubGroupReason(32, ()))


def test_one_of_several_has_to_fit() -> None:
    fits, may, no = Fit(), fit(OPEN, Requirements((FP16,))), fit(OPEN, Requirements((FP64,)))
    assert fit_any([no, may, fits]) == fits
    assert fit_any([no, may, may]) == may
    both = fit_any([no, fit(COMPLETE, Requirements((FP64,), 32))])
    assert both == Fit(missing=(AspectReason(FP64), SubGroupReason(32, (8, 16))))


def test_requirements_are_equal_however_they_are_given() -> None:
    assert Requirements([FP64, FP16, FP64]) == Requirements((FP16, FP64))
    assert Requirements((FP64,), 8).with_aspects((FP16,)) == Requirements((FP16,), 8)
    assert not Requirements()
    assert all([Requirements((0,)), Requirements((), 8), Requirements((), None, (1,))])


ASPECTS = st.frozensets(st.integers(0, 8))
SIZES = st.lists(st.sampled_from([8, 16, 32]), max_size=2).map(tuple)


@given(
    st.builds(
        Capabilities, ASPECTS, ASPECTS, st.booleans(), SIZES, st.sampled_from([None, LIMITS])
    ),
    ASPECTS,
    st.none() | st.sampled_from([8, 16]),
    SIZES,
)
def test_all_that_is_required_has_to_fit(
    capabilities: Capabilities,
    aspects: frozenset[int],
    sub_group: int | None,
    work_group: tuple[int, ...],
) -> None:
    """The verdict is the worst one on single requirements."""
    whole = fit(capabilities, Requirements(aspects, sub_group, work_group))
    singles = [
        *(fit(capabilities, Requirements((aspect,))) for aspect in sorted(aspects)),
        fit(capabilities, Requirements((), sub_group)),
        fit(capabilities, Requirements((), None, work_group)),
    ]
    assert whole.missing == tuple(reason for each in singles for reason in each.missing)
    assert whole.unknown == tuple(reason for each in singles for reason in each.unknown)
    assert whole.verdict == min((each.verdict for each in singles), key="no may yes".index)
