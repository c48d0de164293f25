"""Choose the targets of a build: from names and configuration files to validated targets."""

import os
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from dovetail.codegen import BuildTarget, generators_of
from dovetail.driver.backend_option import BACKEND, XS, BackendOption
from dovetail.errors import UsageError
from dovetail.targets import Table, Target, default_table
from dovetail.targets.coverage import ANY_DEVICE, ANY_INTEL_GPU

NO_TARGET_OPTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType({})
"""No options for the compilers of targets."""

_DEVICE_OPTION = "-device"


class TargetChoice(NamedTuple):
    """The targets to build for, with warnings about them."""

    targets: tuple[Target, ...] = ()
    """Empty if none were given: the default of the table."""
    warnings: tuple[str, ...] = ()
    """Each is a complete line of output."""
    options: Mapping[str, tuple[str, ...]] = NO_TARGET_OPTIONS
    """Options for the compilers of targets, by the target's name."""
    fixed: tuple[Target, ...] = ()
    """The only targets that the program is meant to run on, if given."""
    configured: tuple[Target, ...] = ()
    """The targets that configuration files add or change."""

    @property
    def to_build(self) -> tuple[BuildTarget, ...]:
        """Return the targets with the options for their compilers."""
        return tuple(BuildTarget(each, self.options.get(each.name, ())) for each in self.targets)

    def frontend_words(self, option: BackendOption) -> tuple[str, ...]:
        """Return the options for device compilations; none if they are for another IR family."""
        if not option.target:
            return option.split()
        # Imported here because few builds have such options.
        from dovetail.driver.target_spellings import family_of_triple, plain_name
        from dovetail.targets.ir_family import by_ir_family, ir_family

        triple_family = family_of_triple(option.target)
        family = triple_family or ir_family(default_table()[plain_name(option.target)])
        families = by_ir_family(self.targets)
        if family in families and len(families) > 1:
            raise UsageError(
                f"'{option}' is for one of {len(families)} device compilations",
                hint=f"write {option.spelling} without a target, for all of them, or build"
                " separately for each family of targets",
            )
        return option.split() if family in families else ()


def choose_targets(
    names: str | Sequence[str],
    device_config_files: Sequence[str | os.PathLike[str]] = (),
    *,
    fixed: str | Sequence[str] = (),
    backend_options: Sequence[BackendOption] = (),
    architectures: Sequence[str] = (),
) -> TargetChoice:
    """Return the targets of these names, or the default; `UsageError` for invalid names.

    `names` is a list, or a string with commas as in `-fsycl-targets=`. A target that is listed
    twice, even under two names, counts once, with a warning, as in clang's other offloading.
    `architectures` are the values of `--offload-arch=`.
    """
    listed, fixed_names = listed_names(names), listed_names(fixed)
    if not (listed or fixed_names or device_config_files or backend_options or architectures):
        return TargetChoice()
    # Imported here because most builds name no target.
    from dovetail.driver.target_spellings import plain_name, resolve_spellings

    table, warnings, configured = _table(device_config_files)
    listed, backend_options = resolve_spellings(listed, backend_options, architectures, table)
    fixed_names = [plain_name(name) for name in fixed_names]
    targets, repeated = _each_once(listed or [ANY_DEVICE], table)
    fixed_targets, fixed_twice = _each_once(fixed_names, table)
    _refuse_mixture(targets)
    given_options, unused = _options(backend_options, targets, table)
    not_native = _not_native(targets)
    targets, options = _by_device(targets, given_options, table)
    return TargetChoice(
        # Targets that are only implied by other options do not restrict devices.
        targets=targets if listed or device_config_files else (),
        warnings=(*warnings, *repeated, *fixed_twice, *not_native, *unused),
        options=options,
        fixed=fixed_targets,
        configured=configured,
    )


def _by_device(
    targets: tuple[Target, ...], options: Mapping[str, tuple[str, ...]], table: Table
) -> tuple[tuple[Target, ...], Mapping[str, tuple[str, ...]]]:
    """Return targets and options, with the devices that `-device` names replaced by targets."""
    if ANY_INTEL_GPU not in options:
        return targets, options
    # Imported here because few builds pass options to ocloc.
    from dovetail.driver.named_devices import by_device

    return by_device(targets, options, table)


