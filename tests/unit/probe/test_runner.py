"""Which answers count, and how they compare with the table, with a fake compiler."""

from collections.abc import Mapping, Sequence
from threading import Lock

import pytest

from dovetail import probe
from dovetail.errors import ToolFailed, ToolMissing, UsageError
from dovetail.probe import Answer, AnswerKind, Cell, Obstacle, ProbeOutcome, Question
from dovetail.targets import Table, Target

FP64 = Question(aspect="fp64")
SIZE_8 = Question(sub_group_size=8)
YES, NO = Answer(AnswerKind.ACCEPTED), Answer(AnswerKind.REFUSED)


class FakeCompiler:
    """A compiler that knows some targets and refuses some questions for each."""

    def __init__(
        self,
        refuses: Mapping[str, Sequence[Question]],
        *,
        controls: Mapping[Question, Answer] | None = None,
        name: str = "fake 1.0",
        failing: Exception | None = None,
    ) -> None:
        self.name = name
        self._refuses = refuses
        self._controls = controls or {}
        self._failing = failing
        self._lock = Lock()
        self.asked: list[tuple[str, Question]] = []
        self.asked_controls: list[Question] = []

    def ask(self, target: Target, question: Question) -> Answer:
        with self._lock:
            self.asked.append((target.name, question))
        if self._failing:
            raise self._failing
        if target.name not in self._refuses:
            return Answer(AnswerKind.UNKNOWN_TARGET, f"what is {target.name}?")
        return NO if question in self._refuses[target.name] else YES

    def ask_control(self, question: Question) -> Answer | None:
        with self._lock:
            self.asked_controls.append(question)
        return self._controls.get(question)


def table(*targets: Target) -> Table:
    return Table({target.name: target for target in targets}, {"alias": targets[0].name})


def target(
    name: str,
    *aspects: str,
    may: bool = False,
    sizes: tuple[int, ...] = (),
    toolchain: str = "fake",
) -> Target:
    return Target(
        name,
        aspects=aspects,
        may_support_other_aspects=may,
        sub_group_sizes=sizes,
        toolchain=toolchain,
    )


def cell_of(
    wanted: Question, asked: Table, *compilers: probe.Compiler, name: str | None = None
) -> Cell:
    name = name or next(iter(asked)).name
    report = probe.run(asked, [name], toolchains={"fake": lambda: compilers})
    return next(cell for cell in report.cells if cell.question == wanted)


@pytest.mark.parametrize(
    ("entry", "refuses", "outcome"),
    [
        (target("t", "fp64"), [], ProbeOutcome.AGREES),
        (target("t", "fp64"), [FP64], ProbeOutcome.DISAGREES),
        (target("t"), [], ProbeOutcome.DISAGREES),
        (target("t"), [FP64], ProbeOutcome.AGREES),
        (target("t", may=True), [], ProbeOutcome.UNLISTED),
        (target("t", may=True), [FP64], ProbeOutcome.AGREES),
    ],
)
def test_an_aspect_is_compared(
    entry: Target, refuses: list[Question], outcome: ProbeOutcome
) -> None:
    cell = cell_of(FP64, table(entry), FakeCompiler({"t": refuses}, controls={FP64: NO}))
    assert cell.outcome is outcome
    assert cell.compiler == "fake 1.0"
    assert cell.obstacle is None


@pytest.mark.parametrize(
    ("sizes", "refuses", "outcome"),
    [
        ((8, 16), [], ProbeOutcome.AGREES),
        ((16,), [], ProbeOutcome.DISAGREES),
        ((8,), [SIZE_8], ProbeOutcome.DISAGREES),
        ((16,), [SIZE_8], ProbeOutcome.AGREES),
        ((), [], ProbeOutcome.UNLISTED),
        ((), [SIZE_8], ProbeOutcome.AGREES),
    ],
)
def test_a_sub_group_size_is_compared(
    sizes: tuple[int, ...], refuses: list[Question], outcome: ProbeOutcome
) -> None:
    compiler = FakeCompiler({"t": refuses}, controls={SIZE_8: NO})
    assert cell_of(SIZE_8, table(target("t", sizes=sizes)), compiler).outcome is outcome


def test_what_is_never_refused_cannot_be_asked() -> None:
    accepts_the_control = FakeCompiler({"t": []}, controls={FP64: YES})
    for compiler in (FakeCompiler({"t": []}), accepts_the_control):
        cell = cell_of(FP64, table(target("t", "fp64")), compiler)
        assert cell.outcome is ProbeOutcome.INCONCLUSIVE
        assert cell.obstacle is Obstacle.NEVER_REFUSED
        assert cell.answer is AnswerKind.ACCEPTED
        assert "fake 1.0" in cell.reason


def test_a_refusal_for_another_target_makes_a_question_count() -> None:
    asked = table(target("t", "fp64"), target("u"))
    compiler = FakeCompiler({"t": [], "u": [FP64]})
    report = probe.run(asked, toolchains={"fake": lambda: [compiler]})
    assert {c.outcome for c in report.cells if c.question == FP64} == {ProbeOutcome.AGREES}


