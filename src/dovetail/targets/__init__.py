"""The table of targets: their aspects, sub-group sizes, architectures and ahead-of-time compilers.

    from dovetail.targets import default_table

    table = default_table()
    table["intel_gpu_pvc"].has("fp64")          # True
    table["intel_gpu_12_60_7"].sub_group_sizes  # (16, 32): an alias
    table["spir64"].verdict("fp64")             # "may"

The default table is generated from `devices.td` when the package is built.

A verdict is "yes", "no" or "may"; the last for an entry that may support aspects it does not list.
Tables are immutable: `with_targets` returns another one, so threads can share them.

Every command uses the table at start-up, so this is one module with few imports.
"""

from dovetail.targets import _targets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.capabilities import Capabilities, Verdict
    from dovetail.targets.aspects import (
        aspect_name as aspect_name,
        aspect_names as aspect_names,
        aspect_number as aspect_number,
        aspect_text as aspect_text,
    )
    from dovetail.targets.fit_text import FitText

_LIST_TARGETS_HINT = (
    "'dovetail targets' lists the known targets; a device configuration file"
    " (-fsycl-device-config-file=) adds others"
)

FAMILIES = ("intel_gpu", "nvidia_gpu", "amd_gpu", "intel_cpu", "spir64")


class Target:
    """An entry of the table of targets; immutable."""

    __slots__ = (
        "_capabilities",
        "absent_aspects",
        "aspects",
        "may_support_other_aspects",
        "name",
        "options",
        "sub_group_sizes",
        "toolchain",
    )

    def __init__(
        self,
        name: str,
        aspects: "tuple[str, ...]" = (),
        may_support_other_aspects: int = False,
        sub_group_sizes: "tuple[int, ...]" = (),
        toolchain: str = "",
        options: str = "",
        absent_aspects: "tuple[str, ...]" = (),
    ) -> None:
        self.name = name
        self.aspects = aspects
        self.absent_aspects = absent_aspects
        """Aspects that it does not have, even if it may support others than are listed."""
        self.may_support_other_aspects = bool(may_support_other_aspects)
        self.sub_group_sizes = sub_group_sizes
        """Empty if unknown."""
        self.toolchain = toolchain
        """The ahead-of-time compiler, such as ocloc; empty if there is none."""
        self.options = options
        """The options that make the toolchain compile for this target."""
        self._capabilities: Capabilities | None = None

    def __repr__(self) -> str:
        return f"<Target {self.name}>"

    @property
    def family(self) -> str:
        """The prefix that it shares with similar targets (intel_gpu, ...), or its own name."""
        for family in FAMILIES:
            if self.name.startswith(family):
                return family
        return self.name

    @property
    def capabilities(self) -> "Capabilities":
        """The entry in the form that `dovetail.fit` compares with requirements."""
        if self._capabilities is None:
            self._capabilities = _capabilities(self)
        return self._capabilities

    def has(self, aspect: str | int) -> bool:
        """Return whether it is known to have an aspect, given by name or number."""
        return self.verdict(aspect) == "yes"

    def may_have(self, aspect: str | int) -> bool:
        """Return whether it has or may have an aspect."""
        return self.verdict(aspect) != "no"

    def verdict(self, aspect: str | int) -> "Verdict":
        """Return whether it has an aspect: "yes", "no" or "may"."""
        # Listed names need no lookup in the table of aspects, which loads on first use.
        if aspect in self.aspects:
            return "yes"
        if aspect in self.absent_aspects:
            return "no"
        return self.capabilities.aspect_verdict(_number_of(aspect))

    def sub_group_verdict(self, size: int) -> "Verdict":
        """Return whether kernels can require that size: "may" if no sizes are listed."""
        return self.capabilities.sub_group_verdict(size)

    def fit(self, aspects: "Iterable[str | int]", sub_group_size: int | None = None) -> "FitText":
        """Return whether code with these requirements can run on it, with reasons as text."""
        from dovetail.fit import Requirements, fit
        from dovetail.targets.fit_text import fit_text

        requirements = Requirements(map(_number_of, aspects), sub_group_size)
        return fit_text(fit(self.capabilities, requirements))