def listed_names(names: str | Sequence[str]) -> Sequence[str]:
    """Return the names of targets in a list, or in a string with commas."""
    each = names.split(",") if isinstance(names, str) else names
    if "" in each:
        text = names if isinstance(names, str) else ",".join(each)
        raise UsageError(
            f"empty name in the list of targets '{text}'",
            hint="separate names by single commas, without blanks",
        )
    return each


def _table(
    device_config_files: Sequence[str | os.PathLike[str]],
) -> tuple[Table, tuple[str, ...], tuple[Target, ...]]:
    """Return all known targets, warnings about the files, and the targets that these define."""
    if not device_config_files:
        return default_table(), (), ()
    # Imported here because most builds have no such file.
    from dovetail.targets.user_file import read_user_files

    return read_user_files(device_config_files, default_table())


def _each_once(names: Iterable[str], table: Table) -> tuple[tuple[Target, ...], list[str]]:
    """Return the targets without duplicates, and a warning for each duplicate."""
    listed_as: dict[str, str] = {}
    warnings: list[str] = []
    for name in table.expand(names):
        target = table.canonical(name)
        if target in listed_as:
            warnings.append(
                f"dovetail: warning: target '{name}' is already listed"
                + (f" as '{listed_as[target]}'" if name != listed_as[target] else "")
            )
        listed_as.setdefault(target, name)
    return tuple(table[name] for name in listed_as), warnings


def _is_device(target: Target) -> bool:
    """Return whether the target is one GPU model rather than a group of them."""
    return target.family != "spir64" and target.may_have("gpu")


def _refuse_mixture(targets: Sequence[Target]) -> None:
    """Refuse named GPUs together with `ANY_INTEL_GPU`, whose device is in its options."""
    if ANY_INTEL_GPU not in [target.name for target in targets]:
        return
    for target in targets:
        if _is_device(target):
            raise UsageError(
                f"'{ANY_INTEL_GPU}' and the device '{target.name}' cannot be listed together",
                hint=f"list every device by its name, or only '{ANY_INTEL_GPU}'",
            )


def _not_native(targets: Sequence[Target]) -> list[str]:
    """Return a warning for each target whose ahead-of-time compiler is not supported."""
    named = [target for target in targets if target.toolchain]
    return [
        f"dovetail: warning: no native code for '{target.name}': this version does not support its"
        f" ahead-of-time compiler, {target.toolchain}; drivers compile its SPIR-V at run time"
        for target in named
        if generators_of(target.toolchain) == generators_of()
    ]


def _options(
    given: Sequence[BackendOption], targets: Sequence[Target], table: Table
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the options for the compiler of each target, and warnings about unused options."""
    options: dict[str, tuple[str, ...]] = {}
    warnings: list[str] = []
    for option in given:
        words = option.split()
        selected = _selected(option, targets, table)
        _refuse_device(option, words, targets)
        for target in selected:
            options[target.name] = (*options.get(target.name, ()), *words)
        if not any(_takes_options(target) for target in selected):
            warnings.append(f"dovetail: warning: argument unused during compilation: '{option}'")
    return options, warnings


def _takes_options(target: Target) -> bool:
    generators = generators_of(target.toolchain)
    return any(generator.accepts_options(BuildTarget(target)) for generator in generators)


def _selected(option: BackendOption, targets: Sequence[Target], table: Table) -> Sequence[Target]:
    """Return the targets that an option is for; raise `UsageError` if that is unclear."""
    if option.target is None:
        return targets
    if option.target:
        name = table.canonical(option.target)
        selected = [target for target in targets if target.name == name]
        if not selected:
            listed = ", ".join(target.name for target in targets)
            raise UsageError(
                f"'{option}' names a target that is not being built",
                hint=f"the targets of this build, from -fsycl-targets, are {listed}",
            )
        return selected
    if len(targets) > 1:
        raise UsageError(
            f"'{option}' is ambiguous: the build has {len(targets)} targets",
            hint=f"write {BACKEND}=TARGET, or {XS} for all of them",
        )
    return targets


def _refuse_device(option: BackendOption, words: Sequence[str], targets: Sequence[Target]) -> None:
    """Refuse `-device` for targets that name a device: the driver passes that to ocloc itself."""
    devices = [target.name for target in targets if _is_device(target)]
    if devices and _DEVICE_OPTION in words:
        raise UsageError(
            f"'{option}' conflicts with the target '{devices[0]}', which already selects a device",
            hint=f"leave {_DEVICE_OPTION} out, or build for {ANY_INTEL_GPU} instead",
        )
