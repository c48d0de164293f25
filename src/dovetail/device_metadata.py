"""What device modules say about themselves: the metadata and attributes that stages agree on.

We write DPC++'s spellings of today and read the older ones too. `docs/aspects.md` lists them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from dovetail import conditions, kernel_properties
from dovetail.analysis import ConditionalUses, Edges
from dovetail.errors import FormatError, IRError
from dovetail.facts import MAX_ASPECTS, Facts, join_facts
from dovetail.facts_json import facts_text, parse_facts
from dovetail.graphs import from_bits, to_bits
from dovetail.image import Requirements
from dovetail.ir import Integer, Module
from dovetail.kernel_properties import KernelProperties

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Normal

USED = "sycl_used_aspects"
OTHER_USED = ("intel_used_aspects", "intel_uses_aspects", "used_aspects")
CONDITIONALLY_USED = "sycl_conditionally_used_aspects"
"""Pairs of a condition and the aspects that are used where it holds, each as numbers."""
DECLARED = "sycl_declared_aspects"
OTHER_DECLARED = ("intel_allowed_aspects",)

WORK_GROUP_SIZE = "reqd_work_group_size"
"""In the order of devices, which is the reverse of SYCL's, and padded to three."""
LARGE_WORK_GROUP_SIZE = "dovetail_reqd_work_group_size"
"""The same where a size takes more than 32 bits, which is all that LLVM's back-ends read.

A kernel has one or the other. No execution mode, or what else a back-end makes of sizes, could
say this one, so none is written, and what refuses such a kernel is the device's limits.
"""
DIMENSIONS = "work_group_num_dim"
"""How many of the sizes the source has."""
WORK_GROUP_SIZE_HINT = "work_group_size_hint"
SUB_GROUP_SIZE = "intel_reqd_sub_group_size"

METADATA_OF_PROPERTIES = {
    kernel_properties.DEVICE_HAS: (DECLARED, *OTHER_DECLARED),
    kernel_properties.WORK_GROUP_SIZE: (WORK_GROUP_SIZE, LARGE_WORK_GROUP_SIZE),
    kernel_properties.WORK_GROUP_SIZE_HINT: (WORK_GROUP_SIZE_HINT,),
    kernel_properties.SUB_GROUP_SIZE: (SUB_GROUP_SIZE,),
}
"""By compile-time property of a function, the kinds of metadata that say the same."""

MODULE_ID = "sycl-module-id"
"""The attribute of kernels and SYCL_EXTERNAL functions that names their source."""
OPTIMIZATION = "sycl-optlevel"
"""The attribute of kernels that has the level they were optimised at."""
GRF_SIZE = "sycl-grf-size"
"""The attribute of kernels that has how many registers a thread of theirs has on Intel's GPUs."""
REGISTER_ALLOCATION = "sycl-register-alloc-mode"
"""The same as a mode, which older compilers have in its place."""

CONDITIONAL_CALLER = "sycl-call-if-on-device-conditionally"
"""The attribute of functions that call another one only if a condition holds."""

GLOBAL_SIZE = "sycl-device-global-size"
"""The attribute that makes a variable a device global: the size of what it holds."""
GLOBAL_ID = "sycl-unique-id"
IMAGE_SCOPE = "sycl-device-image-scope"
GLOBAL_STRIDE = "dovetail-device-global-stride"
"""What a device global of our headers takes in an image, or each element of an array of them."""

PROPERTIES = "sycl_properties"
"""The named metadata with the names of all properties, which tell them from other attributes."""

FACTS = "dovetail.facts"
"""The named metadata with, for each source, the facts and what counts as a use."""

_MOST_DIMENSIONS = 3
_MAX_WORK_GROUP_BITS = 64
_I32_BITS = 32

MetadataOperand = int | Integer | str | Sequence["MetadataOperand"] | None


def set_facts(module: Module, facts: Facts, reading: str) -> None:
    """Put facts into a module of one source; `reading` is what counts as a use of an aspect."""
    module.set_named_metadata(FACTS, [[facts_text(facts), reading]])


def facts_of(module: Module) -> Facts:
    """What is known of all sources of a module; nothing, if another toolchain made it."""
    try:
        return join_facts([parse_facts(text.encode()) for text, _ in _facts_nodes(module)])
    except (FormatError, IRError) as error:
        raise FormatError(f"{module.name}: in !{FACTS}: {error.message}") from None


def counts_what_is_written(module: Module) -> bool:
    """Whether calls count as the sources have them, though optimisation may have removed them."""
    return all(reading == "written" for _, reading in _facts_nodes(module))


def _facts_nodes(module: Module) -> Iterator[tuple[str, str]]:
    for node in module.named_metadata(FACTS):
        match node:
            case [str() as text, str() as reading]:
                yield text, reading
            case _:
                raise FormatError("a node does not have facts and what counts as a use")


