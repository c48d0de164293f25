"""Metadata and attributes in device modules, shared by all stages.

Current spellings of DPC++ are written, older ones are read too; `docs/aspects.md` lists them.
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
"""Pairs of a condition and the aspects that are used if it holds, both as integers."""
DECLARED = "sycl_declared_aspects"
OTHER_DECLARED = ("intel_allowed_aspects",)

WORK_GROUP_SIZE = "reqd_work_group_size"
"""Three sizes in device order, the reverse of SYCL's, padded with ones."""
LARGE_WORK_GROUP_SIZE = "dovetail_reqd_work_group_size"
"""Used instead of `WORK_GROUP_SIZE` if a size exceeds 32 bits.

LLVM's back-ends read only 32 bits, so they ignore this metadata and write no execution mode.
Such a kernel always exceeds the device's limits.
"""
DIMENSIONS = "work_group_num_dim"
"""The number of sizes in the source."""
WORK_GROUP_SIZE_HINT = "work_group_size_hint"
SUB_GROUP_SIZE = "intel_reqd_sub_group_size"

METADATA_OF_PROPERTIES = {
    kernel_properties.DEVICE_HAS: (DECLARED, *OTHER_DECLARED),
    kernel_properties.WORK_GROUP_SIZE: (WORK_GROUP_SIZE, LARGE_WORK_GROUP_SIZE),
    kernel_properties.WORK_GROUP_SIZE_HINT: (WORK_GROUP_SIZE_HINT,),
    kernel_properties.SUB_GROUP_SIZE: (SUB_GROUP_SIZE,),
}
"""The metadata kinds that are equivalent to each compile-time property of a function."""

MODULE_ID = "sycl-module-id"
"""The attribute of kernels and SYCL_EXTERNAL functions that names their source."""
OPTIMIZATION = "sycl-optlevel"
"""The attribute of kernels with their optimization level."""
GRF_SIZE = "sycl-grf-size"
"""The attribute of kernels with the number of registers per thread on Intel's GPUs."""
REGISTER_ALLOCATION = "sycl-register-alloc-mode"
"""The older form of `GRF_SIZE`: a mode instead of a number."""

CONDITIONAL_CALLER = "sycl-call-if-on-device-conditionally"
"""The attribute of functions that call an action only if a condition holds."""

GLOBAL_SIZE = "sycl-device-global-size"
"""The attribute that makes a variable a device global: the size of its value."""
GLOBAL_ID = "sycl-unique-id"
IMAGE_SCOPE = "sycl-device-image-scope"
GLOBAL_STRIDE = "dovetail-device-global-stride"
"""The size in an image of a device global of Dovetail's headers, or of each array element."""

SCALAR_PREFIX = "__dovetail_specialization_scalar."
"""The beginning of the names of functions that return a scalar of a specialization constant. The
identifier of the constant, a dot, and the scalar's offset in bytes follow."""
CONSTANT_SCALAR = "dovetail-specialization-scalar"
"""The attribute of these functions: the offset, the size of the constant, LLVM's type of the
scalar, and the bytes of its default value in hexadecimal, separated by blanks."""

PROPERTIES = "sycl_properties"
"""The named metadata that lists which attributes are compile-time properties."""

FACTS = "dovetail.facts"
"""The named metadata with the facts and the aspect-use mode (`written` or `optimized`) of each
source."""

_MAX_DIMENSIONS = 3
_MAX_WORK_GROUP_BITS = 64
_I32_BITS = 32

MetadataOperand = int | Integer | str | Sequence["MetadataOperand"] | None


def set_facts(module: Module, facts: Facts, mode: str) -> None:
    """Store the facts and the aspect-use mode in a module of one source."""
    module.set_named_metadata(FACTS, [[facts_text(facts), mode]])


def facts_of(module: Module) -> Facts:
    """Return the facts about all sources of a module; empty if another toolchain made it."""
    try:
        return join_facts([parse_facts(text.encode()) for text, _ in _facts_entries(module)])
    except (FormatError, IRError) as error:
        raise FormatError(f"{module.name}: in !{FACTS}: {error.message}") from None


def counts_written_uses(module: Module) -> bool:
    """Return whether uses count as `written`: also calls that optimization has removed count."""
    return all(mode == "written" for _, mode in _facts_entries(module))


def _facts_entries(module: Module) -> Iterator[tuple[str, str]]:
    """Yield the facts and the aspect-use mode of each source."""
    for node in module.named_metadata(FACTS):
        match node:
            case [str() as text, str() as mode]:
                yield text, mode
            case _:
                raise FormatError("a node does not consist of facts and 'written' or 'optimized'")


