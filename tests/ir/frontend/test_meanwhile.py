"""What is done while a program runs."""

from pathlib import Path

import pytest

from dovetail.frontend import Tools


def test_the_program_runs_meanwhile(tmp_path: Path) -> None:
    """It ends well only if the file appears while it runs."""
    awaited = tmp_path / "awaited"
    script = 'for i in $(seq 1000); do if [ -e "$0" ]; then exit 0; fi; sleep 0.01; done; exit 1'
    Tools().run(("/bin/sh", "-c", script, str(awaited)), meanwhile=awaited.touch)


def test_a_failure_meanwhile_leaves_no_program_behind(tmp_path: Path) -> None:
    def fail() -> None:
        raise RuntimeError("no such module")

    written = tmp_path / "written"
    with pytest.raises(RuntimeError, match="no such module"):
        Tools().run(("/bin/sh", "-c", 'sleep 0.1; echo > "$0"', str(written)), meanwhile=fail)
    assert written.exists()