def used_aspects(module: Module) -> dict[str, int]:
    """By function, what it uses as its metadata has it, in any spelling; as bits.

    DPC++ has aspects of its own with negative numbers, which no device is asked for; none of these.
    """
    return _aspects(module, (USED, *OTHER_USED), ignores_negative=True)


def declared_aspects(module: Module) -> dict[str, int]:
    """The same for what it declares; 0 for a function that promises to use nothing."""
    return _aspects(module, (DECLARED, *OTHER_DECLARED))


def _aspects(
    module: Module, kinds: Iterable[str], *, ignores_negative: bool = False
) -> dict[str, int]:
    found: dict[str, int] = {}
    for kind in kinds:
        for symbol, node in module.function_metadata(kind).items():
            bits = found.get(symbol, 0)
            numbers = list(_numbers(node))
            if node and not numbers:
                raise IRError(
                    f"{module.name}: function '{symbol}': !{kind} does not have the numbers of"
                    " aspects"
                )
            for number in numbers:
                if number < 0 and ignores_negative:
                    continue
                if not 0 <= number < MAX_ASPECTS:
                    raise IRError(
                        f"{module.name}: function '{symbol}': !{kind}: there is no aspect {number}"
                    )
                bits |= 1 << number
            found[symbol] = bits
    return found


def _numbers(node: Iterable[MetadataOperand]) -> Iterator[int]:
    """The aspects in a node: numbers, or pairs of a name and a number."""
    for operand in node:
        if isinstance(operand, int | Integer):
            yield int(operand)
        elif operand is not None and not isinstance(operand, str):
            yield from _numbers(operand)


def conditionally_used_aspects(module: Module) -> dict[str, ConditionalUses]:
    """By function, what it uses under which conditions, as its metadata has it."""
    found: dict[str, ConditionalUses] = {}
    for symbol, node in module.function_metadata(CONDITIONALLY_USED).items():
        uses: ConditionalUses = {}
        for pair in node:
            try:
                condition, bits = _conditional_use(pair)
            except FormatError as error:
                raise IRError(
                    f"{module.name}: function '{symbol}': !{CONDITIONALLY_USED}: {error.message}"
                ) from None
            if not isinstance(condition, bool):
                uses[condition] = uses.get(condition, 0) | bits
        found[symbol] = uses
    return found


def _conditional_use(pair: MetadataOperand) -> "tuple[Normal, int]":
    match pair:
        case [[*integers], [*aspects]]:
            condition = conditions.read_condition(list(_numbers(integers)))
            numbers = list(_numbers(aspects))
        case _:
            raise FormatError("it does not have pairs of a condition and aspects")
    for number in numbers:
        if not 0 <= number < MAX_ASPECTS:
            raise FormatError(f"there is no aspect {number}")
    return conditions.normalize(condition), to_bits(numbers)


def set_conditionally_used(module: Module, uses: Mapping[str, ConditionalUses]) -> None:
    """Write what functions use under conditions; what others had before is gone."""
    before = module.function_metadata(CONDITIONALLY_USED)
    if not before and not uses:
        return
    nodes: dict[str, list[MetadataOperand] | None] = dict.fromkeys(before)
    for symbol, by_condition in uses.items():
        pairs = [[list(c), list(from_bits(bits))] for c, bits in by_condition.items()]
        nodes[symbol] = [*pairs] or None
    module.set_function_metadata(CONDITIONALLY_USED, nodes)


class GuardedCall(NamedTuple):
    """A call of an action that is made on the devices for which a condition holds."""

    caller: str
    action: str
    written: tuple[int, ...]
    """The condition as it stands in the code."""
    condition: "Normal"
    """The same in normal form; our passes leave none that always or never holds."""


def conditional_calls(module: Module) -> list[GuardedCall]:
    """Who calls which action, and under which condition, each once, in the order of the module."""
    found: dict[GuardedCall, None] = {}
    normal: dict[tuple[int, ...], Normal] = {}
    for call in module.conditional_calls(CONDITIONAL_CALLER):
        written = tuple(number for number in call.condition if number is not None)
        # Nothing that we run may take its condition from a call.
        assert len(written) == len(call.condition), f"a condition in '{call.caller}' is no constant"
        try:
            if written not in normal:
                normal[written] = conditions.normalize(conditions.read_condition(written))
        except FormatError as error:
            raise IRError(
                f"{module.name}: function '{call.caller}': call of '{call.action}': {error.message}"
            ) from None
        found[GuardedCall(call.caller, call.action, written, normal[written])] = None
    return list(found)


