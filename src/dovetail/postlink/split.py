"""Which entry points go into an image together.

First by the mode that is asked for; then so that all entry points of an image use the same aspects,
under the same conditions, and require the same sizes, so that no kernel keeps another from a device
that could run it; and, unless all are to be together, so that they have the same level of
optimisation and registers, and import the same functions, so that none waits for a function that
only another one calls. Where code itself says what is for which
devices, requirements and conditions keep nothing apart, and imports always do: those of an image
are linked for every kernel in it, whatever that requires.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from dovetail.conditions import Condition
from dovetail.device_metadata import (
    GRF_SIZE,
    OPTIMIZATION,
    REGISTER_ALLOCATION,
    required_sizes,
)
from dovetail.graphs import from_bits, to_bits
from dovetail.image import Requirements
from dovetail.ir import Module
from dovetail.postlink.actions import Action
from dovetail.postlink.link import LinkedProgram, Root
from dovetail.postlink.options import OptionalFeatures, SplitMode

_NOTHING = Requirements()
_LONG = 4
"""No level of optimisation and no number of registers has as many digits."""


class Registers(NamedTuple):
    """What an entry point asks of the compiler for Intel's GPUs, which sets it for whole images."""

    size: int | None = None
    mode: str = ""
    """As compilers say it that do not know sizes."""


class EntryPoint(NamedTuple):
    """A kernel, an exported function or an action, and what decides about its image."""

    root: Root
    requirements: Requirements
    optimization: int | None
    """The level that it was optimised at, if that is known."""
    registers: Registers = Registers()
    imports: int = 0
    """Which functions of other programs it needs, as bits."""
    conditional: frozenset[tuple[Condition, int]] = frozenset()
    """Which aspects it uses on some devices alone, as bits, with the conditions for that."""
    action: str = ""
    """If it is called under a condition: the function that sources define, of which it may be a
    copy."""

    @property
    def symbol(self) -> str:
        return self.root.symbol


@dataclass(frozen=True)
class ImagePlan:
    """What goes into an image, and what it requires."""

    entry_points: tuple[EntryPoint, ...]
    requirements: Requirements
    """Of all entry points."""
    actions: tuple[EntryPoint, ...] = ()
    """What is called under conditions and is in the image nonetheless."""

    @property
    def symbols(self) -> list[str]:
        """Of its entry points."""
        return [entry.symbol for entry in self.entry_points]

    @property
    def kernels(self) -> list[str]:
        """The symbols of those entry points that are kernels."""
        return [entry.symbol for entry in self.entry_points if entry.root.is_kernel]

    @property
    def optimization(self) -> int | None:
        """The level of all its entry points, if they have the same."""
        levels = {entry.optimization for entry in self.entry_points}
        return levels.pop() if len(levels) == 1 else None

    @property
    def grf_size(self) -> int | None:
        """The number of registers of all its entry points, if they have the same."""
        sizes = {entry.registers.size for entry in self.entry_points}
        return sizes.pop() if len(sizes) == 1 else None

    def requiring_nothing(self) -> "ImagePlan":
        """The same for entry points that do nothing."""
        entries = (entry._replace(requirements=_NOTHING) for entry in self.entry_points)
        return ImagePlan(tuple(entries), _NOTHING)


def find_entry_points(
    linked: LinkedProgram,
    used: dict[str, int],
    imports: dict[str, int],
    conditional: Mapping[str, Mapping[Condition, int]],
    *,
    only_kernels: bool = False,
) -> list[EntryPoint]:
    """The kernels and, unless only they are wanted, the exported functions.

    `used` and `imports` have, as bits, the aspects and the foreign functions that each needs,
    `conditional` the aspects that it needs only where a condition holds.
    """
    sizes = required_sizes(linked.module)
    levels = optimization_levels(linked.module)
    registers = _registers(linked.module)
    return [
        EntryPoint(
            root,
            # Only kernels can require sizes.
            _requirements(
                sizes.get(root.symbol) if root.is_kernel else None, used.get(root.symbol)
            ),
            levels.get(root.symbol),
            registers.get(root.symbol, Registers()),
            imports.get(root.symbol, 0),
            frozenset(conditional.get(root.symbol, {}).items()),
        )
        for root in linked.roots
        if root.is_kernel or not only_kernels
    ]


