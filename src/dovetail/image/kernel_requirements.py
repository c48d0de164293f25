"""Requirements of individual kernels, for images that have kernels for different devices.

One set is for kernels, another for exported functions and actions. Both list the requirements of
each function, each with the `SpecId` of the constant in the image's code that tells whether the
device meets it.
"""

from collections.abc import Iterator, Mapping

from dovetail.image.requirements import Requirements
from dovetail.image.typed_set import MAX_DIMENSIONS, Codec, SetReader, SetWriter, needs_64_bits

_ASPECT, _WORK_GROUP, _SUB_GROUP, _WORK_GROUP_64 = range(4)


def single_requirements(requirements: Requirements) -> Iterator[Requirements]:
    """Split requirements into individual ones, in the order of the format."""
    for aspect in requirements.aspects:
        yield Requirements((aspect,))
    if requirements.work_group_size:
        yield Requirements(work_group_size=requirements.work_group_size)
    if requirements.sub_group_size is not None:
        yield Requirements(sub_group_size=requirements.sub_group_size)


Reqs = Mapping[Requirements, int]
"""Individual requirements, each with its `SpecId`."""


def numbered_reqs(
    functions: Mapping[str, Requirements], constants: Mapping[int, Requirements]
) -> dict[str, Reqs]:
    """Return functions' requirements by symbol; `constants` has every individual requirement."""
    spec_ids = {single: spec_id for spec_id, single in constants.items()}
    return {
        symbol: {single: spec_ids[single] for single in single_requirements(requirements)}
        for symbol, requirements in functions.items()
    }


def _encode(into: SetWriter, functions: Mapping[str, Reqs]) -> None:
    for symbol, reqs in functions.items():
        words = [word for single, spec_id in reqs.items() for word in (*_entry(single), spec_id)]
        into.add_array(symbol, (len(reqs), *words), "I")


def _entry(single: Requirements) -> tuple[int, ...]:
    if single.aspects:
        return _ASPECT, *single.aspects
    size = single.work_group_size
    if needs_64_bits(size):
        return _WORK_GROUP_64, len(size), *(word for part in size for word in _halves(part))
    if size:
        return _WORK_GROUP, len(size), *size
    return _SUB_GROUP, single.sub_group_size or 0


def _halves(number: int) -> tuple[int, int]:
    """Split a 64-bit number into two words, the lower one first."""
    return number & 0xFFFF_FFFF, number >> 32


def combined_requirements(reqs: Reqs) -> Requirements:
    """Combine individual requirements."""
    combined = Requirements(tuple(aspect for each in reqs for aspect in each.aspects))
    for each in reqs:
        if each.work_group_size:
            combined = combined._replace(work_group_size=each.work_group_size)
        if each.sub_group_size is not None:
            combined = combined._replace(sub_group_size=each.sub_group_size)
    return combined


def _decode(source: SetReader) -> Mapping[str, Reqs]:
    return {symbol: _read_function(source, symbol) for symbol in source}


def _read_function(source: SetReader, symbol: str) -> Reqs:
    count, *words = source.array(symbol, "I") or (0,)
    reqs: dict[Requirements, int] = {}
    offset = 0
    for _ in range(count):
        single, offset = _read_entry(source, symbol, words, offset)
        reqs[single] = words[offset - 1]
    if offset != len(words):
        raise source.error(symbol, f"has data after its {count} entries")
    return reqs


def _read_entry(
    source: SetReader, symbol: str, words: list[int], offset: int
) -> tuple[Requirements, int]:
    """Return the requirement at `offset`, and the offset after its entry.

    The last word of an entry is its `SpecId`.
    """
    kind, value = (*words[offset : offset + 2], 0, 0)[:2]
    width = {_WORK_GROUP: 1, _WORK_GROUP_64: 2}.get(kind, 0)
    if width and not 1 <= value <= MAX_DIMENSIONS:
        raise source.error(symbol, f"expected one to three dimensions, got {value}")
    end = offset + 3 + width * value
    if end > len(words):
        raise source.error(symbol, "ends within an entry")
    if kind == _ASPECT:
        return Requirements((value,)), end
    if width:
        parts = words[offset + 2 : end - 1]
        size = tuple(parts) if width == 1 else _joined_halves(parts)
        return Requirements(work_group_size=source.sizes(symbol, size)), end
    if kind == _SUB_GROUP:
        return Requirements(sub_group_size=source.sizes(symbol, (value,))[0]), end
    raise source.error(symbol, f"unknown kind of requirement {kind}")


def _joined_halves(words: list[int]) -> tuple[int, ...]:
    return tuple(low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True))


REQS = Codec(_encode, _decode)
