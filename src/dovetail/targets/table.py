"""All targets that are known, by name: the default configuration, and user files on top of it.

A table is never changed: `with_targets` returns another one, so threads share it freely.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

from dovetail.targets import _table
from dovetail.targets.target import Target

_MACRO_SPELLINGS = dict.fromkeys(("x86_64", "spir64_x86_64"), "intel_x86_64")


class Table:
    """Targets, their aliases and architectures."""

    __slots__ = ("_aliases", "_targets")

    def __init__(self, targets: "Mapping[str, Target]", aliases: "Mapping[str, str]") -> None:
        self._targets = targets
        self._aliases = aliases

    def __iter__(self) -> "Iterator[Target]":
        """The targets, each once, in the order of the configuration."""
        return iter(self._targets.values())

    def __len__(self) -> int:
        return len(self._targets)

    def __contains__(self, name: object) -> bool:
        return name in self._targets or name in self._aliases

    def __getitem__(self, name: str) -> Target:
        """The target of that name or alias; `UsageError` with the nearest if there is none."""
        target = self._targets.get(self._aliases.get(name, name))
        if target is None:
            from dovetail.errors import UsageError

            raise UsageError(
                f"there is no target '{name}'",
                hint=self.nearest(name)
                or "'dovetail targets' lists those that are known; a device configuration file"
                " (-fsycl-device-config-file=) adds others",
            )
        return target

    def canonical(self, name: str) -> str:
        """The name of the target that an alias stands for; a target's own name as it is."""
        return self[name].name

    def aliases(self, name: str) -> tuple[str, ...]:
        """Other names of a target."""
        canonical = self.canonical(name)
        return tuple(alias for alias, target in self._aliases.items() if target == canonical)

    def architecture(self, name: str) -> int | None:
        """The number in `enum class architecture`; None for what is not one architecture."""
        row = _table.ArchitectureTable.get(self.canonical(name))
        return row[0] if row else None

    def macro(self, name: str) -> str:
        """What is predefined when device code is compiled for this target alone; may be empty."""
        canonical = self.canonical(name)
        if canonical not in _table.ArchitectureTable:
            return ""
        # NVIDIA's names lose the underscore before the number, and only there.
        spelling = _MACRO_SPELLINGS.get(canonical, canonical.replace("_sm_", "_sm"))
        return f"__SYCL_TARGET_{spelling.upper()}__"

    def having(self, aspect: str | int, among: "Iterable[str] | None" = None) -> list[Target]:
        """Those that are known to have an aspect, of all or of some targets."""
        targets = self if among is None else [self[name] for name in among]
        return [target for target in targets if target.has(aspect)]

    def nearest(self, name: str) -> str:
        """A hint that names the known target closest to a wrong name; may be empty."""
        from dovetail.errors import nearest

        return nearest(name, [*self._targets, *self._aliases])

    def with_targets(self, targets: "Iterable[Target]") -> "Table":
        """This table with some entries added or replaced."""
        return Table(
            {**self._targets, **{target.name: target for target in targets}}, self._aliases
        )


def default_table() -> Table:
    """The configuration that comes with the package."""
    absent = _table.AbsentAspectTable
    targets = {
        name: Target(name, *row, absent[name][0]) for name, row in _table.TargetTable.items()
    }
    return Table(targets, {alias: target for alias, (target,) in _table.AliasTable.items()})


def target_of_identifier(identifier: int) -> str:
    """The target that DPC++ gives this number, which for Intel's GPUs a driver reports; or ""."""
    for name, (_, known) in _table.ArchitectureTable.items():
        if known == identifier:
            return name
    return ""
