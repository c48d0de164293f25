"""The time of specializing conditional SPIR-V for a device."""

from __future__ import annotations

from array import array
from itertools import count

from fuzz.modules import module_of

from benchmarks.figure import Figure, fastest
from dovetail.spirv import SpirvModule, index_ids, instruction
from dovetail.spirv.specialise import specialised

ASPECTS = 3
SETS = 1 << ASPECTS
FIRST_SPEC_ID = 1000
STEPS = 25
"""The steps of a kernel, with five instructions each."""


def measure() -> list[Figure]:
    """Specialize for a device with some of the aspects, which runs an eighth of the kernels."""
    small, large = _program(200), _program(800)
    device = {FIRST_SPEC_ID: True, FIRST_SPEC_ID + 1: False, FIRST_SPEC_ID + 2: True}
    reading, time, large_time = fastest(
        [
            lambda: index_ids(SpirvModule.read(small)),
            lambda: specialised(SpirvModule.read(small), device).to_bytes(),
            lambda: specialised(SpirvModule.read(large), device).to_bytes(),
        ],
        rounds=20,
    )
    per_byte, large_per_byte = time / len(small), large_time / len(large)
    return [
        Figure(
            "specializing : reading a module and indexing its ids",
            time / reading,
            f"{1000 * time:.1f} ms : {1000 * reading:.1f} ms, for {len(small) // 1000} KB",
            at_most=2,
        ),
        Figure(
            "specializing 800 kernels : 200, per byte",
            large_per_byte / per_byte,
            f"{1e9 * large_per_byte:.0f} ns : {1e9 * per_byte:.0f} ns",
            at_most=1.3,
        ),
    ]


def _program(kernels: int) -> bytes:
    """Return a module of kernels that need one set of aspects and a constant each."""
    ids = count(1)
    void, boolean, integer, pointer, signature = (next(ids) for _ in range(5))
    aspects, negated = ([next(ids) for _ in range(ASPECTS)] for _ in range(2))
    expressions, conditions = _conditions(boolean, aspects, negated, ids)
    functions = [next(ids) for _ in range(kernels)]
    constants = [next(ids) for _ in range(kernels)]
    types = integer, pointer
    bodies = [
        _kernel((void, function, 0, signature), types, constant, ids)
        for function, constant in zip(functions, constants, strict=True)
    ]
    return module_of(
        *(instruction(17, each) for each in (4, 6, 6245)),
        instruction(10, "SPV_INTEL_function_variants"),
        instruction(14, 2, 2),
        *(instruction(15, 6, each, f"kernel_with_a_name_{each}") for each in functions),
        *(instruction(5, each, f"kernel_with_a_name_{each}") for each in functions),
        *(instruction(5, each, f"constant_{each}") for each in constants),
        *(instruction(71, each, 1, FIRST_SPEC_ID + n) for n, each in enumerate(aspects)),
        *(instruction(71, each, 6247, conditions[n % SETS]) for n, each in enumerate(functions)),
        instruction(19, void),
        instruction(20, boolean),
        instruction(21, integer, 32, 0),
        instruction(32, pointer, 5, integer),
        instruction(33, signature, void, pointer),
        *(instruction(49, boolean, each) for each in aspects),
        *(
            instruction(52, boolean, *each)
            for each in zip(negated, [168] * ASPECTS, aspects, strict=True)
        ),
        *expressions,
        *(instruction(43, integer, each, each) for each in constants),
        *(each for body in bodies for each in body),
        bound=next(ids),
    )


def _conditions(
    boolean: int, aspects: list[int], negated: list[int], ids: count[int]
) -> tuple[list[array[int]], list[int]]:
    """Return expressions and their ids; on each device, exactly one is true."""
    expressions: list[array[int]] = []
    conditions: list[int] = []
    for wanted in range(SETS):
        terms = [(aspects if wanted >> n & 1 else negated)[n] for n in range(ASPECTS)]
        condition = terms[0]
        for term in terms[1:]:
            new = next(ids)
            expressions.append(instruction(52, boolean, new, 167, condition, term))
            condition = new
        conditions.append(condition)
    return expressions, conditions


def _kernel(
    head: tuple[int, ...], types: tuple[int, int], constant: int, ids: count[int]
) -> list[array[int]]:
    integer, pointer = types
    parameter, label = next(ids), next(ids)
    body = [instruction(54, *head), instruction(55, pointer, parameter), instruction(248, label)]
    value = constant
    for _ in range(STEPS):
        address, loaded, total, product = (next(ids) for _ in range(4))
        body += [
            instruction(70, pointer, address, parameter, value),
            instruction(61, integer, loaded, address, 2, 4),
            instruction(128, integer, total, loaded, value),
            instruction(132, integer, product, total, constant),
            instruction(62, address, product, 2, 4),
        ]
        value = product
    return [*body, instruction(253), instruction(56)]
