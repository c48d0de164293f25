"""The tables match the grammar file, and named opcodes match the tables."""

import json
from pathlib import Path

import pytest

from dovetail.spirv import _grammar, _requirements, grammar, opcodes
from dovetail.spirv.from_grammar import INSTALLED, requirements_text, tables_text


def test_tables_match_the_grammar_file() -> None:
    if not INSTALLED.exists():
        pytest.skip(f"Debian's spirv-headers is not installed: there is no {INSTALLED}")
    file = json.loads(INSTALLED.read_bytes())
    assert Path(_grammar.__file__).read_text() == tables_text(file)
    assert Path(_requirements.__file__).read_text() == requirements_text(file)


def test_names_of_opcodes() -> None:
    names = {name: number for name, number in vars(opcodes).items() if name.isupper()}
    assert len(names) > 20
    for name, number in names.items():
        spelling = f"Op{name.replace('_', '')}".casefold()
        assert grammar.opcode_name(number).casefold().removesuffix("intel") == spelling


def test_enumerants_newer_than_the_grammar_file() -> None:
    conditional = grammar.decoration(6247)
    assert conditional is not None
    assert conditional.capabilities == (6245,)
    needed = grammar.capability(6245)
    assert needed is not None
    assert needed.extensions == ("SPV_INTEL_function_variants",)
    assert grammar.value_parameters("D", 6247) == "i"
    assert grammar.operand_kinds(6250) == "il"


def test_operands_of_masks_are_in_the_order_of_bits() -> None:
    assert grammar.value_parameters("M", 0) == ""
    assert grammar.value_parameters("M", 2 | 8) == "li"
    assert grammar.value_parameters("I", 4 | 2) == "iii"
    assert grammar.value_parameters("M", 1 << 30) is None


def test_unknown_numbers() -> None:
    assert grammar.operand_kinds(65535) is None
    assert grammar.opcode_name(65535) == "opcode 65535"
    assert grammar.decoration(7744) is None
    assert grammar.execution_mode(7744) is None
    assert grammar.capability(7744) is None
