"""Random conditions, decided in every way that there is, against plain evaluation.

One source has many chains of clauses, nested in each other. It is built for conditions that the
runtime decides, for macros, and for a target of each family by name, early and late. It runs on a
device that stands for the targets whose code the device can take. Of the others, the code is looked
at: every action writes a number of its own, which is there or is not.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

import dovetail
from dovetail import Program
from dovetail.image import AbstractModule, read_program
from dovetail.runtime.device import default_device
from dovetail.targets import Target, default_table

pytestmark = [pytest.mark.device, pytest.mark.usefixtures("own_cpu_kind")]

RUN = ("x86_64", "intel_gpu_pvc", "intel_gpu_acm_g10")
LOOKED_AT = ("nvidia_gpu_sm_80", "amd_gpu_gfx90a")
TARGETS = (*RUN, *LOOKED_AT)
ASPECTS = ("fp64", "fp16", "cpu", "gpu", "atomic64")
ARCHITECTURES = (*TARGETS, "intel_gpu_dg1")
WAYS = {
    "as it runs": {},
    "as it runs, in one image": {"optional_features": "conditional"},
    "macros": {"device_if": "macros", "targets": TARGETS},
    "early": {"device_if_resolve": "early", "targets": TARGETS},
    "late": {"device_if_resolve": "late", "targets": TARGETS},
    "late, in one image": {
        "device_if_resolve": "late",
        "targets": TARGETS,
        "optional_features": "conditional",
    },
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


def numbered(body: Body, numbers: Iterator[int]) -> Body:
    """The same with a number of its own for each that is written."""
    if isinstance(body, int):
        return next(numbers)
    return replace(
        body,
        clauses=tuple(replace(c, body=numbered(c.body, numbers)) for c in body.clauses),
        otherwise=None if body.otherwise is None else numbered(body.otherwise, numbers),
    )


def spelt(body: Body, place: int) -> str:
    """A body in C++, which writes to one place."""
    if isinstance(body, int):
        return f"out[{place}] = {body};"
    kind, space = ("device_has", "aspect") if body.by_aspect else ("architecture_is", "arch")
    parts: list[str] = []
    for number, clause in enumerate(body.clauses):
        names = ", ".join(f"{space}::{name}" for name in clause.names)
        word = f"else_if_{kind}" if number else f"ex::if_{kind}"
        parts.append(f"{word}<{names}>([=] {{ {spelt(clause.body, place)} }})")
    if body.otherwise is not None:
        parts.append(f"otherwise([=] {{ {spelt(body.otherwise, place)} }})")
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


SOME_NUMBER: st.SearchStrategy[Body] = st.just(0)
CHAINS = chains(SOME_NUMBER | chains(SOME_NUMBER | chains(SOME_NUMBER)))
COUNT = 8
PROGRAMS = st.lists(CHAINS, min_size=COUNT, max_size=COUNT)
BUILDS = max(1, settings().max_examples // 100)
"""How many programs are drawn: each takes as long as hundreds of other examples."""
FIRST, STEP = 0x5A6B0000, 0x107
"""Numbers that nothing else in code is likely to be, nor parts of two that follow each other."""


def source_of(bodies: list[Body]) -> str:
    lines = [
        "#include <sycl/sycl.hpp>",
        "namespace ex = sycl::ext::oneapi::experimental;",
        "using arch = ex::architecture;",
        "using sycl::aspect;",
        "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel))",
        "void k(int *out) {",
        *(spelt(body, place) for place, body in enumerate(bodies)),
        "}",
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.thorough
@settings(
    max_examples=BUILDS,
    derandomize=BUILDS == 1,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
)
@given(PROGRAMS)
def test_every_way_decides_alike(drawn: list[Body]) -> None:
    # The first that is drawn is the simplest one, which would show little.
    assume(len(set(drawn)) > len(drawn) // 2)
    numbers = count(FIRST, STEP)
    bodies = [numbered(body, numbers) for body in drawn]
    expected = {name: [meant(body, default_table()[name]) for body in bodies] for name in TARGETS}
    source, every = source_of(bodies), range(FIRST, next(numbers), STEP)
    for way, options in WAYS.items():
        program = dovetail.build(source, **options)  # pyright: ignore[reportArgumentType]
        for name in RUN:
            assert results(program, name, len(bodies)) == expected[name], (way, name, source)
        for name in LOOKED_AT if "targets" in options else ():
            (image,) = images_for(program, name)
            held = set(every) & constants_in(image)
            assert held == {n for n in expected[name] if n}, (way, name, source)


def results(program: Program, target: str, count: int) -> list[int]:
    out = np.zeros(count, np.int32)
    queue = dovetail.Queue(default_device().as_target(target))
    queue.single_task(program["k"], out).wait()
    return out.tolist()


def images_for(program: Program, target: str) -> list[AbstractModule]:
    modules = read_program(program.to_bytes()).abstract_modules
    return [each for each in modules if target in each.info.resolved_targets]


def constants_in(image: AbstractModule) -> set[int]:
    """The numbers in PTX, or else all words in the native code."""
    for form in image.ir_modules:
        return {int(number) for number in re.findall(rb"\b\d+\b", bytes(form.code))}
    code = bytes(image.native_images[0].code)
    return {int.from_bytes(code[at : at + 4], "little") for at in range(0, len(code) - 3, 4)}
