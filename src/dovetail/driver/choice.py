"""Which targets a program is built for: names and user files in, checked targets out."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dovetail.errors import UsageError
from dovetail.targets import Table, Target, default_table

_DEFAULT = "spir64"
_ANY_INTEL_GPU = "spir64_gen"


@dataclass(frozen=True)
class Choice:
    """The targets to build for, and what the user may not have meant."""

    targets: tuple[Target, ...] = ()
    """None if nothing was said: the default, as the table has it."""
    warnings: tuple[str, ...] = ()
    """Each a line to be printed as it is."""


def choose_targets(
    names: str | Sequence[str], device_config_files: Sequence[str | os.PathLike[str]]
) -> Choice:
    """The targets of these names, or the default; `UsageError` if they cannot be built for.

    `names` is a list, or a string with commas as `-fsycl-targets` takes it. A target that is listed
    twice, maybe under two names, counts once, with a warning, as clang has it for other offloading.
    """
    listed = names.split(",") if isinstance(names, str) else names
    if not listed and not device_config_files:
        return Choice()
    table, warnings = _table(device_config_files)
    targets, repeated = _each_once(listed or [_DEFAULT], table)
    _refuse_mixture(targets)
    _refuse_without_code_generation(targets)
    return Choice(targets, (*warnings, *repeated))


def _table(device_config_files: Sequence[str | os.PathLike[str]]) -> tuple[Table, tuple[str, ...]]:
    """All known targets, and what is odd about the user's files."""
    if not device_config_files:
        return default_table(), ()
    # Only who has such a file pays for what reads it.
    from dovetail.targets.user_file import read_user_files

    return read_user_files(device_config_files, default_table())


def _each_once(names: Iterable[str], table: Table) -> tuple[tuple[Target, ...], list[str]]:
    """The targets, and a warning for each name that adds none."""
    listed_as: dict[str, str] = {}
    warnings: list[str] = []
    for name in names:
        target = table.canonical(name)
        if target in listed_as:
            warnings.append(
                f"dovetail: warning: target '{name}' is listed already"
                + (f", as '{listed_as[target]}'" if name != listed_as[target] else "")
            )
        listed_as.setdefault(target, name)
    return tuple(table[name] for name in listed_as), warnings


def _refuse_mixture(targets: Sequence[Target]) -> None:
    """GPUs by name and GPUs by options do not go together: ocloc is told of either one."""
    if _ANY_INTEL_GPU not in [target.name for target in targets]:
        return
    for target in targets:
        if target.family != "spir64" and target.may_have("gpu"):
            raise UsageError(
                f"'{_ANY_INTEL_GPU}' and the device '{target.name}' cannot be listed together",
                hint="name every device that you want, or none of them",
            )


def _refuse_without_code_generation(targets: Sequence[Target]) -> None:
    for target in targets:
        if target.name != _DEFAULT:
            raise UsageError(
                f"code for '{target.name}' cannot be generated yet",
                hint=f"this version builds for {_DEFAULT}, which drivers compile as the program"
                " runs",
            )
