"""Which targets a program is built for: names and user files in, checked targets out."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dovetail.errors import UsageError
from dovetail.targets import Table, Target, default_table
from dovetail.targets.user_file import read_user_files

DEFAULT = "spir64"
_ANY_INTEL_GPU = "spir64_gen"


@dataclass(frozen=True)
class Choice:
    """The targets to build for, and what the user may not have meant."""

    targets: tuple[Target, ...] = ()
    warnings: tuple[str, ...] = ()
    """Each a line to be printed as it is."""


def choose_targets(
    names: str | Sequence[str], device_config_files: Sequence[str | os.PathLike[str]]
) -> Choice:
    """The targets of these names, or the default; `UsageError` if they cannot be built for.

    `names` is a list or what `-fsycl-targets` takes, with commas. A target that is listed twice,
    maybe under two names, counts once, with a warning, as clang does it.
    """
    if not names and not device_config_files and not isinstance(names, str):
        return Choice()
    table, warnings = read_user_files(device_config_files, default_table())
    listed = names.split(",") if isinstance(names, str) else names
    targets, repeated = _each_once(listed or [DEFAULT], table)
    _refuse_mixture(targets)
    _refuse_without_back_end(targets)
    return Choice(targets, (*warnings, *repeated))


def _each_once(names: Iterable[str], table: Table) -> tuple[tuple[Target, ...], list[str]]:
    """The targets, and warnings about names that add none."""
    first_names: dict[Target, str] = {}
    warnings: list[str] = []
    for name in names:
        target = table[name]
        first = first_names.setdefault(target, name)
        if len(first_names) + len(warnings) ...
    return tuple(first_names), warnings