def used_aspects(module: Module) -> dict[str, int]:
    """Return the used aspects in each function's metadata, in any spelling, as bits.

    Negative numbers are ignored: they are internal to DPC++, and not aspects of devices.
    """
    return _aspects(module, (USED, *OTHER_USED), ignores_negative=True)


def declared_aspects(module: Module) -> dict[str, int]:
    """Return the declared aspects in each function's metadata, as bits; 0 for an empty list."""
    return _aspects(module, (DECLARED, *OTHER_DECLARED))


def _aspects(
    module: Module, kinds: Iterable[str], *, ignores_negative: bool = False
) -> dict[str, int]:
    """Return the aspects in metadata of these kinds by function, as bits."""
    found: dict[str, int] = {}
    for kind in kinds:
        for symbol, node in module.function_metadata(kind).items():
            bits = found.get(symbol, 0)
            numbers = list(_numbers(node))
            if node and not numbers:
                raise IRError(
                    f"{module.name}: function '{symbol}': !{kind} does not contain the numbers of"
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
    """Yield the aspects in a node of numbers, or of pairs of a name and a number."""
    for operand in node:
        if isinstance(operand, int | Integer):
            yield int(operand)
        elif operand is not None and not isinstance(operand, str):
            yield from _numbers(operand)


def conditionally_used_aspects(module: Module) -> dict[str, ConditionalUses]:
    """Return the conditionally used aspects in each function's metadata."""
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
    """Return the condition and the aspects, as bits, of an operand of such metadata."""
    match pair:
        case [[*integers], [*aspects]]:
            condition = conditions.read_condition(list(_numbers(integers)))
            numbers = list(_numbers(aspects))
        case _:
            raise FormatError("it does not consist of pairs of a condition and aspects")
    for number in numbers:
        if not 0 <= number < MAX_ASPECTS:
            raise FormatError(f"there is no aspect {number}")
    return conditions.normalize(condition), to_bits(numbers)


def set_conditionally_used(module: Module, uses: Mapping[str, ConditionalUses]) -> None:
    """Replace the metadata of conditionally used aspects of all functions."""
    replaced = module.function_metadata(CONDITIONALLY_USED)
    if not replaced and not uses:
        return
    nodes: dict[str, list[MetadataOperand] | None] = dict.fromkeys(replaced)
    for symbol, by_condition in uses.items():
        pairs = [[list(c), list(from_bits(bits))] for c, bits in by_condition.items()]
        nodes[symbol] = [*pairs] or None
    module.set_function_metadata(CONDITIONALLY_USED, nodes)


class GuardedCall(NamedTuple):
    """A call of an action that is made only if a condition holds for the device."""

    caller: str
    action: str
    operands: tuple[int, ...]
    """The condition as integer operands of the call."""
    condition: "Normal"
    """The condition in normal form. Conditional calls generated by Dovetail's passes have no
    condition that is always true or always false."""


def conditional_calls(module: Module) -> list[GuardedCall]:
    """Return the conditional calls of a module in order, each combination once."""
    found: dict[GuardedCall, None] = {}
    normal: dict[tuple[int, ...], Normal] = {}
    for call in module.conditional_calls(CONDITIONAL_CALLER):
        operands = tuple(number for number in call.condition if number is not None)
        # No pass may replace the constants of a condition.
        assert len(operands) == len(call.condition), f"non-constant condition in '{call.caller}'"
        try:
            if operands not in normal:
                normal[operands] = conditions.normalize(conditions.read_condition(operands))
        except FormatError as error:
            raise IRError(
                f"{module.name}: function '{call.caller}': call of '{call.action}': {error.message}"
            ) from None
        found[GuardedCall(call.caller, call.action, operands, normal[operands])] = None
    return list(found)


def add_conditional_uses(
    module: Module, number_of: Mapping[str, int], own: list[int], edges: Edges
) -> None:
    """Add a module's conditional calls and conditionally used aspects to a graph.

    `number_of` maps functions to nodes. `own`, the aspects of each node as bits, is extended.
    """
    for call in conditional_calls(module):
        edges.add(number_of[call.caller], call.condition, number_of[call.action])
    for symbol, uses in conditionally_used_aspects(module).items():
        for condition, bits in uses.items():
            # Modeled as a conditional call of a new node that uses the aspects.
            edges.add(number_of[symbol], condition, len(own))
            own.append(bits)


def required_sizes(module: Module) -> dict[str, Requirements]:
    """Return the sizes that each function requires, in the order of the source."""
    work_groups = work_group_sizes(module) | _sizes(
        module, LARGE_WORK_GROUP_SIZE, _MAX_DIMENSIONS, _MAX_WORK_GROUP_BITS
    )
    dimensions = _sizes(module, DIMENSIONS, 1)
    sub_groups = _sizes(module, SUB_GROUP_SIZE, 1)
    found: dict[str, Requirements] = {}
    for symbol in work_groups | sub_groups:
        size = work_groups.get(symbol, ())
        (count,) = dimensions.get(symbol, (len(size),))
        if size and (count > len(size) or any(part != 1 for part in size[count:])):
            raise IRError(
                f"{module.name}: function '{symbol}': !{DIMENSIONS} is {count}, but"
                f" !{WORK_GROUP_SIZE} is {', '.join(map(str, size))}"
            )
        (sub_group,) = sub_groups.get(symbol, (None,))
        found[symbol] = Requirements((), sub_group, size[:count][::-1])
    return found


def work_group_sizes(module: Module) -> dict[str, tuple[int, ...]]:
    """Return the required size of each function that LLVM's back-ends read, in device order."""
    return _sizes(module, WORK_GROUP_SIZE, _MAX_DIMENSIONS)


def set_work_group_sizes(module: Module, sizes: Mapping[str, Sequence[int]]) -> None:
    """Write the required sizes of functions, given in device order."""
    large = {name for name, size in sizes.items() if max(size).bit_length() > _I32_BITS}
    module.set_function_metadata(
        WORK_GROUP_SIZE, {name: list(size) for name, size in sizes.items() if name not in large}
    )
    module.set_function_metadata(
        LARGE_WORK_GROUP_SIZE,
        {name: [_i64(part) for part in sizes[name]] for name in large},
    )


def set_kernel_properties(module: Module, properties: Mapping[str, KernelProperties]) -> None:
    """Write metadata for the properties that functions have, by symbol.

    These are declared aspects, required work-group and sub-group sizes, the number of dimensions
    of the former, and work-group size hints. A hint that exceeds 32 bits is left out, since
    back-ends cannot read it.
    """
    given = properties.items()
    aspects = {s: list(each.aspects) for s, each in given if each.aspects is not None}
    sizes = {s: each.work_group_size for s, each in given if each.work_group_size}
    hints = {s: each.work_group_size_hint for s, each in given if _is_readable_hint(each)}
    sub_groups = {s: [each.sub_group_size] for s, each in given if each.sub_group_size is not None}
    module.set_function_metadata(DECLARED, aspects)
    set_work_group_sizes(module, {s: _device_order(size) for s, size in sizes.items()})
    module.set_function_metadata(DIMENSIONS, {s: [len(size)] for s, size in sizes.items()})
    module.set_function_metadata(
        WORK_GROUP_SIZE_HINT, {s: _device_order(hint) for s, hint in hints.items()}
    )
    module.set_function_metadata(SUB_GROUP_SIZE, sub_groups)


def _is_readable_hint(properties: KernelProperties) -> bool:
    """Return whether there is a work-group size hint that back-ends can read."""
    hint = properties.work_group_size_hint
    return bool(hint) and max(hint).bit_length() <= _I32_BITS


def _device_order(size: Sequence[int]) -> list[int]:
    """Return a size in device order, the reverse of SYCL's, padded to three dimensions."""
    return [*reversed(size), *[1] * (_MAX_DIMENSIONS - len(size))]


def _i64(value: int) -> Integer:
    """Return an unsigned number as a metadata operand, which is signed."""
    return Integer(value - (value >> 63 << 64), 64)


def _unsigned(node: Iterable[MetadataOperand]) -> Iterator[int]:
    """Yield the integers of a node as unsigned numbers."""
    for operand in node:
        if isinstance(operand, Integer):
            yield int(operand) % (1 << operand.bits)
        elif isinstance(operand, int):
            yield operand % (1 << _I32_BITS)


def _sizes(
    module: Module, kind: str, max_count: int, bits: int = _I32_BITS
) -> dict[str, tuple[int, ...]]:
    """Return the sizes in metadata of a kind by function; raise `IRError` for invalid ones."""
    found: dict[str, tuple[int, ...]] = {}
    for symbol, node in module.function_metadata(kind).items():
        numbers = tuple(_unsigned(node))
        if not 0 < len(numbers) <= max_count or not all(
            0 < number < 1 << bits for number in numbers
        ):
            raise IRError(
                f"{module.name}: function '{symbol}': !{kind} is not a valid size:"
                f" {', '.join(map(str, numbers)) or 'it is empty'}"
            )
        found[symbol] = numbers
    return found
