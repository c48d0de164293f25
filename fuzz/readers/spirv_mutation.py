"""Mutation of SPIR-V modules."""

from __future__ import annotations

from array import array
from random import Random

_WORDS = (0, 1, 2, 3, 5, 0xFF, 0xFFFF, 0x10000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)
_MAX_CHANGES = 4


_HEADER = 5
_BOUND = 3


def mutated(data: bytes, random: Random) -> bytes:
    """Return a module with a few changes; the lengths of its instructions must be consistent."""
    words = array("I", data)
    change = random.choice((_change, _change_instructions))
    for _ in range(random.randint(1, _MAX_CHANGES)):
        if words:
            words = change(words, random)
    changed = words.tobytes()
    # Sometimes truncate the file, also within a word.
    return changed[: random.randrange(len(changed) + 1)] if random.random() < 0.05 else changed


def _change_instructions(words: array[int], random: Random) -> array[int]:
    """Change instructions; the result remains well-formed."""
    starts: list[int] = []
    at = _HEADER
    while at < len(words):
        starts.append(at)
        at += words[at] >> 16
    if not starts:
        return words
    start = random.choice(starts)
    end = start + (words[start] >> 16)
    elsewhere = random.choice(starts)
    this = words[start:end]
    match random.randrange(8):
        case 0:
            return words[:start] + words[end:]
        case 1:
            return words[:elsewhere] + this + words[elsewhere:]
        case 2:
            without = words[:start] + words[end:]
            elsewhere -= len(this) if elsewhere > start else 0
            return without[:elsewhere] + this + without[elsewhere:]
        case 3:  # another opcode
            words[start] = words[start] & 0xFFFF_0000 | words[elsewhere] & 0xFFFF
        case _ if len(this) > 1:  # another id
            words[random.randrange(start + 1, end)] = random.randrange(1, max(words[_BOUND], 2))
        case _:
            pass
    return words


def _change(words: array[int], random: Random) -> array[int]:
    """Change words, regardless of their meaning."""
    at = random.randrange(len(words))
    match random.randrange(8):
        case 0:
            words[at] ^= 1 << random.randrange(32)
        case 1:
            words[at] = random.choice(_WORDS)
        case 2:
            words[at] = random.getrandbits(32)
        case 3:  # another length
            words[at] = words[at] & 0xFFFF | random.randrange(12) << 16
        case 4:  # another opcode, decoration or id
            words[at] = words[at] & 0xFFFF_0000 | random.randrange(400)
        case 5:
            del words[at : at + random.randint(1, 4)]
        case 6:
            words[at:at] = words[at : at + random.randint(1, 8)]
        case _:  # a word from elsewhere
            words[at] = random.choice(words)
    return words
