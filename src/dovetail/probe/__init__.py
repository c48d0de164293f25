"""Whether the device table is true: small kernels, put to the real compiler of every target.

    from dovetail import probe
    from dovetail.targets import default_table

    report = probe.run(default_table(), ["intel_gpu_pvc"])
    report.is_clean           # nothing disagrees, nothing is unlisted
    report.cells[0].outcome   # 'agrees', 'disagrees', 'unlisted', 'cannot be asked'

In: a table and the names of targets. Out: one cell for each target and question. A question counts
only if its compiler refused it at least once in the same run, since one that takes everything has
not answered.
"""

from dovetail.probe.compiler import Answer as Answer
from dovetail.probe.compiler import Compiler as Compiler
from dovetail.probe.compiler import Said as Said
from dovetail.probe.questions import Question as Question
from dovetail.probe.questions import questions_for as questions_for
from dovetail.probe.report import Cell as Cell
from dovetail.probe.report import Obstacle as Obstacle
from dovetail.probe.report import ProbeOutcome as ProbeOutcome
from dovetail.probe.report import Report as Report
from dovetail.probe.runner import run as run
