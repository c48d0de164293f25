"""What every target can do: the one place that knows, asked by all other parts.

    from dovetail.targets import default_table

    table = default_table()
    table["intel_gpu_pvc"].has("fp64")          # True
    table["intel_gpu_12_60_7"].sub_group_sizes  # (16, 32): an alias
    table["spir64"].verdict("fp64")             # "may"

The default configuration is `devices.td`, turned into a Python module when the package is built.

An entry that may support other aspects than it lists answers with three values: yes, no and may.
What a table says is never changed: `with_targets` returns another one, so threads share it freely.

Every command asks about targets as it starts, so nothing here imports more than it needs; for the
same reason all of it is one module.
"""

from dovetail.targets import _targets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.capabilities import Capabilities, Verdict
    from dovetail.targets.aspects import aspect_name as aspect_name
    from dovetail.targets.aspects import aspect_names as aspect_names
    from dovetail.targets.aspects import aspect_number as aspect_number
    from dovetail.targets.aspects import aspect_text as aspect_text
    from dovetail.targets.fit_text import FitText

_WHERE_TARGETS_ARE = (
    "'dovetail targets' lists those that are known; a device configuration file"
    " (-fsycl-device-config-file=) adds others"
)

FAMILIES = ("intel_gpu", "nvidia_gpu", "amd_gpu", "intel_cpu", "spir64")


