"""Random conditions, decided in every way that there is, against plain evaluation.

One source has many chains of clauses, nested in each other. It is built for conditions that the
runtime decides, for macros, and for targets by name, early and late; and it runs on a device that
stands for each target.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dovetail
from dovetail import Program
from dovetail.runtime.device import default_device
from dovetail.targets import Target, default_table

pytestmark = pytest.mark.device

TARGETS = ("x86_64", "intel_gpu_pvc", "intel_gpu_acm_g10")
ASPECTS = ("fp64", "fp16", "cpu", "gpu", "atomic64")
ARCHITECTURES = (*TARGETS, "intel_gpu_dg1")
WAYS = {
    "as it runs": {},
    "macros": {"device_if": "macros", "targets": TARGETS},
    "early": {"device_if_resolve": "early", "targets": TARGETS},
    "late": {"device_if_resolve": "late", "targets": TARGETS},
}


@dataclass(frozen=True)
class Clause:
    """One `if`: what it asks for, all of the aspects or one of the architectures, and its body."""

    names: tuple[str, ...]
    body: "Body"


@dataclass(frozen=True)
class Chain:
    """An `if`, some `else if`s, and maybe an `otherwise`."""

    by_aspect: bool
    clauses: tuple[Clause, ...]
    otherwise: "Body | None"


Body = int | Chain
"""A number to be written, or another chain."""


def spelt(body: Body) -> str:
    """A body in C++."""
    if isinstance(body, int):
        return f"*out = {body};"
    kind, space = ("device_has", "aspect") if body.by_aspect else ("architecture_is", "arch")
    parts: list[str] = []
    for number, clause in enumerate(body.clauses):
        names = ", ".join(f"{space}::{name}" for name in clause.names)
        word = f"else_if_{kind}" if number else f"ex::if_{kind}"
        parts.append(f"{word}<{names}>([=] {{ {spelt(clause.body)} }})")
    if body.otherwise is not None:
        parts.append(f"otherwise([=] {{ {spelt(body.otherwise)} }})")
    return ".".join(parts) + ";"


def meant(body: Body, target: Target) -> int:
    """What a body writes on a target; nothing is 0."""
    if isinstance(body, int):
        return body
    for clause in body.clauses:
        asked = [target.has(n) if body.by_aspect else target.name == n for n in clause.names]
        if all(asked) if body.by_aspect else any(asked):
            return meant(clause.body, target)
    return 0 if body.otherwise is None else meant(body.otherwise, target)


def chains(bodies: st.SearchStrategy[Body]) -> st.SearchStrategy[Body]:
    def of_kind(by_aspect: bool) -> st.SearchStrategy[Body]:
        names = st.lists(
            st.sampled_from(ASPECTS if by_aspect else ARCHITECTURES), min_size=1, max_size=3
        )
        clause = st.builds(Clause, names.map(tuple), bodies)
        clauses = st.lists(clause, min_size=1, max_size=5).map(tuple)
        return st.builds(Chain, st.just(by_aspect), clauses, st.none() | bodies)

    return st.booleans().flatmap(of_kind)


NUMBERS: st.SearchStrategy[Body] = st.integers(1, 99)
PROGRAMS = st.lists(chains(NUMBERS | chains(NUMBERS | chains(NUMBERS))), min_size=12, max_size=12)


def source_of(bodies: list[Body]) -> str:
    lines = [
        "#include <sycl/sycl.hpp>",
        "namespace ex = sycl::ext::oneapi::experimental;",
        "using arch = ex::architecture;",
        "using sycl::aspect;",
    ]
    for number, body in enumerate(bodies):
        lines += [
            "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel))",
            f"void k{number}(int *out) {{ {spelt(body)} }}",
        ]
    return "\n".join(lines) + "\n"


@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
)
@given(PROGRAMS)
def test_every_way_decides_alike(bodies: list[Body]) -> None:
    source = source_of(bodies)
    for way, options in WAYS.items():
        program = dovetail.build(source, **options)  # pyright: ignore[reportArgumentType]
        for name in TARGETS:
            target = default_table()[name]
            assert results(program, name, len(bodies)) == [
                meant(body, target) for body in bodies
            ], (way, name, source)


def results(program: Program, target: str, count: int) -> list[int]:
    queue = dovetail.Queue(default_device().as_target(target))
    found: list[int] = []
    for number in range(count):
        out = np.zeros(1, np.int32)
        queue.single_task(program[f"k{number}"], out).wait()
        found.append(int(out[0]))
    return found
