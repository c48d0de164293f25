"""Normal forms: the same integers for the same meaning, and for no other."""

import random

import pytest
from hypothesis import given, strategies as st
from random_conditions import all_devices, conditions, joined, joined_from_left, truths

from dovetail.conditions import (
    AND,
    ARCHITECTURE,
    ASPECT,
    MAX_INTEGERS,
    NOT,
    OR,
    Condition,
    Normal,
    conjunction,
    disjunction,
    in_words,
    negation,
    normalize,
    read_condition,
)
from dovetail.conditions.cases import MAX_ARCHITECTURES, MAX_ASPECTS, cases_of
from dovetail.conditions.diagram import Diagram, TooLarge
from dovetail.conditions.normal import MAX_STEPS
from dovetail.errors import FormatError

DEVICES = all_devices()

CPU, GPU, FP16, FP64 = (ASPECT, 1), (ASPECT, 2), (ASPECT, 5), (ASPECT, 6)
ACM, PVC, X86 = (ARCHITECTURE, 17), (ARCHITECTURE, 20), (ARCHITECTURE, 0)

Ints = tuple[int, ...]


def normal(*ints: int) -> Normal:
    return normalize(read_condition(ints))


@given(conditions(), conditions())
def test_equal_exactly_if_equivalent(one: Condition, other: Condition) -> None:
    same = truths(one, DEVICES) == truths(other, DEVICES)
    assert (normalize(one) == normalize(other)) == same


@given(conditions(most_leaves=40))
def test_the_meaning_stays_and_again_changes_nothing(condition: Condition) -> None:
    form = normalize(condition)
    assert truths(form, DEVICES) == truths(condition, DEVICES)
    if not isinstance(form, bool):
        assert read_condition(form) == form
        assert normalize(form) == form
        assert len(set(truths(form, DEVICES))) == 2, "constants are no conditions"


FUNCTIONS = st.lists(st.booleans(), min_size=len(DEVICES), max_size=len(DEVICES))


@given(FUNCTIONS, st.randoms(use_true_random=False))
def test_every_function_however_it_is_written(values: list[bool], chance: random.Random) -> None:
    """As a sum of the devices that satisfy it, and as a product that excludes the others."""
    if len(set(values)) == 1:
        return
    chosen = [_exactly(number) for number, value in enumerate(values) if value]
    excluded = [(NOT, *_exactly(number)) for number, value in enumerate(values) if not value]
    chance.shuffle(chosen)
    chance.shuffle(excluded)
    form = normal(*joined_from_left(OR, chosen))
    assert form == normal(*joined_from_left(AND, excluded))
    assert truths(form, DEVICES) == values


def _exactly(number: int) -> Ints:
    """True for only one of the devices."""
    device = DEVICES[number]
    literals: list[Ints] = [
        (ASPECT, each) if each in device.aspects else (NOT, ASPECT, each) for each in (2, 5, 6)
    ]
    literals += (
        [(NOT, *X86), (NOT, *ACM), (NOT, *PVC)]
        if device.architecture is None
        else [(ARCHITECTURE, device.architecture)]
    )
    return joined_from_left(AND, literals)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param((AND, *FP16, *FP64), (AND, *FP64, *FP16), id="commutative and"),
        pytest.param((OR, *FP16, *PVC), (OR, *PVC, *FP16), id="commutative or"),
        pytest.param(
            (AND, AND, *GPU, *FP16, *FP64), (AND, *GPU, AND, *FP16, *FP64), id="associative and"
        ),
        pytest.param(
            (OR, OR, *GPU, *FP16, *FP64), (OR, *GPU, OR, *FP16, *FP64), id="associative or"
        ),
        pytest.param((NOT, NOT, *FP64), FP64, id="double negation"),
        pytest.param((AND, *FP64, *FP64), FP64, id="idempotent"),
        pytest.param(
            (NOT, AND, *FP16, *FP64), (OR, NOT, *FP16, NOT, *FP64), id="De Morgan, not and"
        ),
        pytest.param((NOT, OR, *FP16, *PVC), (AND, NOT, *FP16, NOT, *PVC), id="De Morgan, not or"),
        pytest.param((OR, *FP16, AND, *FP16, *FP64), FP16, id="absorption"),
        pytest.param(
            (AND, *FP16, OR, NOT, *FP16, *FP64), (AND, *FP16, *FP64), id="negation absorbed"
        ),
        pytest.param(
            (AND, *GPU, OR, *FP16, *FP64),
            (OR, AND, *GPU, *FP16, AND, *GPU, *FP64),
            id="distribution of and",
        ),
        pytest.param(
            (OR, *GPU, AND, *FP16, *FP64),
            (AND, OR, *GPU, *FP16, OR, *GPU, *FP64),
            id="distribution of or",
        ),
        pytest.param(
            (OR, AND, *GPU, *FP16, AND, NOT, *GPU, *FP64),
            (OR, OR, AND, *GPU, *FP16, AND, NOT, *GPU, *FP64, AND, *FP16, *FP64),
            id="consensus",
        ),
        pytest.param((AND, *PVC, NOT, *ACM), PVC, id="one architecture excludes others"),
        pytest.param((OR, NOT, *PVC, *ACM), (NOT, *PVC), id="others include it"),
        pytest.param(
            (AND, OR, *PVC, *ACM, OR, *ACM, *X86), ACM, id="sets of architectures intersect"
        ),
    ],
)
def test_laws(one: Ints, other: Ints) -> None:
    assert normal(*one) == normal(*other)
    assert not isinstance(normal(*one), bool)


