"""What tells processors apart that do not run each other's code."""

from pathlib import Path

import pytest

from dovetail.runtime import host_processor
from dovetail.runtime.host_processor import processor_features

TWO_PROCESSORS = """\
processor\t: 0
vendor_id\t: A vendor
model name\t: A model
cpu MHz\t\t: 2445.426
flags\t\t: sse avx
bogomips\t: 4890.85

processor\t: 1
model name\t: Another
"""


def features_in(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(host_processor, "_LIST", path)
    return processor_features.__wrapped__()


def test_model_and_instruction_sets_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "list").write_text(TWO_PROCESSORS)
    found = features_in(tmp_path / "list", monkeypatch)
    assert found == "vendor_id\t: A vendor\nmodel name\t: A model\nflags\t\t: sse avx"


def test_a_system_that_does_not_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert features_in(tmp_path / "none", monkeypatch) == ""
