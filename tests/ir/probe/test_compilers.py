"""The real compilers: each tells a target that has a feature from one that lacks it."""

from functools import cache

import pytest

from dovetail import probe
from dovetail.probe import Answer, Compiler, Obstacle, ProbeOutcome, Question, Said
from dovetail.probe.runner import TOOLCHAINS
from dovetail.targets import Table, Target

FP64, FP16, ATOMIC64 = (Question(aspect=name) for name in ("fp64", "fp16", "atomic64"))


def size(number: int) -> Question:
    return Question(sub_group_size=number)


def answer(toolchain: str, options: str, question: Question, name: str = "t") -> Answer:
    """What the first compiler that knows the target says."""
    target = Target(name, toolchain=toolchain, options=options)
    answers = [each.ask(target, question) for each in compilers(toolchain)]
    known = [each for each in answers if each.said is not Said.UNKNOWN_TARGET]
    return (known or answers)[0]


@cache
def compilers(toolchain: str) -> list[Compiler]:
    return list(TOOLCHAINS[toolchain]())


@pytest.mark.parametrize(
    ("device", "question", "said"),
    [
        ("skl", FP64, Said.YES),
        ("icllp", FP64, Said.NO),
        ("skl", size(8), Said.YES),
        ("pvc", size(8), Said.NO),
        ("pvc", size(64), Said.NO),
        ("nothing_like_it", FP64, Said.UNKNOWN_TARGET),
    ],
)
def test_ocloc(device: str, question: Question, said: Said) -> None:
    assert answer("ocloc", f"-device {device}", question).said is said


@pytest.mark.parametrize(
    ("architecture", "question", "said"),
    [
        ("sm_52", FP16, Said.NO),
        ("sm_53", FP16, Said.YES),
        ("sm_53", ATOMIC64, Said.NO),
        ("sm_60", ATOMIC64, Said.YES),
        ("sm_90a", ATOMIC64, Said.YES),
        ("sm_90a", size(32), Said.YES),
        ("sm_90a", size(64), Said.NO),
        ("sm_1", FP64, Said.UNKNOWN_TARGET),
    ],
)
def test_ptxas(architecture: str, question: Question, said: Said) -> None:
    assert answer("ptxas", f"-arch={architecture}", question).said is said


@pytest.mark.parametrize(
    ("processor", "question", "said"),
    [
        ("gfx700", FP16, Said.NO),
        ("gfx803", FP16, Said.YES),
        ("gfx700", FP64, Said.YES),
        ("gfx942", ATOMIC64, Said.YES),
        ("gfx900", size(32), Said.NO),
        ("gfx900", size(64), Said.YES),
        ("gfx1010", size(32), Said.YES),
        ("gfx1250", size(64), Said.NO),
        ("gfx940", FP64, Said.UNKNOWN_TARGET),
    ],
)
def test_amdgpu(processor: str, question: Question, said: Said) -> None:
    assert answer("amdgpu", f"-mcpu={processor}", question).said is said


@pytest.mark.device
@pytest.mark.parametrize(
    ("options", "question", "said"),
    [
        ("", size(4), Said.YES),
        ("", size(128), Said.NO),
        ("-march=sapphirerapids", FP64, Said.YES),
        ("-march=of_tomorrow", FP64, Said.UNKNOWN_TARGET),
    ],
)
def test_opencl_cpu(options: str, question: Question, said: Said) -> None:
    assert answer("opencl-aot", options, question).said is said


@pytest.mark.parametrize(
    ("toolchain", "question"),
    [
        ("ocloc", FP64),
        ("ocloc", size(16)),
        ("ptxas", FP16),
        ("ptxas", ATOMIC64),
        ("ptxas", size(32)),
        ("amdgpu", FP64),
        ("amdgpu", FP16),
        ("amdgpu", ATOMIC64),
        ("amdgpu", size(32)),
        ("amdgpu", size(64)),
    ],
)
def test_controls_are_refused(toolchain: str, question: Question) -> None:
    for compiler in compilers(toolchain):
        control = compiler.ask_control(question)
        assert control is not None
        assert control.said is Said.NO, compiler.name


@pytest.mark.parametrize("toolchain", ["ocloc", "ptxas", "amdgpu"])
def test_options_that_name_no_device(toolchain: str) -> None:
    assert answer(toolchain, "-O2", FP64).said is Said.NOT_ASKED


@pytest.mark.parametrize("toolchain", ["ocloc", "ptxas", "amdgpu"])
def test_names_carry_a_version(toolchain: str) -> None:
    for compiler in compilers(toolchain):
        name, _, version = compiler.name.rpartition(" ")
        assert name
        assert version.replace(".", "").isdecimal()


def test_a_report_of_real_compilers() -> None:
    entries = [
        Target("has-half", aspects=("fp16",), toolchain="amdgpu", options="-mcpu=gfx803"),
        Target("claims-half", aspects=("fp16",), toolchain="amdgpu", options="-mcpu=gfx700"),
        Target("too-old", aspects=("fp16",), toolchain="amdgpu", options="-mcpu=gfx940"),
    ]
    report = probe.run(Table({entry.name: entry for entry in entries}, {}))
    has, claims, old = (cell for cell in report.cells if cell.question == FP16)
    assert has.outcome is ProbeOutcome.AGREES
    assert claims.outcome is ProbeOutcome.DISAGREES
    assert (old.outcome, old.obstacle) == (ProbeOutcome.CANNOT_BE_ASKED, Obstacle.TARGET_UNKNOWN)
    assert old.reason == f"{old.compiler} does not know it: invalid target ID 'gfx940'"
    unchecked = next(cell for cell in report.cells if cell.question == size(16))
    assert unchecked.obstacle is Obstacle.NEVER_REFUSED