class Table:
    """Targets, their aliases and architectures."""

    __slots__ = ("_aliases", "_entries")

    def __init__(
        self, entries: "dict[str, Target | None]", aliases: "dict[str, str] | None" = None
    ) -> None:
        # Most commands look up few targets, so defaults are created lazily: None is the default
        # entry of that name, or the default aliases.
        self._entries = entries
        self._aliases = aliases

    def __iter__(self) -> "Iterator[Target]":
        """Iterate over the targets, without aliases, in the order of the table."""
        return map(self.__getitem__, self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries or name in self._all_aliases()

    def __getitem__(self, name: str) -> Target:
        """Return the target of that name or alias; raise `UsageError` if it is unknown."""
        if name not in self._entries:
            if name not in self._all_aliases():
                raise self._unknown(name)
            name = self._all_aliases()[name]
        target = self._entries[name]
        if target is None:
            target = _default_target(name)
            self._entries[name] = target
        return target

    def get(self, name: str) -> "Target | None":
        """Return the target of that name or alias, or None."""
        return self[name] if name in self else None  # noqa: SIM401 -- defines `get`

    def expand(self, names: "Iterable[str]") -> list[str]:
        """Return the names with groups replaced by their members.

        Raise `UsageError` with all names that are neither targets nor groups.
        """
        listed = list(names)
        unknown = [name for name in dict.fromkeys(listed) if not (name in self or _group(name))]
        if unknown:
            raise self._unknown(*unknown)
        return [each for name in listed for each in ((name,) if name in self else _group(name))]

    def _unknown(self, *names: str) -> Exception:
        """Return the error about names that are not targets."""
        from dovetail.errors import UsageError

        if len(names) == 1 and _group(names[0]):
            hint = f"name one of them: {', '.join(_group(names[0]))}"
            return UsageError(f"expected one target, got the group '{names[0]}'", hint=hint)
        quoted = ", ".join(f"'{name}'" for name in names)
        near = {name: self.nearest(name) for name in names}
        if len(names) == 1:
            message, hints = f"unknown target {quoted}", [*filter(None, near.values())]
        else:
            message = f"unknown targets {quoted}"
            hints = [f"for '{name}': {hint}" for name, hint in near.items() if hint]
        if not all(near.values()):
            hints.append(_LIST_TARGETS_HINT)
        return UsageError(message, hint="\n".join(hints))

    def canonical(self, name: str) -> str:
        """Return the target's own name for a name or alias."""
        return self[name].name

    def aliases(self, name: str) -> tuple[str, ...]:
        """Return the other names of a target."""
        canonical = self.canonical(name)
        return tuple(alias for alias, target in self._all_aliases().items() if target == canonical)

    def architecture(self, name: str) -> int | None:
        """Return the number in `enum class architecture`; None if it is not one architecture."""
        return architecture_number(self.canonical(name))

    def macro(self, name: str) -> str:
        """Return the macro that device code for only this target sees; may be empty."""
        from dovetail.targets.macros import architecture_macro

        return architecture_macro(self.canonical(name))

    def having(self, aspect: str | int, among: "Iterable[str] | None" = None) -> list[Target]:
        """Return the targets that are known to have an aspect, of all or of those named."""
        targets = self if among is None else [self[name] for name in among]
        return [target for target in targets if target.has(aspect)]

    def nearest(self, name: str) -> str:
        """Return a hint with the target, alias or group closest to a name; may be empty."""
        from dovetail.errors import nearest
        from dovetail.targets import _names

        return nearest(name, [*self._entries, *self._all_aliases(), *_names.GroupTable])

    def _all_aliases(self) -> dict[str, str]:
        if self._aliases is None:
            from dovetail.targets import _names

            self._aliases = {alias: name for alias, (name,) in _names.AliasTable.items()}
        return self._aliases

    def with_targets(self, targets: "Iterable[Target]") -> "Table":
        """Return a table with these entries added or replaced."""
        changed = {target.name: target for target in targets}
        return Table({**self._entries, **changed}, self._aliases)


def default_table() -> Table:
    """Return the table that comes with the package."""
    return Table(dict.fromkeys(_targets.TargetTable))


def _default_target(name: str) -> Target:
    (absent,) = _targets.AbsentAspectTable[name]
    return Target(name, *_targets.TargetTable[name], absent)


def target_of_identifier(identifier: int) -> str:
    """Return the target with this DPC++ identifier, which Intel's GPU drivers report; or ""."""
    for name, (_, known) in _architectures().items():
        if known == identifier:
            return name
    return ""


def architecture_number(name: str) -> int | None:
    """Return the number of a target's own name, as `Table.architecture`; None if it is unknown."""
    row = _architectures().get(name)
    return row[0] if row else None


def architecture_names(number: int) -> tuple[str, ...]:
    """Return the targets with this number in `enum class architecture`, the usual name first."""
    return tuple(name for name, (known, _) in _architectures().items() if known == number)


def groups_of(name: str) -> tuple[str, ...]:
    """Return the groups that contain a target, given by its own name."""
    from dovetail.targets import _names

    return tuple(group for group, (members,) in _names.GroupTable.items() if name in members)


def _group(name: str) -> tuple[str, ...]:
    """Return the members of a group; empty if there is no such group."""
    from dovetail.targets import _names

    (members,) = _names.GroupTable.get(name, ((),))
    return members


def _architectures() -> dict[str, tuple[int, int]]:
    from dovetail.targets import _names

    return _names.ArchitectureTable


# Most lookups do not need the table of aspects, so it is loaded on first use.


def _number_of(aspect: str | int) -> int:
    from dovetail.targets.aspects import aspect_number

    return aspect_number(aspect)


def _capabilities(target: Target) -> "Capabilities":
    from dovetail.capabilities import Capabilities
    from dovetail.targets.aspects import aspect_number, implied_aspects

    present = frozenset(map(aspect_number, target.aspects))
    absent = frozenset(map(aspect_number, target.absent_aspects))
    # The absence of a replacement does not rule out the deprecated aspect: atomic64 requires more.
    implied = frozenset(map(aspect_number, implied_aspects(target.aspects)))
    return Capabilities(
        aspects=present | (implied - absent),
        absent_aspects=absent,
        may_support_other_aspects=target.may_support_other_aspects,
        sub_group_sizes=target.sub_group_sizes,
    )


def __getattr__(name: str) -> object:
    """Load the table of aspects on first use."""
    if name.startswith("aspect_"):
        from dovetail.targets import aspects

        return getattr(aspects, name)
    raise AttributeError(f"module 'dovetail.targets' has no attribute '{name}'")
