"""Kernel bundles, from C++ down to the driver."""

from collections.abc import Callable

import pytest

pytestmark = pytest.mark.device

TOLD = (
    "second\n"
    "13 the kernel bundle that the command group uses does not have kernel 'second'\n"
    "8 the kernel bundle is of another context than the queue\n"
)


@pytest.mark.parametrize("target", ["", "intel_gpu_acm_g10"])
def test_bundles_are_made_asked_and_used(target: str, application: Callable[..., str]) -> None:
    assert application("bundles", DOVETAIL_AS=target) == TOLD
