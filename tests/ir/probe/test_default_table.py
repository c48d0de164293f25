"""The default table against every compiler that can be asked; takes most of a minute."""

import pytest

from dovetail import probe
from dovetail.probe import Outcome
from dovetail.targets import default_table


@pytest.mark.device
def test_the_default_table_agrees_with_every_compiler() -> None:
    report = probe.run(default_table())
    assert report.of(Outcome.DISAGREES) == []
    assert report.of(Outcome.UNLISTED) == []
    assert report.counts[Outcome.AGREES] > 500
