"""A fixed sample of random kernels, compared with the host; `make differential` runs more."""

from functools import cache

import pytest
from designs import Design
from differential.checking import BuildConfig, check
from differential.generation import random_kernels
from differential.model import Kernel
from differential.reference import Expected, expected_results
from variants import variant

pytestmark = pytest.mark.device

_SEED, _COUNT = 55, 30
# Constructs with known faults; remove a name when its fault is fixed.
_WITHOUT: frozenset[str] = frozenset()


@cache
def _sample() -> list[Kernel]:
    return random_kernels(_SEED, range(_COUNT), _WITHOUT)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Expected]:
    return expected_results(_sample(), tmp_path_factory.mktemp("reference"))


def test_the_sample_has_every_construct() -> None:
    """Another seed may be needed after a change to the generator."""
    many = random_kernels(1, range(300), _WITHOUT)
    assert _constructs(_sample()) == _constructs(many)


def _constructs(kernels: list[Kernel]) -> set[str]:
    return {name for kernel in kernels for name in kernel.constructs}


@pytest.mark.parametrize("level", [0, variant(1), 2, variant(3)])
def test_kernels_compute_what_the_host_computes(
    level: int, design: Design, expected: dict[int, Expected]
) -> None:
    # The driver's vectorizer takes most of the time, and level 2 is the default.
    vectors = design.name == "conditional"
    config = BuildConfig(
        level, design.name, clang_vectors=vectors, vectorizer=level == 2 and not vectors
    )
    outcome = check(_sample(), expected, config)
    assert outcome.checked == _COUNT
    assert not [(each.kernel.number, each.kind, each.detail) for each in outcome.faults]


def test_programs_with_lambda_expressions(expected: dict[int, Expected]) -> None:
    outcome = check(_sample()[:5], expected, BuildConfig(2, lambdas=True))
    assert outcome.checked == 5
    assert not [(each.kernel.number, each.kind, each.detail) for each in outcome.faults]
