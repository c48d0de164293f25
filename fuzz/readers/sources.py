"""C++ sources, which clang with the plugin checks as device code and a build compiles.

Sources are trusted, so this is not about attacks: for every source, the result must be a program or
an error with a source location.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from random import Random
from zlib import crc32

from fuzz.reader import Reader
from fuzz.sources import SEEDS, STANDARDS, Fault, SourceTester, mutated

_COUNT = 2_000
"""Each input is a run of clang, and some are a build."""


@cache
def _tester() -> SourceTester:
    return SourceTester(Path(tempfile.mkdtemp(prefix="fuzz-sources-")))


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in SEEDS]


def _read(data: bytes) -> None:
    # The standard depends only on the input.
    standard = STANDARDS[crc32(data) % len(STANDARDS)]
    text = data.decode(errors="replace").replace("\0", " ")
    outcome = _tester().run(text, standard)
    if isinstance(outcome, Fault):
        raise AssertionError(f"{outcome.what}:\n{outcome.messages}")


def _edit(data: bytes, random: Random) -> bytes:
    text = data.decode(errors="replace")
    return mutated(text, random.choice(SEEDS), random).encode(errors="replace")


READER = Reader(
    "C++ sources, by clang with the plugin and by builds",
    _seeds,
    _read,
    _edit,
    count=_COUNT,
    starts_children=True,
)
