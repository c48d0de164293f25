"""Code with conditions from anywhere: made plain, or refused."""

from collections import Counter
from random import Random

import pytest
from fuzz.modules import FAST, FP16, FP64, conditional, kernel
from fuzz.readers.spirv_mutation import mutated

from dovetail import trust
from dovetail.errors import ProgramBuildError
from dovetail.runtime.backend import Code, CodeKind
from dovetail.runtime.device_code import without_conditions
from dovetail.spirv import SpirvModule

VALUES = ((FP64, False), (FP16, True), (FAST, False))


def test_code_without_constants_is_not_looked_at() -> None:
    code = Code(CodeKind.NATIVE, b"anything")
    assert without_conditions(code) is code


def test_known_code_vouches_for_what_is_made_of_it(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path_factory.mktemp("cache") / "own"))
    code = Code(CodeKind.SPIRV, conditional(), VALUES)
    assert not without_conditions(code).is_trusted
    trust.remember(code.data)
    made = without_conditions(code)
    assert made.is_trusted
    assert made.values == ()
    assert made.data != code.data


def test_damaged_code_is_refused_or_made_plain() -> None:
    random, outcomes = Random(1), Counter[str]()
    for _ in range(2000):
        data = mutated(random.choice((conditional(), kernel())), random)
        try:
            made = without_conditions(Code(CodeKind.SPIRV, data, VALUES))
        except ProgramBuildError:
            outcomes["refused"] += 1
        else:
            SpirvModule.read(made.data)
            outcomes["plain"] += 1
    assert min(outcomes["refused"], outcomes["plain"]) > 100, outcomes
