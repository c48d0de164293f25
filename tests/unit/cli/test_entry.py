"""Where commands begin."""

import builtins
from typing import Any

import pytest

from dovetail.cli import entry


def test_interrupts_at_start_print_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    imported = builtins.__import__

    def interrupted(name: str, *others: Any) -> Any:
        if name == "dovetail.cli.main":
            raise KeyboardInterrupt
        return imported(name, *others)

    monkeypatch.setattr("sys.argv", ["dovetail", "targets"])
    monkeypatch.setattr(builtins, "__import__", interrupted)
    assert entry.dovetail() == 130
    assert capsys.readouterr().err == "dovetail: interrupted\n"
