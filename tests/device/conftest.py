"""What tests of programs on devices share."""

import pytest


@pytest.fixture(scope="session", params=["split", "conditional"])
def features(request: pytest.FixtureRequest) -> str:
    """How kernels for different devices are kept apart: whatever takes this holds for both ways."""
    return request.param
