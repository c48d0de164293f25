"""Dependency files, as clang's -MD writes them: a makefile that says what an object depends on.

Host and device may read different files; a build system has to know of both.
"""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

# The end of a rule's targets, and the end of the rule.
_COLON = r":(?=\s)"
_LINE_END = r"(?<!\\)\n"


class Dependencies(NamedTuple):
    """Which dependency file is wanted with an object."""

    mode: str = ""
    """`-MD`, or `-MMD` for one without the system's headers; empty for none."""
    file: str = ""
    """Empty if it is named after the object."""
    targets: tuple[str, ...] = ()
    """`-MT NAME` and `-MQ NAME` as given."""
    others: tuple[str, ...] = ()
    """`-MP` and its like."""

    def path(self, output: str) -> Path:
        """Where the file goes."""
        return Path(self.file) if self.file else Path(output).with_suffix(".d")

    def words(self, output: str, file: Path) -> tuple[str, ...]:
        """What clang is told if the file is for `output` and is first written to `file`."""
        targets = self.targets or ("-MQ", output)
        return (self.mode, *self.others, *targets, "-MF", os.fspath(file))


def dependency_paths(makefile: str) -> list[str]:
    """The prerequisites of the first rule."""
    rule = re.split(_LINE_END, makefile, maxsplit=1)[0]
    _, _, prerequisites = _halves(rule.replace("\\\n", " "))
    return [
        word.replace("\\ ", " ").replace("\\#", "#").replace("$$", "$")
        for word in _written(prerequisites)
    ]


def merged(makefile: str, others: Iterable[str], *, phony: bool) -> str:
    """The makefile with what the first rules of the others list as well.

    If `phony`, each gets a rule of its own, as with -MP, so that it can vanish.
    """
    rule, *rest = re.split(_LINE_END, makefile, maxsplit=1)
    targets, colon, prerequisites = _halves(rule.replace("\\\n", " "))
    known = _written(prerequisites)
    added: dict[str, None] = {}
    for other in others:
        first = re.split(_LINE_END, other, maxsplit=1)[0].replace("\\\n", " ")
        added |= dict.fromkeys(word for word in _written(_halves(first)[2]) if word not in known)
    if not added:
        return makefile
    listed = " \\\n  ".join([*known, *added])
    rules = "".join(f"{word}:\n" for word in added) if phony else ""
    return f"{targets}{colon} {listed}\n{''.join(rest)}{rules}"


def _halves(rule: str) -> tuple[str, str, str]:
    colon = re.search(_COLON, rule + "\n")
    return (rule[: colon.start()], ":", rule[colon.end() :]) if colon else ("", "", "")


def _written(prerequisites: str) -> Sequence[str]:
    """The words as the makefile has them; not what stands for standard input."""
    words = re.split(r"(?<!\\)\s+", prerequisites.strip())
    return [word for word in words if word not in ("", "-")]
