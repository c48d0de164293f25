"""What ocloc is told for a target: the words of its entry in the table, then the user's.

All of them reach it as they are, as DPC++ has it: what is meant for the compiler inside follows
`-options`.
"""

import shlex
from itertools import pairwise

from dovetail.codegen.generator import BuildTarget

DEVICE = "-device"


def words_of(target: BuildTarget) -> tuple[str, ...]:
    """Device and options, word by word."""
    return (*shlex.split(target.target.options), *target.options)


def device_of(target: BuildTarget) -> str:
    """The device or devices, as ocloc takes them; empty if there is none."""
    # As for ocloc itself, the last one counts.
    named = [value for word, value in pairwise(words_of(target)) if word == DEVICE]
    return named[-1] if named else ""
