"""The real compilers distinguish targets that have a feature from targets that lack it."""

from functools import cache

import pytest

from dovetail import probe
from dovetail.probe import Answer, AnswerKind, Compiler, Obstacle, ProbeOutcome, Question
from dovetail.probe.runner import TOOLCHAINS
from dovetail.targets import Table, Target

FP64, FP16, ATOMIC64 = (Question(aspect=name) for name in ("fp64", "fp16", "atomic64"))


def size(number: int) -> Question:
    return Question(sub_group_size=number)


def answer(toolchain: str, options: str, question: Question, name: str = "t") -> Answer:
    """Return the answer of the first compiler that knows the target."""
    target = Target(name, toolchain=toolchain, options=options)
    answers = [each.ask(target, question) for each in compilers(toolchain)]
    known = [each for each in answers if each.kind is not AnswerKind.UNKNOWN_TARGET]
    return (known or answers)[0]


@cache
def compilers(toolchain: str) -> list[Compiler]:
    return list(TOOLCHAINS[toolchain]())


@pytest.mark.parametrize(
    ("device", "question", "kind"),
    [
        ("skl", FP64, AnswerKind.ACCEPTED),
        ("icllp", FP64, AnswerKind.REFUSED),
        ("skl", size(8), AnswerKind.ACCEPTED),
        ("pvc", size(8), AnswerKind.REFUSED),
        ("pvc", size(64), AnswerKind.REFUSED),
        ("nothing_like_it", FP64, AnswerKind.UNKNOWN_TARGET),
    ],
)
def test_ocloc(device: str, question: Question, kind: AnswerKind) -> None:
    assert answer("ocloc", f"-device {device}", question).kind is kind


@pytest.mark.parametrize(
    ("architecture", "question", "kind"),
    [
        ("sm_52", FP16, AnswerKind.REFUSED),
        ("sm_53", FP16, AnswerKind.ACCEPTED),
        ("sm_53", ATOMIC64, AnswerKind.REFUSED),
        ("sm_60", ATOMIC64, AnswerKind.ACCEPTED),
        ("sm_90a", ATOMIC64, AnswerKind.ACCEPTED),
        ("sm_90a", size(32), AnswerKind.ACCEPTED),
        ("sm_90a", size(64), AnswerKind.REFUSED),
        ("sm_1", FP64, AnswerKind.UNKNOWN_TARGET),
    ],
)
def test_ptxas(architecture: str, question: Question, kind: AnswerKind) -> None:
    assert answer("ptxas", f"-arch={architecture}", question).kind is kind


@pytest.mark.parametrize(
    ("processor", "question", "kind"),
    [
        ("gfx700", FP16, AnswerKind.REFUSED),
        ("gfx803", FP16, AnswerKind.ACCEPTED),
        ("gfx700", FP64, AnswerKind.ACCEPTED),
        ("gfx942", ATOMIC64, AnswerKind.ACCEPTED),
        ("gfx900", size(32), AnswerKind.REFUSED),
        ("gfx900", size(64), AnswerKind.ACCEPTED),
        ("gfx1010", size(32), AnswerKind.ACCEPTED),
        ("gfx1250", size(64), AnswerKind.REFUSED),
        ("gfx940", FP64, AnswerKind.UNKNOWN_TARGET),
    ],
)
def test_amdgpu(processor: str, question: Question, kind: AnswerKind) -> None:
    assert answer("amdgpu", f"-mcpu={processor}", question).kind is kind


@pytest.mark.device
@pytest.mark.parametrize(
    ("options", "question", "kind"),
    [
        ("", size(4), AnswerKind.ACCEPTED),
        ("", size(128), AnswerKind.REFUSED),
        ("-march=sapphirerapids", FP64, AnswerKind.ACCEPTED),
        ("-march=of_tomorrow", FP64, AnswerKind.UNKNOWN_TARGET),
    ],
)
def test_opencl_cpu(options: str, question: Question, kind: AnswerKind) -> None:
    assert answer("opencl-aot", options, question).kind is kind


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
        assert control.kind is AnswerKind.REFUSED, compiler.name


@pytest.mark.parametrize("toolchain", ["ocloc", "ptxas", "amdgpu"])
def test_options_that_name_no_device(toolchain: str) -> None:
    assert answer(toolchain, "-O2", FP64).kind is AnswerKind.NO_DEVICE


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
    assert (old.outcome, old.obstacle) == (ProbeOutcome.INCONCLUSIVE, Obstacle.TARGET_UNKNOWN)
    assert old.reason == f"{old.compiler} does not know it: invalid target ID 'gfx940'"
    unchecked = next(cell for cell in report.cells if cell.question == size(16))
    assert unchecked.obstacle is Obstacle.NEVER_REFUSED
