"""Group entry points into images.

Entry points are first grouped by the split mode. With `OptionalFeatures.SPLIT`, each group is split
so that its entry points use the same aspects under the same conditions and require the same sizes:
then no kernel fails because of another. Unless all entry points are to be together, groups are also
split by optimization level, registers and imports.

With `OptionalFeatures.CONDITIONAL`, requirements do not split groups, but imports always do: the
imports of an image are linked for all its kernels.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Condition

_NOTHING = Requirements()
_MAX_DIGITS = 3
"""The maximum number of digits of optimization levels and numbers of registers."""


class Registers(NamedTuple):
    """The registers per thread on Intel's GPUs, which the compiler sets for a whole image."""

    size: int | None = None
    mode: str = ""
    """The older form, a mode instead of a number."""


class EntryPoint(NamedTuple):
    """A kernel, an exported function or an action, with the properties that determine its image."""

    root: Root
    requirements: Requirements
    optimization: int | None
    """Its optimization level, if known."""
    registers: Registers = Registers()
    imports: int = 0
    """The imported functions that it needs, as bits."""
    conditional: "frozenset[tuple[Condition, int]]" = frozenset()
    """The aspects that it uses under conditions, as bits."""
    action: str = ""
    """For an action, the function that it is or is a copy of."""

    @property
    def symbol(self) -> str:
        return self.root.symbol


@dataclass(frozen=True)
class ImagePlan:
    """The contents and requirements of an image."""

    entry_points: tuple[EntryPoint, ...]
    requirements: Requirements
    """The requirements that all entry points have in common."""
    actions: tuple[EntryPoint, ...] = ()
    """The actions that are in the image of their callers."""

    @property
    def symbols(self) -> list[str]:
        """The symbols of its entry points."""
        return [entry.symbol for entry in self.entry_points]

    @property
    def kernels(self) -> list[str]:
        """The symbols of its kernels."""
        return [entry.symbol for entry in self.entry_points if entry.root.is_kernel]

    @property
    def optimization(self) -> int | None:
        """The optimization level of its entry points if it is the same, else None."""
        levels = {entry.optimization for entry in self.entry_points}
        return levels.pop() if len(levels) == 1 else None

    @property
    def grf_size(self) -> int | None:
        """The number of registers of its entry points if it is the same, else None."""
        sizes = {entry.registers.size for entry in self.entry_points}
        return sizes.pop() if len(sizes) == 1 else None

    def requiring_nothing(self) -> "ImagePlan":
        """Return the plan without requirements, for empty functions."""
        entries = (entry._replace(requirements=_NOTHING) for entry in self.entry_points)
        return ImagePlan(tuple(entries), _NOTHING)


def find_entry_points(
    linked: LinkedProgram,
    used: dict[str, int],
    imports: dict[str, int],
    conditional: "Mapping[str, Mapping[Condition, int]]",
    *,
    only_kernels: bool = False,
) -> list[EntryPoint]:
    """Return the kernels and, unless `only_kernels`, the exported functions.

    `used` and `imports` contain the aspects and imports that functions need as bits, and
    `conditional` the aspects that they use under conditions.
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
    """Return the requirements of an entry point; cached, since most entry points share them."""
    return (sizes or _NOTHING).with_aspects(from_bits(used or 0))


def entry_of_action(
    action: Action, used: Mapping[str, int], levels: Mapping[str, int]
) -> EntryPoint:
    """Return the entry point for an action; `used` and `levels` are by function."""
    return EntryPoint(
        Root(action.symbol, is_kernel=False, source=""),
        _requirements(None, used.get(action.origin)),
        levels.get(action.origin),
        action=action.origin,
    )


def optimization_levels(module: Module) -> dict[str, int]:
    """Return the known optimization levels of functions."""
    return _numbers(module, OPTIMIZATION)


def _registers(module: Module) -> dict[str, Registers]:
    """Return the registers that functions require; functions without any are left out."""
    sizes = _numbers(module, GRF_SIZE)
    modes = module.function_attributes(REGISTER_ALLOCATION)
    return {s: Registers(sizes.get(s), modes.get(s, "")) for s in sizes.keys() | modes.keys()}


def _numbers(module: Module, attribute: str) -> dict[str, int]:
    """Return the values of a function attribute that are numbers; others are ignored."""
    values = module.function_attributes(attribute)
    return {symbol: int(text) for symbol, text in values.items() if _is_number(text)}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS


def plan_images(
    entry_points: Iterable[EntryPoint],
    mode: SplitMode,
    features: OptionalFeatures,
    *,
    has_indirect_calls: bool,
) -> list[ImagePlan]:
    """Return the images, in the order of their first entry points."""
    entries = list(entry_points)
    is_split = features is OptionalFeatures.SPLIT
    if mode is SplitMode.NONE and is_split:
        return [_all_in_one(entries)] if entries else []
    group_of = _grouping(mode, has_indirect_calls=has_indirect_calls)
    groups: dict[object, list[EntryPoint]] = {}
    for entry in entries:
        needs = (entry.requirements, entry.conditional) if is_split else (entry.imports,)
        is_one_group = mode in (SplitMode.OFF, SplitMode.NONE)
        more = () if is_one_group else (entry.optimization, entry.registers, entry.imports)
        groups.setdefault((group_of(entry), *needs, *more), []).append(entry)
    return [ImagePlan(tuple(group), _common_requirements(group)) for group in groups.values()]


def _grouping(mode: SplitMode, *, has_indirect_calls: bool) -> Callable[[EntryPoint], str]:
    """Return a function with equal results for entry points that may share an image."""
    if mode is SplitMode.KERNEL:
        return lambda entry: entry.symbol
    # The targets of a function pointer may be in any source, so they must be in one image.
    if mode is SplitMode.SOURCE or (mode is SplitMode.AUTO and not has_indirect_calls):
        return lambda entry: entry.root.source
    return lambda entry: ""


def _all_in_one(entries: Sequence[EntryPoint]) -> ImagePlan:
    bits = 0
    for entry in entries:
        bits |= to_bits(entry.requirements.aspects)
    return ImagePlan(tuple(entries), Requirements(tuple(from_bits(bits))))


def _common_requirements(entries: Sequence[EntryPoint]) -> Requirements:
    """Return the requirements that all entry points have in common."""
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
