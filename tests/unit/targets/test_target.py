"""What one target answers."""

import pytest

from dovetail.errors import UsageError
from dovetail.targets import Target

COMPLETE = Target("complete", ("gpu", "fp16"), False, (8, 16))
OPEN = Target("open", ("gpu", "atomic64"), True, absent_aspects=("fp64",))


@pytest.mark.parametrize(
    ("target", "aspect", "verdict"),
    [
        (COMPLETE, "fp16", "yes"),
        (COMPLETE, 5, "yes"),
        (COMPLETE, "fp64", "no"),
        (COMPLETE, "int64_base_atomics", "no"),
        (OPEN, "gpu", "yes"),
        (OPEN, "fp16", "may"),
        (OPEN, "fp64", "no"),
        (OPEN, 6, "no"),
        (OPEN, "int64_base_atomics", "yes"),
        (OPEN, "usm_system_allocator", "may"),
    ],
)
def test_verdicts(target: Target, aspect: str | int, verdict: str) -> None:
    assert target.verdict(aspect) == verdict
    assert target.has(aspect) == (verdict == "yes")
    assert target.may_have(aspect) == (verdict != "no")


@pytest.mark.parametrize(
    ("target", "size", "verdict"), [(COMPLETE, 8, "yes"), (COMPLETE, 32, "no"), (OPEN, 8, "may")]
)
def test_sub_group_sizes(target: Target, size: int, verdict: str) -> None:
    assert target.sub_group_verdict(size) == verdict


def test_fit_reports_reasons() -> None:
    fit = COMPLETE.fit(["fp16", 6], 32)
    assert (fit.verdict, fit.missing, fit.unknown) == ("no", ("fp64", "sub-group size 32"), ())
    fit = OPEN.fit(["gpu", "fp16"], 8)
    assert (fit.verdict, fit.missing, fit.unknown) == ("may", (), ("fp16", "sub-group size 8"))
    fit = COMPLETE.fit([])
    assert (fit.verdict, fit.missing, fit.unknown) == ("yes", (), ())


def test_an_unknown_aspect_is_an_error_and_not_an_answer() -> None:
    for ask in (OPEN.has, OPEN.may_have, OPEN.verdict, COMPLETE.verdict):
        with pytest.raises(UsageError, match="unknown aspect 'fp46'"):
            ask("fp46")


def test_families() -> None:
    assert Target("intel_gpu_skl").family == "intel_gpu"
    assert Target("nvidia_gpu_sm_90").family == "nvidia_gpu"
    assert Target("gen11_1").family == "gen11_1"