@pytest.mark.parametrize(
    ("ints", "expected"),
    [
        ((OR, *FP64, NOT, *FP64), True),
        ((AND, *FP64, NOT, *FP64), False),
        ((AND, *PVC, *ACM), False),
        ((OR, NOT, *PVC, NOT, *ACM), True),
        ((AND, *PVC, NOT, *PVC), False),
        ((NOT, AND, AND, *FP16, *PVC, *ACM), True),
        ((AND, OR, *FP16, *FP64, AND, NOT, *FP16, NOT, *FP64), False),
    ],
)
def test_constants(ints: Ints, expected: bool) -> None:
    assert normal(*ints) is expected


def test_no_list_of_architectures_is_complete() -> None:
    all_known = joined(OR, [(ARCHITECTURE, number) for number in range(95)])
    assert normal(*all_known) == all_known
    assert normal(NOT, *all_known) == (NOT, *all_known)


@pytest.mark.parametrize(
    "ints",
    [
        FP64,
        PVC,
        (NOT, *FP64),
        (AND, *GPU, AND, *FP16, *FP64),
        (OR, *X86, OR, *ACM, *PVC),
        (NOT, OR, *X86, OR, *ACM, *PVC),
        (NOT, AND, *FP16, *FP64),
        (AND, *FP64, *PVC),
        (AND, *FP64, NOT, *PVC),
        (AND, *FP64, OR, *ACM, *PVC),
        (OR, *FP64, OR, *ACM, *PVC),
        (AND, *FP64, NOT, OR, *ACM, *PVC),
    ],
)
def test_what_is_common_is_written_as_one_would(ints: Ints) -> None:
    """As the headers' builders write it, where they have one for it."""
    assert normal(*ints) == ints


@pytest.mark.parametrize(
    ("ints", "words"),
    [
        (
            (AND, NOT, AND, *FP16, *FP64, AND, *CPU, *GPU),
            "cpu and gpu and not (fp16 and fp64)",
        ),
        (
            (AND, AND, NOT, AND, *FP16, *FP64, NOT, AND, *CPU, *GPU, NOT, ASPECT, 9),
            "not (cpu and gpu) and not (fp16 and fp64) and not image",
        ),
        ((AND, NOT, *FP64, NOT, *FP16), "not (fp16 or fp64)"),
        ((AND, NOT, OR, *X86, *ACM, *PVC), "intel_gpu_pvc"),
        (
            (AND, AND, NOT, *X86, NOT, *ACM, NOT, *PVC),
            "not (x86_64 or intel_gpu_acm_g10 or intel_gpu_pvc)",
        ),
        (
            (OR, AND, *PVC, *FP64, AND, NOT, *PVC, *FP16),
            "fp16 and not intel_gpu_pvc or fp64 and intel_gpu_pvc",
        ),
    ],
)
def test_chains_stay_close_to_what_was_written(ints: Ints, words: str) -> None:
    form = normal(*ints)
    assert not isinstance(form, bool)
    assert in_words(form) == words


