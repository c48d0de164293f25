"""Tools that have been running for long are mentioned, again and again, but not too often."""

import pytest

from dovetail.cli.slow_tools import Notices
from dovetail.errors import UsageError
from dovetail.processes.running_tools import (
    RunningTool,
    for_purpose,
    running,
    time_limit,
    tools_running,
)

CLANG = RunningTool(0, "clang++-22", "compile a.cpp", 100.0, 1800.0)
OCLOC = RunningTool(1, "ocloc", "", 110.0, None)


def test_notices_at_growing_intervals() -> None:
    notices = Notices()
    told = [(s, *notices.due([CLANG], 100.0 + s)) for s in range(500)]
    assert [seconds for seconds, *lines in told if lines] == [30, 60, 120, 240, 480]
    assert told[60][1] == (
        "dovetail: clang++-22 (compile a.cpp) has been running for 60 s (time limit: 1800 s)"
    )


def test_each_tool_has_its_own_time() -> None:
    notices = Notices()
    assert len([*notices.due([CLANG, OCLOC], 130.0)]) == 1
    assert [*notices.due([CLANG, OCLOC], 140.0)] == ["dovetail: ocloc has been running for 30 s"]


def test_running_tools() -> None:
    with for_purpose("compile a.cpp"), running("clang", 5.0), running("ocloc", None, "for x"):
        tools = [(tool.name, tool.purpose, tool.limit) for tool in tools_running()]
    assert tools == [("clang", "compile a.cpp", 5.0), ("ocloc", "for x", None)]
    assert tools_running() == []


@pytest.mark.parametrize(("text", "seconds"), [("", 1800.0), ("2.5", 2.5), ("0", None)])
def test_limits(text: str, seconds: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOVETAIL_TOOL_TIMEOUT", text)
    assert time_limit() == seconds


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "1 h"])
def test_invalid_limits(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOVETAIL_TOOL_TIMEOUT", text)
    with pytest.raises(UsageError, match=f"DOVETAIL_TOOL_TIMEOUT: expected .* got '{text}'"):
        time_limit()
