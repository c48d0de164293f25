"""A fixed sample of random kernels, compared with the host; `make differential` is the long form."""

from functools import cache
from pathlib import Path

import pytest
from designs import Design
from differential.campaign import Plan, run_campaign
from differential.checking import Way, check
from differential.generation import random_kernels
from differential.model import Kernel
from differential.reference import Expected, expected_results

pytestmark = pytest.mark.device

_SEED, _COUNT = 1, 40
_WITHOUT = frozenset({"reverse-bits", "strided-load"})


@cache
def _sample() -> list[Kernel]:
    return random_kernels(_SEED, range(_COUNT), _WITHOUT)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Expected]:
    return expected_results(_sample(), tmp_path_factory.mktemp("reference"))


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_kernels_compute_what_the_host_computes(
    level: int, design: Design, expected: dict[int, Expected]
) -> None:
    # The driver's vectoriser takes most of the time, and level 2 is the default.
    vectors = design.name == "conditional"
    way = Way(level, design.name, clang_vectors=vectors, vectorizer=level == 2 and not vectors)
    outcome = check(_sample(), expected, way)
    assert outcome.checked == _COUNT
    assert not [(each.kernel.number, each.kind, each.detail) for each in outcome.faults]


def test_programs_with_lambda_expressions(expected: dict[int, Expected]) -> None:
    outcome = check(_sample()[:10], expected, Way(2, lambdas=True))
    assert outcome.checked == 10
    assert not [(each.kernel.number, each.kind, each.detail) for each in outcome.faults]
