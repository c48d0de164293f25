"""`make fuzz`: its seeds, the faults that it detects, and inputs of earlier faults."""

import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from fuzz.campaign import REGRESSIONS, Budget, fuzz_reader
from fuzz.registry import READERS, load

from dovetail.errors import DovetailError

needs_engine = pytest.mark.skipif(
    find_spec("atheris") is None, reason="Atheris has no wheels for this version of Python"
)

_ROOT = Path(__file__).parents[2]
_SAVED = sorted(path.relative_to(REGRESSIONS) for path in REGRESSIONS.glob("*/*"))


@pytest.mark.parametrize("saved", _SAVED, ids=str)
def test_inputs_of_earlier_faults(saved: Path) -> None:
    with suppress(DovetailError):
        load(saved.parts[0]).read((REGRESSIONS / saved).read_bytes())


@pytest.mark.parametrize("name", READERS)
def test_seeds_are_read_and_edits_change_them(name: str) -> None:
    reader = load(name)
    accepted = changed = 0
    for seed in reader.seeds():
        assert len(seed) <= reader.max_size
        reader.read(seed)
        assert reader.repair(seed) == seed
        for number in range(2 if reader.starts_children else 20):
            with suppress(DovetailError):
                edited = reader.edit(seed, Random(number))
                changed += edited != seed
                reader.read(edited)
                accepted += 1
    assert changed
    assert accepted or reader.starts_children, "edits leave the structure whole, now and then"


@needs_engine
def test_the_same_seed_generates_the_same_inputs() -> None:
    results = [fuzz_reader("property-sets", Budget(500), seed, _ignore) for seed in (3, 3, 4)]
    assert not any(result.fault for result in results)
    assert [result.executed for result in results] == [500] * 3
    first, again, other = (result.accepted for result in results)
    assert first == again != other


@needs_engine
@pytest.mark.parametrize(
    ("reader", "problem"),
    [("RAISES", "KeyError: 'a'"), ("ALLOCATES", "MemoryError"), ("CRASHES", "deadly signal")],
)
def test_faults_are_detected_and_saved(
    reader: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{_ROOT / 'tests' / 'support'}:{_ROOT}")
    name = f"mock_readers:{reader}"
    result = fuzz_reader(name, Budget(10_000), 1, _ignore, tmp_path)
    assert problem in result.fault
    assert result.saved is not None
    assert result.saved.parent == tmp_path / name
    assert b"a" in result.saved.read_bytes()[4:]
    if reader != "CRASHES":
        assert len(result.saved.read_bytes()) == 5, "it is made as small as it can be"


@needs_engine
def test_the_command() -> None:
    words = ["--readers", "linker-script,condition", "--count", "300", "--seed", "2"]
    result = _fuzz(*words)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "linker-script: 300 inputs" in result.stdout
    table = [line.split() for line in result.stdout.splitlines()[-2:]]
    assert [(row[0], row[1], row[-1]) for row in table] == [
        ("linker-script", "300", "0"),
        ("condition", "300", "0"),
    ]


@needs_engine
def test_a_budget_of_time() -> None:
    result = _fuzz("--readers", "condition", "--time", "1")
    assert result.returncode == 0, result.stdout + result.stderr
    assert int(result.stdout.splitlines()[-1].split()[1]) > 0


@pytest.mark.parametrize(
    "words", [("--readers", "nothing"), ("--count", "0"), ("--time", "x"), ("--seed", "-1")]
)
def test_invalid_arguments(words: tuple[str, str]) -> None:
    result = _fuzz(*words)
    assert result.returncode == 2
    assert words[1] in result.stderr


def _ignore(executed: int, seconds: float) -> None:
    """Ignore the progress."""


def _fuzz(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fuzz", *words]
    return subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
