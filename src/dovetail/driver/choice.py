"""Which targets a program is built for: names and user files in, checked targets out."""

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from dovetail.codegen import BuildTarget, generators_of
from dovetail.driver.named_devices import by_device
from dovetail.errors import UsageError
from dovetail.targets import Table, Target, default_table
from dovetail.targets.coverage import ANY_DEVICE, ANY_INTEL_GPU

NOTHING_TOLD: Mapping[str, tuple[str, ...]] = MappingProxyType({})
"""To the compilers of targets."""

_DEVICE_OPTION = "-device"
_XS = "-Xs"
_BACKEND = "-Xsycl-target-backend"


class BackendOption(NamedTuple):
    """Words for ahead-of-time compilers, as the command line has them."""

    words: str
    """Quoted as for a shell."""
    target: str | None = ""
    """Whose compiler is meant: a name; "" for the only one; None for all of them (`-Xs`)."""

    def __str__(self) -> str:
        spelling = _XS if self.target is None else f"{_BACKEND}{self.target and '='}{self.target}"
        return f"{spelling} {shlex.quote(self.words)}"

    def split(self) -> tuple[str, ...]:
        """The words one by one."""
        try:
            return tuple(shlex.split(self.words))
        except ValueError:
            option = str(self).partition(" ")[0]
            raise UsageError(
                f"the words of {option} cannot be told apart: in [{self.words}] a quotation mark or"
                " a backslash stands alone",
                hint="quote them as for a shell",
            ) from None


class Choice(NamedTuple):
    """The targets to build for, and what the user may not have meant."""

    targets: tuple[Target, ...] = ()
    """None if nothing was said: the default, as the table has it."""
    warnings: tuple[str, ...] = ()
    """Each a line to be printed as it is."""
    options: Mapping[str, tuple[str, ...]] = NOTHING_TOLD
    """What the compilers of some targets are told, by the target's name."""
    fixed: tuple[Target, ...] = ()
    """What the program is meant to run on, if nothing else."""
    configured: tuple[Target, ...] = ()
    """What the user's files speak of."""

    @property
    def to_build(self) -> tuple[BuildTarget, ...]:
        """The targets with what their compilers are told."""
        return tuple(BuildTarget(each, self.options.get(each.name, ())) for each in self.targets)


def choose_targets(
    names: str | Sequence[str],
    device_config_files: Sequence[str | os.PathLike[str]] = (),
    *,
    fixed: str | Sequence[str] = (),
    backend_options: Sequence[BackendOption] = (),
) -> Choice:
    """The targets of these names, or the default; `UsageError` if they cannot be built for.

    Names are a list, or a string with commas as `-fsycl-targets` takes it. A target that is listed
    twice, maybe under two names, counts once, with a warning, as clang has it for other offloading.
    """
    listed, fixed_names = listed_names(names), listed_names(fixed)
    if not (listed or fixed_names or device_config_files or backend_options):
        return Choice()
    table, warnings, configured = _table(device_config_files)
    targets, repeated = _each_once(listed or [ANY_DEVICE], table)
    fixed_targets, fixed_twice = _each_once(fixed_names, table)
    _refuse_mixture(targets)
    told, unmeant = _options(backend_options, targets, table)
    unfit = _not_native(targets)
    targets, options = by_device(targets, told, table)
    return Choice(
        # What is only implied says nothing about devices.
        targets=targets if listed or device_config_files else (),
        warnings=(*warnings, *repeated, *fixed_twice, *unfit, *unmeant),
        options=options,
        fixed=fixed_targets,
        configured=configured,
    )


def listed_names(names: str | Sequence[str]) -> Sequence[str]:
    """The names of targets in a list, or in a string with commas."""
    each = names.split(",") if isinstance(names, str) else names
    if "" in each:
        text = names if isinstance(names, str) else ",".join(each)
        raise UsageError(
            f"a name is missing in the list of targets '{text}'",
            hint="separate names by one comma each, without blanks",
        )
    return each


