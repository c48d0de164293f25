"""Only a known message counts as a refusal."""

import re

import pytest

from dovetail.probe.compiler import AnswerKind, classify
from dovetail.processes.process import Finished

REFUSAL = re.compile("no double here")
UNKNOWN = re.compile("no such device '.'")


@pytest.mark.parametrize(
    ("status", "log", "kind"),
    [
        (0, "", AnswerKind.ACCEPTED),
        (0, "no double here (ignored)", AnswerKind.REFUSED),
        (1, "error: no double here", AnswerKind.REFUSED),
        (1, "error: no such device 'x'.", AnswerKind.UNKNOWN_TARGET),
        (1, "error: no memory", AnswerKind.FAILED),
        (-11, "no double here", AnswerKind.FAILED),
        (1, "no double here\nPLEASE submit a bug report", AnswerKind.FAILED),
    ],
)
def test_only_known_messages_are_refusals(status: int, log: str, kind: AnswerKind) -> None:
    assert classify(Finished(status, log.encode()), refusal=REFUSAL, unknown=UNKNOWN).kind is kind


def test_failures_have_reason_and_log() -> None:
    crash = classify(Finished(-11, b"half a\nsentence"), refusal=REFUSAL, unknown=UNKNOWN)
    assert crash.text == "it crashed (SIGSEGV): half a sentence"
    failure = classify(Finished(3), refusal=REFUSAL, unknown=UNKNOWN)
    assert failure.text == "it failed (status 3): no output"
