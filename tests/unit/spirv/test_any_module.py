"""All operations on arbitrary bytes return a result or raise `FormatError`."""

from array import array
from collections import Counter
from random import Random

import pytest
from fuzz.modules import conditional, kernel, module_of, written
from fuzz.readers.spirv_check import Outcome, check_module
from fuzz.readers.spirv_mutation import mutated
from hypothesis import given, strategies as st

from dovetail.spirv import SpirvModule, index_ids, instruction
from dovetail.spirv._grammar import INSTRUCTIONS

_NUMBERS = st.integers(0, 2**32 - 1) | st.integers(0, 40)
_OPCODES = st.sampled_from(sorted(INSTRUCTIONS)) | st.integers(0, 2**16 - 1)


def _instruction(opcode: int, operands: list[int | str]) -> "array[int]":
    return instruction(opcode, *operands)


@given(st.binary(max_size=64) | st.binary(max_size=64).map(lambda data: module_of() + data))
def test_any_bytes(data: bytes) -> None:
    check_module(data)


@given(
    st.lists(
        st.builds(
            _instruction,
            _OPCODES,
            st.lists(
                _NUMBERS
                | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9)
            ),
        ),
        max_size=9,
    ),
    _NUMBERS,
)
def test_any_instructions(instructions: list["array[int]"], bound: int) -> None:
    data = module_of(*instructions, bound=bound)
    assert SpirvModule.read(data).to_bytes() == data
    check_module(data)


def test_mutants() -> None:
    """A short form of `make fuzz`."""
    outcomes = Counter[Outcome]()
    seeds = kernel(), conditional(), written()
    for number in range(2000):
        random = Random(f"0 {number}")
        outcomes[check_module(mutated(random.choice(seeds), random))] += 1
    assert all(outcomes[each] > 50 for each in Outcome)


@pytest.mark.parametrize("size", [1000, 2000])
def test_time_and_memory_depend_only_on_the_size(size: int) -> None:
    """Many long phis of different lengths take time linear in their words."""
    phis = [instruction(245, 1, 3 + n, *[2] * n) for n in range(size)]
    module = SpirvModule.read(module_of(instruction(19, 1), instruction(248, 2), *phis, bound=9999))
    assert len(index_ids(module).used) == size + size * (size - 1) // 2
