"""What the runtime is told for a target: processors, and options of its compiler.

The words are those that `opencl-aot` takes, which does for DPC++ what we do here.
"""

import shlex
from collections.abc import Iterator
from typing import NamedTuple

from dovetail.codegen.generator import BuildTarget
from dovetail.compilers.cpu_kinds import CPU_KINDS
from dovetail.errors import UsageError

_OTHER_NAMES = {
    "sse42": "corei7",
    "wsm": "corei7",
    "avx": "corei7-avx",
    "snb": "corei7-avx",
    "ivyb": "corei7-avx",
    "avx2": "core-avx2",
    "bdw": "core-avx2",
    "cfl": "core-avx2",
    "adl": "core-avx2",
    "avx512": "skx",
    "skylake-avx512": "skx",
    "spr": "sapphirerapids",
    "gnr": "graniterapids",
    "dmr": "diamondrapids",
}
"""Those of `opencl-aot`, to the runtime's own."""

_PROCESSOR = ("-march", "--march")
_OPTIONS = ("-bo", "--bo")


class Told(NamedTuple):
    """What the runtime is told."""

    processors: tuple[str, ...]
    options: tuple[str, ...]
    """Of OpenCL compilers, such as -cl-fast-relaxed-math."""


def told(target: BuildTarget) -> Told:
    """For a target, by its entry in the table and the user; `UsageError` for other words."""
    # A binary starts without a build only on its own CPU kind (see `cpu_kinds`), so all get one.
    processors = CPU_KINDS
    options: list[str] = []
    for option, value in _pairs(target):
        if option in _PROCESSOR:
            processors = (_OTHER_NAMES.get(value, value),)
        else:
            options += shlex.split(value)
    return Told(processors, tuple(options))


def _pairs(target: BuildTarget) -> Iterator[tuple[str, str]]:
    words = iter(target.words)
    for word in words:
        option, equals, value = word.partition("=")
        value = value if equals else next(words, "")
        if option not in (*_PROCESSOR, *_OPTIONS) or not value:
            raise UsageError(
                f"Intel's OpenCL CPU runtime does not take '{word}'",
                hint="it takes -march=PROCESSOR and --bo=OPTIONS, such as"
                " -march=avx512 --bo=-cl-fast-relaxed-math",
            )
        yield option, value
