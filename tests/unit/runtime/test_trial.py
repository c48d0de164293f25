"""What a child process says that tried to build code."""

import pytest

from dovetail.runtime.trial import read_verdict


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        (b'noise\ndovetail-trial ""\n', ""),
        (b'dovetail-trial "refused"\n', "refused"),
        (b"noise\n", None),
        (b"", None),
        (b"dovetail-trial \n", None),
        (b'dovetail-trial "cut o\n', None),
        (b"dovetail-trial [5]\n", None),
        (b"dovetail-trial " + b"[" * 100_000 + b"\n", None),
    ],
    ids=range(8),
)
def test_verdicts(output: bytes, verdict: str | None) -> None:
    assert read_verdict(output) == verdict
