"""The files that clang writes beside objects: of coverage, and of split debug information.

Clang would name them after a temporary object.
"""

import os
from collections.abc import Sequence
from pathlib import Path

_COVERAGE = ("--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage")
_SPLIT = "-gsplit-dwarf"
_SPLIT_IN_OBJECT = f"{_SPLIT}=single"


def files_beside_options(options: Sequence[str], output: Path) -> tuple[str, ...]:
    """Return options that name these files after `output`, the object that clang would write."""
    named = (*_coverage(options, output.absolute()), *_split_debug_information(options, output))
    return tuple(part for option in named for part in ("-Xclang", option))


def _coverage(options: Sequence[str], output: Path) -> tuple[str, ...]:
    if not any(option in _COVERAGE for option in options):
        return ()
    notes, data = output.with_suffix(".gcno"), output.with_suffix(".gcda")
    return (f"-coverage-notes-file={notes}", f"-coverage-data-file={data}")


def _split_debug_information(options: Sequence[str], output: Path) -> tuple[str, ...]:
    given = [option for option in options if option.startswith((_SPLIT, f"-gno-{_SPLIT[2:]}"))]
    if not given or not given[-1].startswith(_SPLIT):
        return ()
    if given[-1] == _SPLIT_IN_OBJECT:
        return ("-split-dwarf-file", os.fspath(output))
    name = os.fspath(output.with_suffix(".dwo"))
    return ("-split-dwarf-file", name, "-split-dwarf-output", name)