def test_a_refusal_counts_only_for_its_compiler_and_question() -> None:
    old = FakeCompiler({"old": [FP64]}, name="fake 1.0")
    new = FakeCompiler({"new": []}, name="fake 2.0")
    asked = table(target("new", "fp64"), target("old"))
    report = probe.run(asked, toolchains={"fake": lambda: [new, old]})
    found = {(c.target, c.question): c for c in report.cells}
    assert found["new", FP64].obstacle is Obstacle.NEVER_REFUSED
    assert found["old", FP64].outcome is ProbeOutcome.AGREES
    assert found["old", FP64].compiler == "fake 1.0"
    assert found["old", SIZE_8].obstacle is Obstacle.NEVER_REFUSED


def test_controls_are_asked_even_if_one_target_is_named() -> None:
    compiler = FakeCompiler({"t": [], "u": []})
    probe.run(table(target("t"), target("u")), ["t"], toolchains={"fake": lambda: [compiler]})
    assert {name for name, _ in compiler.asked} == {"t"}
    assert set(compiler.asked_controls) == {question for _, question in compiler.asked}


def test_a_compiler_that_does_not_know_the_target() -> None:
    compilers = (FakeCompiler({}, name="fake 1.0"), FakeCompiler({}, name="fake 2.0"))
    cell = cell_of(FP64, table(target("t", "fp64")), *compilers)
    assert cell.outcome is ProbeOutcome.INCONCLUSIVE
    assert cell.obstacle is Obstacle.TARGET_UNKNOWN
    assert cell.reason == "fake 1.0, fake 2.0 does not know it: what is t?"


def test_a_compiler_that_is_missing() -> None:
    def find() -> list[FakeCompiler]:
        raise ToolMissing("fake is not installed", hint="install fake")

    report = probe.run(table(target("t", "fp64")), toolchains={"fake": find})
    assert {cell.obstacle for cell in report.cells} == {Obstacle.COMPILER_MISSING}
    assert report.cells[0].reason == "fake is not installed\ninstall fake"
    assert report.cells[0].answer is None


@pytest.mark.parametrize(
    ("toolchain", "obstacle"),
    [("", Obstacle.NOT_ONE_DEVICE), ("unknown", Obstacle.TOOLCHAIN_UNKNOWN)],
)
def test_a_target_without_a_compiler(toolchain: str, obstacle: Obstacle) -> None:
    report = probe.run(table(target("t", toolchain=toolchain)), toolchains={})
    assert {cell.obstacle for cell in report.cells} == {obstacle}
    assert toolchain in report.cells[0].reason


def test_a_compiler_that_fails_gives_no_answer() -> None:
    compiler = FakeCompiler(
        {}, controls={FP64: NO}, failing=ToolFailed("it was still running after 60 s")
    )
    cell = cell_of(FP64, table(target("t")), compiler)
    assert cell.obstacle is Obstacle.NO_ANSWER
    assert "still running" in cell.reason


def test_the_order_is_that_of_table_and_questions() -> None:
    asked = table(target("z", sizes=(128,)), target("a"))
    compiler = FakeCompiler({"z": [], "a": []})
    report = probe.run(asked, toolchains={"fake": lambda: [compiler]}, jobs=4)
    names = [(cell.target, cell.question.name) for cell in report.cells]
    assert names[:4] == [("z", "fp64"), ("z", "fp16"), ("z", "atomic64"), ("z", "sub-group size 4")]
    assert names[8:10] == [("z", "sub-group size 128"), ("a", "fp64")]
    assert len(names) == 9 + 8


def test_aliases_are_resolved_and_names_checked() -> None:
    asked = table(target("t"))
    assert {cell.target for cell in probe.run(asked, ["alias", "t"], toolchains={}).cells} == {"t"}
    assert len(probe.run(asked, ["alias", "t"], toolchains={}).cells) == 8
    with pytest.raises(UsageError, match="unknown target 'u'"):
        probe.run(asked, ["u"], toolchains={})


def test_progress_counts_kernels_and_controls() -> None:
    seen: list[tuple[int, int]] = []
    compiler = FakeCompiler({"t": []})
    probe.run(
        table(target("t")),
        toolchains={"fake": lambda: [compiler]},
        on_progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(done, 16) for done in range(1, 17)]


def test_a_report_counts_its_cells() -> None:
    entry = target("t", "fp64", sizes=(16,))
    compiler = FakeCompiler({"t": []}, controls={FP64: NO, SIZE_8: NO})
    report = probe.run(table(entry), toolchains={"fake": lambda: [compiler]})
    assert report.counts == {
        ProbeOutcome.AGREES: 1,
        ProbeOutcome.DISAGREES: 1,
        ProbeOutcome.UNLISTED: 0,
        ProbeOutcome.INCONCLUSIVE: 6,
    }
    assert not report.is_clean
    assert [cell.question for cell in report.of(ProbeOutcome.DISAGREES)] == [SIZE_8]