def add_conditional_uses(
    module: Module, number_of: Mapping[str, int], own: list[int], edges: Edges
) -> None:
    """Add conditional calls, and what functions are said to use under conditions.

    `number_of` numbers functions; `own` has what each uses itself, and grows.
    """
    for call in conditional_calls(module):
        edges.add(number_of[call.caller], call.condition, number_of[call.action])
    for symbol, uses in conditionally_used_aspects(module).items():
        for condition, bits in uses.items():
            # As if it called, under the condition, a function that uses them.
            edges.add(number_of[symbol], condition, len(own))
            own.append(bits)


def required_sizes(module: Module) -> dict[str, Requirements]:
    """By function, which sizes it requires, as its source has them."""
    work_groups = work_group_sizes(module) | _sizes(
        module, LARGE_WORK_GROUP_SIZE, _MOST_DIMENSIONS, _MAX_WORK_GROUP_BITS
    )
    dimensions = _sizes(module, DIMENSIONS, 1)
    sub_groups = _sizes(module, SUB_GROUP_SIZE, 1)
    found: dict[str, Requirements] = {}
    for symbol in work_groups | sub_groups:
        size = work_groups.get(symbol, ())
        (count,) = dimensions.get(symbol, (len(size),))
        if size and (count > len(size) or any(part != 1 for part in size[count:])):
            raise IRError(
                f"{module.name}: function '{symbol}': !{DIMENSIONS} is {count}, and"
                f" !{WORK_GROUP_SIZE} is {', '.join(map(str, size))}"
            )
        (sub_group,) = sub_groups.get(symbol, (None,))
        found[symbol] = Requirements((), sub_group, size[:count][::-1])
    return found


def work_group_sizes(module: Module) -> dict[str, tuple[int, ...]]:
    """Return by function the required size that LLVM's back-ends can read, in devices' order."""
    return _sizes(module, WORK_GROUP_SIZE, _MOST_DIMENSIONS)


def set_work_group_sizes(module: Module, sizes: Mapping[str, Sequence[int]]) -> None:
    """Write which sizes functions require, in devices' order."""
    large = {name for name, size in sizes.items() if max(size).bit_length() > _I32_BITS}
    module.set_function_metadata(
        WORK_GROUP_SIZE, {name: list(size) for name, size in sizes.items() if name not in large}
    )
    module.set_function_metadata(
        LARGE_WORK_GROUP_SIZE,
        {name: [_integer_64(part) for part in sizes[name]] for name in large},
    )


def set_kernel_properties(module: Module, properties: Mapping[str, KernelProperties]) -> None:
    """Write by function what it declares to use, and which sizes a kernel requires or prefers.

    A hint of more than 32 bits is left out, since metadata has no place for it.
    """
    aspects = {s: each.aspects for s, each in properties.items() if each.aspects is not None}
    sizes = {s: each.work_group_size for s, each in properties.items() if each.work_group_size}
    hints = {s: each.work_group_size_hint for s, each in properties.items()}
    sub_groups = {s: each.sub_group_size for s, each in properties.items()}
    module.set_function_metadata(DECLARED, {s: list(listed) for s, listed in aspects.items()})
    set_work_group_sizes(module, {s: _for_devices(size) for s, size in sizes.items()})
    module.set_function_metadata(DIMENSIONS, {s: [len(size)] for s, size in sizes.items()})
    module.set_function_metadata(
        WORK_GROUP_SIZE_HINT,
        {s: _for_devices(h) for s, h in hints.items() if h and max(h).bit_length() <= _I32_BITS},
    )
    module.set_function_metadata(
        SUB_GROUP_SIZE, {s: [size] for s, size in sub_groups.items() if size is not None}
    )


def _for_devices(size: Sequence[int]) -> list[int]:
    """Return a size in the order of devices, which is the reverse of SYCL's, padded to three."""
    return [*reversed(size), *[1] * (_MOST_DIMENSIONS - len(size))]


def _integer_64(value: int) -> Integer:
    """Return an unsigned number as metadata has it: with the sign that its highest bit gives."""
    return Integer(value - (value >> 63 << 64), 64)


def _unsigned(node: Iterable[MetadataOperand]) -> Iterator[int]:
    """The integers of a node, which metadata has without a sign."""
    for operand in node:
        if isinstance(operand, Integer):
            yield int(operand) % (1 << operand.bits)
        elif isinstance(operand, int):
            yield operand % (1 << _I32_BITS)


def _sizes(
    module: Module, kind: str, most: int, bits: int = _I32_BITS
) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for symbol, node in module.function_metadata(kind).items():
        numbers = tuple(_unsigned(node))
        if not 0 < len(numbers) <= most or not all(0 < number < 1 << bits for number in numbers):
            raise IRError(
                f"{module.name}: function '{symbol}': !{kind} has no size:"
                f" {', '.join(map(str, numbers)) or 'nothing'}"
            )
        found[symbol] = numbers
    return found