@cache
def _requirements(sizes: Requirements | None, used: int | None) -> Requirements:
    """Thousands of entry points share a handful of these."""
    return (sizes or _NOTHING).with_aspects(from_bits(used or 0))


def entry_of_action(
    action: Action, used: Mapping[str, int], levels: Mapping[str, int]
) -> EntryPoint:
    """An action as what code is entered by; `used` and `levels` have what functions use and are."""
    return EntryPoint(
        Root(action.symbol, is_kernel=False, source=""),
        _requirements(None, used.get(action.origin)),
        levels.get(action.origin),
        action=action.origin,
    )


def optimization_levels(module: Module) -> dict[str, int]:
    """By function, the level that it was optimised at, if it says one."""
    return _numbers(module, OPTIMIZATION)


def _registers(module: Module) -> dict[str, Registers]:
    """Return by function what it asks for; without those that ask for nothing."""
    sizes = _numbers(module, GRF_SIZE)
    modes = module.function_attributes(REGISTER_ALLOCATION)
    return {s: Registers(sizes.get(s), modes.get(s, "")) for s in sizes.keys() | modes.keys()}


def _numbers(module: Module, attribute: str) -> dict[str, int]:
    """Return the numbers that an attribute has; texts that are none say nothing."""
    noted = module.function_attributes(attribute)
    return {symbol: int(text) for symbol, text in noted.items() if _is_number(text)}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < _LONG


def plan_images(
    entry_points: Iterable[EntryPoint],
    mode: SplitMode,
    features: OptionalFeatures,
    *,
    has_indirect_calls: bool,
) -> list[ImagePlan]:
    """The images, in the order of their first entry points; every entry point is in one."""
    entries = list(entry_points)
    are_apart = features is OptionalFeatures.SPLIT
    if mode is SplitMode.NONE and are_apart:
        return [_all_in_one(entries)] if entries else []
    group_of = _grouping(mode, has_indirect_calls=has_indirect_calls)
    groups: dict[object, list[EntryPoint]] = {}
    for entry in entries:
        needs = (entry.requirements, entry.conditional) if are_apart else (entry.imports,)
        # Who asks for one group gets what must be kept apart, and no more.
        is_one = mode in (SplitMode.OFF, SplitMode.NONE)
        more = () if is_one else (entry.optimization, entry.registers, entry.imports)
        groups.setdefault((group_of(entry), *needs, *more), []).append(entry)
    return [ImagePlan(tuple(group), _in_common(group)) for group in groups.values()]


def _grouping(mode: SplitMode, *, has_indirect_calls: bool) -> Callable[[EntryPoint], str]:
    if mode is SplitMode.KERNEL:
        return lambda entry: entry.symbol
    # A pointer may come from anywhere, so its possible targets stay together.
    if mode is SplitMode.SOURCE or (mode is SplitMode.AUTO and not has_indirect_calls):
        return lambda entry: entry.root.source
    return lambda entry: ""


def _all_in_one(entries: Sequence[EntryPoint]) -> ImagePlan:
    bits = 0
    for entry in entries:
        bits |= to_bits(entry.requirements.aspects)
    return ImagePlan(tuple(entries), Requirements(tuple(from_bits(bits))))


def _in_common(entries: Sequence[EntryPoint]) -> Requirements:
    """What every one of them requires."""
    first, *others = {entry.requirements for entry in entries}
    if not others:
        return first
    aspects = set(first.aspects).intersection(*(each.aspects for each in others))
    sub_groups = {each.sub_group_size for each in (first, *others)}
    work_groups = {each.work_group_size for each in (first, *others)}
    return Requirements(
        tuple(aspects),
        first.sub_group_size if len(sub_groups) == 1 else None,
        first.work_group_size if len(work_groups) == 1 else (),
    )
