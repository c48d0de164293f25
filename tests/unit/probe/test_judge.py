"""What the end of a compiler's process means: only known words are a refusal."""

import re

import pytest

from dovetail.probe.compiler import Said, judge
from dovetail.processes.process import Finished

REFUSAL = re.compile("no double here")
UNKNOWN = re.compile("no such device '.'")


@pytest.mark.parametrize(
    ("status", "log", "said"),
    [
        (0, "", Said.YES),
        (0, "no double here (ignored)", Said.NO),
        (1, "error: no double here", Said.NO),
        (1, "error: no such device 'x'.", Said.UNKNOWN_TARGET),
        (1, "error: no memory", Said.NOTHING),
        (-11, "no double here", Said.NOTHING),
        (1, "no double here\nPLEASE submit a bug report", Said.NOTHING),
    ],
)
def test_only_known_words_are_a_refusal(status: int, log: str, said: Said) -> None:
    assert judge(Finished(status, log.encode()), refusal=REFUSAL, unknown=UNKNOWN).said is said


def test_reasons_name_the_ending_and_the_last_words() -> None:
    crash = judge(Finished(-11, b"half a\nsentence"), refusal=REFUSAL, unknown=UNKNOWN)
    assert crash.text == "it crashed (SIGSEGV): half a sentence"
    failure = judge(Finished(3), refusal=REFUSAL, unknown=UNKNOWN)
    assert failure.text == "it failed (status 3): no output"