class Target:
    """What the device configuration says of one target; never changed after it is made."""

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
        """What it is known not to have, even if it may support others than are listed."""
        self.may_support_other_aspects = bool(may_support_other_aspects)
        self.sub_group_sizes = sub_group_sizes
        """Empty if they are not known."""
        self.toolchain = toolchain
        """What compiles for it ahead of time, such as ocloc; empty if nothing does."""
        self.options = options
        """What the toolchain is told so that it compiles for this target."""
        self._capabilities: Capabilities | None = None

    def __repr__(self) -> str:
        return f"<Target {self.name}>"

    @property
    def family(self) -> str:
        """Which targets it belongs with: intel_gpu, nvidia_gpu, amd_gpu, ...; else its own name."""
        for family in FAMILIES:
            if self.name.startswith(family):
                return family
        return self.name

    @property
    def capabilities(self) -> "Capabilities":
        """What its entry says, in the form that `dovetail.fit` compares with requirements."""
        if self._capabilities is None:
            self._capabilities = _capabilities(self)
        return self._capabilities

    def has(self, aspect: str | int) -> bool:
        """Whether it is known to have an aspect, given by name or number."""
        return self.verdict(aspect) == "yes"

    def may_have(self, aspect: str | int) -> bool:
        """Whether it has an aspect or might: false only where the entry rules it out."""
        return self.verdict(aspect) != "no"

    def verdict(self, aspect: str | int) -> "Verdict":
        """Whether it has an aspect: yes, no or may."""
        # What is listed, either way, is the name of an aspect, and is found without more tables.
        if aspect in self.aspects:
            return "yes"
        if aspect in self.absent_aspects:
            return "no"
        return self.capabilities.aspect_verdict(_number_of(aspect))

    def sub_group_verdict(self, size: int) -> "Verdict":
        """Whether kernels can require sub-groups of that size; may, if no sizes are listed."""
        return self.capabilities.sub_group_verdict(size)

    def fit(self, aspects: "Iterable[str | int]", sub_group_size: int | None = None) -> "FitText":
        """Return whether code that needs these features runs there, and in words why not."""
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
        # Most programs ask for few targets, by their names, so the rest is made when asked for:
        # an entry that is None is the default one, aliases that are None are the default ones.
        self._entries = entries
        self._aliases = aliases

    def __iter__(self) -> "Iterator[Target]":
        """The targets, each once, in the order of the configuration."""
        return map(self.__getitem__, self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries or name in self._all_aliases()

    def __getitem__(self, name: str) -> Target:
        """The target of that name or alias; `UsageError` with the nearest if there is none."""
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
        """The target of that name or alias, if there is one."""
        return self[name] if name in self else None  # noqa: SIM401 -- this is what it means

    def expand(self, names: "Iterable[str]") -> list[str]:
        """Return the names of targets in a list, groups replaced by their members.

        Raise `UsageError` with all names that are neither targets nor groups.
        """
        listed = list(names)
        unknown = [name for name in dict.fromkeys(listed) if not (name in self or _group(name))]
        if unknown:
            raise self._unknown(*unknown)
        return [each for name in listed for each in ((name,) if name in self else _group(name))]

    def _unknown(self, *names: str) -> Exception:
        from dovetail.errors import UsageError

        if len(names) == 1 and _group(names[0]):
            hint = f"name one of them: {', '.join(_group(names[0]))}"
            return UsageError(f"'{names[0]}' is several targets, and one is needed here", hint=hint)
        quoted = ", ".join(f"'{name}'" for name in names)
        near = {name: self.nearest(name) for name in names}
        if len(names) == 1:
            message, hints = f"there is no target {quoted}", [*filter(None, near.values())]
        else:
            message = f"there are no targets {quoted}"
            hints = [f"for '{name}': {hint}" for name, hint in near.items() if hint]
        if not all(near.values()):
            hints.append(_WHERE_TARGETS_ARE)
        return UsageError(message, hint="\n".join(hints))

    def canonical(self, name: str) -> str:
        """The name of the target that an alias stands for; a target's own name as it is."""
        return self[name].name

    def aliases(self, name: str) -> tuple[str, ...]:
        """Other names of a target."""
        canonical = self.canonical(name)
        return tuple(alias for alias, target in self._all_aliases().items() if target == canonical)

    def architecture(self, name: str) -> int | None:
        """The number in `enum class architecture`; None for what is not one architecture."""
        return architecture_number(self.canonical(name))

    def macro(self, name: str) -> str:
        """What is predefined when device code is compiled for this target alone; may be empty."""
        from dovetail.targets.macros import architecture_macro

        return architecture_macro(self.canonical(name))

    def having(self, aspect: str | int, among: "Iterable[str] | None" = None) -> list[Target]:
        """Those that are known to have an aspect, of all or of some targets."""
        targets = self if among is None else [self[name] for name in among]
        return [target for target in targets if target.has(aspect)]

    def nearest(self, name: str) -> str:
        """A hint that names the known target closest to a wrong name; may be empty."""
        from dovetail.errors import nearest
        from dovetail.targets import _names

        return nearest(name, [*self._entries, *self._all_aliases(), *_names.GroupTable])

    def _all_aliases(self) -> dict[str, str]:
        if self._aliases is None:
            from dovetail.targets import _names

            self._aliases = {alias: name for alias, (name,) in _names.AliasTable.items()}
        return self._aliases

    def with_targets(self, targets: "Iterable[Target]") -> "Table":
        """This table with some entries added or replaced."""
        changed = {target.name: target for target in targets}
        return Table({**self._entries, **changed}, self._aliases)


def default_table() -> Table:
    """The configuration that comes with the package."""
    return Table(dict.fromkeys(_targets.TargetTable))


def _default_target(name: str) -> Target:
    (absent,) = _targets.AbsentAspectTable[name]
    return Target(name, *_targets.TargetTable[name], absent)


def target_of_identifier(identifier: int) -> str:
    """The target that DPC++ gives this number, which for Intel's GPUs a driver reports; or ""."""
    for name, (_, known) in _architectures().items():
        if known == identifier:
            return name
    return ""


def architecture_number(name: str) -> int | None:
    """As `Table.architecture`, by a target's own name, which may be one that nobody knows."""
    row = _architectures().get(name)
    return row[0] if row else None


def architecture_names(number: int) -> tuple[str, ...]:
    """The targets that have this number in `enum class architecture`; the usual name first."""
    return tuple(name for name, (known, _) in _architectures().items() if known == number)


def groups_of(name: str) -> tuple[str, ...]:
    """Return the groups that a target, by its own name, is in."""
    from dovetail.targets import _names

    return tuple(group for group, (members,) in _names.GroupTable.items() if name in members)


def _group(name: str) -> tuple[str, ...]:
    """Return the members of the group of that name; empty if there is none."""
    from dovetail.targets import _names

    (members,) = _names.GroupTable.get(name, ((),))
    return members


def _architectures() -> dict[str, tuple[int, int]]:
    from dovetail.targets import _names

    return _names.ArchitectureTable


# Most questions are answered without the list of all aspects, so it is not loaded before.


def _number_of(aspect: str | int) -> int:
    from dovetail.targets.aspects import aspect_number

    return aspect_number(aspect)


def _capabilities(target: Target) -> "Capabilities":
    from dovetail.capabilities import Capabilities
    from dovetail.targets.aspects import aspect_number, implied_aspects

    present = frozenset(map(aspect_number, target.aspects))
    absent = frozenset(map(aspect_number, target.absent_aspects))
    # A deprecated aspect is not ruled out by what replaced it: atomic64 asks for more.
    implied = frozenset(map(aspect_number, implied_aspects(target.aspects)))
    return Capabilities(
        aspects=present | (implied - absent),
        absent_aspects=absent,
        may_support_other_aspects=target.may_support_other_aspects,
        sub_group_sizes=target.sub_group_sizes,
    )


def __getattr__(name: str) -> object:
    """The list of aspects is loaded by who asks for it."""
    if name.startswith("aspect_"):
        from dovetail.targets import aspects

        return getattr(aspects, name)
    raise AttributeError(f"module 'dovetail.targets' has no attribute '{name}'")