def _table(
    device_config_files: Sequence[str | os.PathLike[str]],
) -> tuple[Table, tuple[str, ...], tuple[Target, ...]]:
    """All known targets, what is odd about the user's files, and what these speak of."""
    if not device_config_files:
        return default_table(), (), ()
    # Only who has such a file pays for what reads it.
    from dovetail.targets.user_file import read_user_files

    return read_user_files(device_config_files, default_table())


def _each_once(names: Iterable[str], table: Table) -> tuple[tuple[Target, ...], list[str]]:
    """The targets, and a warning for each name that adds none."""
    listed_as: dict[str, str] = {}
    warnings: list[str] = []
    for name in table.expand(names):
        target = table.canonical(name)
        if target in listed_as:
            warnings.append(
                f"dovetail: warning: target '{name}' is listed already"
                + (f", as '{listed_as[target]}'" if name != listed_as[target] else "")
            )
        listed_as.setdefault(target, name)
    return tuple(table[name] for name in listed_as), warnings


def _is_device(target: Target) -> bool:
    """Whether it names a GPU rather than a kind of them."""
    return target.family != "spir64" and target.may_have("gpu")


def _refuse_mixture(targets: Sequence[Target]) -> None:
    """GPUs by name and GPUs by options do not go together: ocloc is told of either one."""
    if ANY_INTEL_GPU not in [target.name for target in targets]:
        return
    for target in targets:
        if _is_device(target):
            raise UsageError(
                f"'{ANY_INTEL_GPU}' and the device '{target.name}' cannot be listed together",
                hint="name every device that you want, or none of them",
            )


def _not_native(targets: Sequence[Target]) -> list[str]:
    """What a list with names of devices may lead one to expect."""
    named = [target for target in targets if target.toolchain]
    return [
        f"dovetail: warning: code for '{target.name}' stays SPIR-V, which drivers compile as the"
        f" program runs: this version cannot use its ahead-of-time compiler, {target.toolchain}"
        for target in named
        if generators_of(target.toolchain) == generators_of()
    ]


def _options(
    given: Sequence[BackendOption], targets: Sequence[Target], table: Table
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """What the compiler of each target is told, and a warning for what reaches none."""
    options: dict[str, tuple[str, ...]] = {}
    warnings: list[str] = []
    for option in given:
        words = option.split()
        meant = _meant(option, targets, table)
        _refuse_device(option, words, targets)
        for target in meant:
            options[target.name] = (*options.get(target.name, ()), *words)
        if not any(_takes_options(target) for target in meant):
            warnings.append(f"dovetail: warning: argument unused during compilation: '{option}'")
    return options, warnings


def _takes_options(target: Target) -> bool:
    generators = generators_of(target.toolchain)
    return any(generator.takes_options(BuildTarget(target)) for generator in generators)


def _meant(option: BackendOption, targets: Sequence[Target], table: Table) -> Sequence[Target]:
    if option.target is None:
        return targets
    if option.target:
        name = table.canonical(option.target)
        meant = [target for target in targets if target.name == name]
        if not meant:
            listed = ", ".join(target.name for target in targets)
            raise UsageError(
                f"'{option}' is for a target that is not built for",
                hint=f"the targets are {listed}; -fsycl-targets lists them",
            )
        return meant
    if len(targets) > 1:
        raise UsageError(
            f"'{option}' does not say which of {len(targets)} targets it is for",
            hint=f"write {_BACKEND}=TARGET, or {_XS} for all of them",
        )
    return targets


def _refuse_device(option: BackendOption, words: Sequence[str], targets: Sequence[Target]) -> None:
    """Who names a device need not, and must not, name it to ocloc once more."""
    devices = [target.name for target in targets if _is_device(target)]
    if devices and _DEVICE_OPTION in words:
        raise UsageError(
            f"'{option}' cannot stand beside the device '{devices[0]}', which its compiler is told"
            " of anyway",
            hint=f"leave {_DEVICE_OPTION} out, or build for {ANY_INTEL_GPU} instead",
        )
