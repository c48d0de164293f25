"""Check the table of targets against the real ahead-of-time compilers, with small kernels.

    from dovetail import probe
    from dovetail.targets import default_table

    report = probe.run(default_table(), ["intel_gpu_pvc"])
    report.is_clean           # nothing disagrees, nothing is unlisted
    report.cells[0].outcome   # 'agrees', 'disagrees', 'unlisted', 'cannot be asked'

The report has one cell for each target and question. A compiler's answers to a question count only
if it refused the question at least once in the run: one that accepts everything does not check it.
"""

from dovetail.probe.compiler import Answer as Answer, AnswerKind as AnswerKind, Compiler as Compiler
from dovetail.probe.questions import Question as Question, questions_for as questions_for
from dovetail.probe.report import (
    Cell as Cell,
    Obstacle as Obstacle,
    ProbeOutcome as ProbeOutcome,
    Report as Report,
)
from dovetail.probe.runner import run as run
