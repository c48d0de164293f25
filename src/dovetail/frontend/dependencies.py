"""Dependency files, as written by clang's -MD: a makefile that lists what an object depends on.

The host and device compilations may read different files; a build system needs both lists.
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
    """The dependency file that the user asked for."""

    mode: str = ""
    """`-MD`, or `-MMD` to leave out system headers; empty for no file."""
    file: str = ""
    """The name of the file; empty if it is named after the object."""
    targets: tuple[str, ...] = ()
    """`-MT NAME` and `-MQ NAME` as given."""
    others: tuple[str, ...] = ()
    """`-MP` and similar options."""

    def path(self, output: str) -> Path:
        """Return the path of the file for an object."""
        return Path(self.file) if self.file else Path(output).with_suffix(".d")

    def options(self, output: str, file: Path) -> tuple[str, ...]:
        """Return clang's options to write the dependency file of `output` to `file`."""
        targets = self.targets or ("-MQ", output)
        return (self.mode, *self.others, *targets, "-MF", os.fspath(file))


def dependency_paths(makefile: str) -> list[str]:
    """Return the prerequisites of a makefile's first rule."""
    rule = re.split(_LINE_END, makefile, maxsplit=1)[0]
    _, _, prerequisites = _split_rule(rule.replace("\\\n", " "))
    return [
        name.replace("\\ ", " ").replace("\\#", "#").replace("$$", "$")
        for name in _prerequisites(prerequisites)
    ]


def merge_dependencies(makefile: str, others: Iterable[str], *, phony: bool) -> str:
    """Return a makefile with the prerequisites of the first rules of others added.

    If `phony`, each added file gets an empty rule, as with -MP, so that it may be deleted.
    """
    rule, *rest = re.split(_LINE_END, makefile, maxsplit=1)
    targets, colon, prerequisites = _split_rule(rule.replace("\\\n", " "))
    known = _prerequisites(prerequisites)
    added: dict[str, None] = {}
    for other in others:
        first = re.split(_LINE_END, other, maxsplit=1)[0].replace("\\\n", " ")
        names = _prerequisites(_split_rule(first)[2])
        added |= dict.fromkeys(name for name in names if name not in known)
    if not added:
        return makefile
    listed = " \\\n  ".join([*known, *added])
    rules = "".join(f"{name}:\n" for name in added) if phony else ""
    return f"{targets}{colon} {listed}\n{''.join(rest)}{rules}"


def _split_rule(rule: str) -> tuple[str, str, str]:
    """Return targets, colon and prerequisites; all empty if the text is not a rule."""
    colon = re.search(_COLON, rule + "\n")
    return (rule[: colon.start()], ":", rule[colon.end() :]) if colon else ("", "", "")


def _prerequisites(text: str) -> Sequence[str]:
    """Return the escaped names in a list of prerequisites, without `-` for standard input."""
    names = re.split(r"(?<!\\)\s+", text.strip())
    return [name for name in names if name not in ("", "-")]
