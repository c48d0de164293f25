"""The time of normalizing conditions, compared with emitting SPIR-V for a trivial module."""

import random
from functools import partial

from benchmarks.figure import Figure, fastest
from dovetail.codegen.spirv.emit import TRIPLE
from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, OR, normalize, read_condition
from dovetail.ir import Context, Module

TERMS = 50
CLAUSES = 10

TRIVIAL = """\
target triple = "spirv64-unknown-unknown"
define spir_kernel void @kernel(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
"""

Ints = tuple[int, ...]


def measure() -> list[Figure]:
    """Measure typical conditions, and ones that exhaust the step limit."""
    return [
        _figure("as written in sources", _usual()),
        _figure("at random, and as bad as can be", [*_random(20), _hardest()]),
    ]


def _figure(what: str, conditions: list[Ints]) -> Figure:
    module = Module.parse(Context(), TRIVIAL.encode(), "trivial")
    work = [partial(normalize, read_condition(each)) for each in conditions]
    emitting, *normalizing = fastest([partial(module.emit, triple=TRIPLE), *work], rounds=20)
    slowest = max(normalizing)
    return Figure(
        f"normalizing {TERMS} terms {what}, the slowest of {len(work)} : emitting a trivial module",
        slowest / emitting,
        f"{1000 * slowest:.1f} ms : {1000 * emitting:.1f} ms",
        at_most=1,
    )


def _usual() -> list[Ints]:
    aspects: list[Ints] = [(ASPECT, each) for each in range(TERMS)]
    architectures: list[Ints] = [(ARCHITECTURE, each) for each in range(TERMS)]
    half = TERMS // 2
    either = _joined(OR, architectures[:half])
    return [
        _joined(AND, aspects),
        _joined(OR, architectures),
        (NOT, *_joined(OR, architectures)),
        (AND, *_joined(AND, aspects[:half]), *either),
        _last_clause(AND, aspects),
        _last_clause(OR, architectures),
    ]


def _last_clause(operator: int, terms: list[Ints]) -> Ints:
    """Return the condition of the last clause in a chain of `if` and `else if`."""
    each = TERMS // CLAUSES
    clauses = [_joined(operator, terms[start : start + each]) for start in range(0, TERMS, each)]
    return _joined(AND, [*[(NOT, *clause) for clause in clauses[:-1]], clauses[-1]])


def _random(count: int) -> list[Ints]:
    chance = random.Random(0)
    return [_grown(chance, TERMS) for _ in range(count)]


def _grown(chance: random.Random, terms: int) -> Ints:
    if terms == 1:
        kind, names = chance.choice([(ASPECT, 20), (ARCHITECTURE, 10)])
        leaf = (kind, chance.randrange(names))
        return (NOT, *leaf) if chance.random() < 0.3 else leaf
    first = chance.randint(1, terms - 1)
    operator = chance.choice((AND, OR))
    return (operator, *_grown(chance, first), *_grown(chance, terms - first))


def _hardest() -> Ints:
    """Return a condition whose diagram doubles with each pair."""
    half = TERMS // 2
    return _joined(OR, [(AND, ASPECT, each, ASPECT, each + half) for each in range(half)])


def _joined(operator: int, parts: list[Ints]) -> Ints:
    return (*(each for part in parts[:-1] for each in (operator, *part)), *parts[-1])
