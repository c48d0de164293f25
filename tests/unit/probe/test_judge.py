"""What the end of a compiler's process means: only known words are a refusal."""

import re
import sys
from pathlib import Path

import pytest

from dovetail.compilers.child import Finished, NoAnswer, run_child
from dovetail.probe.compiler import Said, judge

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
    assert judge(Finished(status, log), refusal=REFUSAL, unknown=UNKNOWN).said is said


def test_reasons_name_the_ending_and_the_last_words() -> None:
    crash = judge(Finished(-11, "half a\nsentence"), refusal=REFUSAL, unknown=UNKNOWN)
    assert crash.text == "it crashed (SIGSEGV): half a sentence"
    failure = judge(Finished(3, ""), refusal=REFUSAL, unknown=UNKNOWN)
    assert failure.text == "it failed (status 3): it said nothing"


def test_a_child_that_hangs_gives_no_answer(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    with pytest.raises(NoAnswer, match=r"still at it after 0\.2 s"):
        run_child(command, tmp_path, seconds=0.2)


def test_a_child_that_cannot_start_gives_no_answer(tmp_path: Path) -> None:
    with pytest.raises(NoAnswer, match="cannot start '/no/such/compiler'"):
        run_child(["/no/such/compiler"], tmp_path)


def test_a_child_runs_in_its_folder_and_both_streams_are_read(tmp_path: Path) -> None:
    program = "import os, sys; print(os.getcwd()); sys.stdout.flush(); sys.exit('bad')"
    finished = run_child([sys.executable, "-c", program], tmp_path)
    assert finished == Finished(1, f"{tmp_path}\nbad\n")