@given(conditions(), conditions())
def test_joining(one: Condition, other: Condition) -> None:
    first, second = normalize(one), normalize(other)
    assert conjunction(first, second) == normal(AND, *one, *other)
    assert disjunction(first, second) == normal(OR, *one, *other)
    assert negation(first) == normal(NOT, *one)


def test_joining_constants() -> None:
    fp64 = normal(*FP64)
    assert conjunction(fp64, True) == conjunction(True, fp64) == fp64
    assert conjunction(fp64, False) is conjunction(False, fp64) is False
    assert disjunction(fp64, False) == disjunction(False, fp64) == fp64
    assert disjunction(fp64, True) is disjunction(True, fp64) is True
    assert negation(True) is False
    assert negation(False) is True


# Beyond the bound.


def pairs(count: int) -> list[Ints]:
    """Joined by `or`, a function whose diagram in this order doubles with each of them."""
    return [(AND, ASPECT, each, ASPECT, each + count) for each in range(count)]


def beyond() -> list[Ints]:
    return [
        joined(OR, pairs(20)),
        joined(OR, [(ASPECT, each) for each in range(MAX_ASPECTS + 1)]),
        joined(OR, [(ARCHITECTURE, each) for each in range(MAX_ARCHITECTURES + 1)]),
    ]


@pytest.mark.parametrize("ints", beyond())
def test_beyond_the_bound_what_is_simple_stays(ints: Ints) -> None:
    with pytest.raises(TooLarge):
        cases_of(read_condition(ints), Diagram(MAX_STEPS))
    assert normal(*ints) == ints, "nothing can be simplified"


def test_beyond_the_bound_order_nesting_and_repetition_do_not_matter() -> None:
    form = normal(*joined(OR, pairs(20)))
    reversed_pairs = [(AND, *part[3:], *part[1:3]) for part in reversed(pairs(20))]
    absorbed = (AND, *FP64, AND, *GPU, OR, *GPU, *FP16)
    repeated = [(NOT, NOT, *part) for part in (reversed_pairs + pairs(20))]
    left_to_right = joined_from_left(OR, repeated)
    assert normal(*left_to_right) == form
    wide = (OR, *joined(OR, pairs(20)), OR, ASPECT, 99, AND, ASPECT, 99, *absorbed)
    assert normal(*wide) == normal(OR, ASPECT, 99, *joined(OR, pairs(20)))


@given(conditions(aspects=range(40), architectures=range(10), most_leaves=120), st.data())
def test_large_random_conditions(condition: Condition, data: st.DataObject) -> None:
    form = normalize(condition)
    aspects = data.draw(st.lists(st.frozensets(st.integers(0, 39)), min_size=20, max_size=20))
    devices = [
        device._replace(aspects=each) for each in aspects for device in all_devices((), range(10))
    ]
    assert truths(form, devices) == truths(condition, devices)
    if not isinstance(form, bool):
        assert normalize(form) == form


def test_sums_that_explode_are_written_as_products() -> None:
    alternatives: list[Ints] = [(OR, ASPECT, 2 * each, ASPECT, 2 * each + 1) for each in range(20)]
    product = joined(AND, alternatives)
    assert normal(*product) == product
    assert normal(NOT, NOT, *joined(AND, alternatives[::-1])) == product


def test_the_deepest_diagrams_fit_the_stack() -> None:
    every = [(ASPECT, each) for each in range(MAX_ASPECTS)]
    for operator in (AND, OR):
        assert normal(*joined(operator, every)) == joined(operator, every)


def test_what_would_be_too_long_to_read_is_refused() -> None:
    """Each may be; both together may not."""
    many = MAX_INTEGERS // 6
    aspects = [(ASPECT, each) for each in range(2 * many + 10)]
    one = read_condition(joined(AND, aspects[: many + 10]))
    other = read_condition(joined(AND, aspects[many:]))
    assert normalize(one) == one
    with pytest.raises(FormatError, match=f"the limit is {MAX_INTEGERS}"):
        conjunction(one, other)
