"""Annotations of ids: names, decorations, execution modes; they are removed with these ids."""

from collections.abc import Iterator

from dovetail.spirv.opcodes import (
    DECORATE,
    DECORATE_ID,
    DECORATE_STRING,
    EXECUTION_MODE,
    EXECUTION_MODE_ID,
    GROUP_DECORATE,
    GROUP_MEMBER_DECORATE,
    MEMBER_DECORATE,
    MEMBER_DECORATE_STRING,
    MEMBER_NAME,
    NAME,
    TYPE_FORWARD_POINTER,
)
from dovetail.spirv.removal import Removal
from dovetail.spirv.structure import ModuleStructure

SINGLE_TARGET = (
    NAME,
    MEMBER_NAME,
    DECORATE,
    DECORATE_ID,
    DECORATE_STRING,
    MEMBER_DECORATE,
    MEMBER_DECORATE_STRING,
    TYPE_FORWARD_POINTER,
    EXECUTION_MODE,
    EXECUTION_MODE_ID,
)
"""Instructions whose first operand is the annotated id."""
GROUP_TARGETS = {GROUP_DECORATE: 1, GROUP_MEMBER_DECORATE: 2}
"""Instructions whose first operand is a group, followed by targets; the words for each target."""


def attach_annotations(structure: ModuleStructure, removal: Removal) -> None:
    """Let annotations retain their other operands if the target is retained, but not the target."""
    words, ends = structure.module.words, structure.index.ends
    for number, offset in structure.with_opcode(*SINGLE_TARGET):
        removal.ignore_uses(number)
        if ends[number] - (ends[number - 1] if number else 0) > 1 and not removal.removed[number]:
            removal.attach(words[offset + 1], structure.index.uses(number)[1:])
    for number, _ in structure.with_opcode(*GROUP_TARGETS):
        removal.ignore_uses(number)


def dangling_annotations(structure: ModuleStructure, removed: set[int]) -> Iterator[int]:
    """Yield the numbers of annotations whose targets are all removed."""
    words = structure.module.words
    for number, offset in structure.with_opcode(*SINGLE_TARGET):
        if words[offset + 1] in removed:
            yield number
    for opcode, size in GROUP_TARGETS.items():
        for number, offset in structure.with_opcode(opcode):
            targets = words[offset + 2 : structure.module.end(offset)][::size]
            if words[offset + 1] in removed or (targets and removed.issuperset(targets)):
                yield number


def shrunk_groups(structure: ModuleStructure, removed: set[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield group annotations with some removed targets, and their operands without these."""
    words = structure.module.words
    for opcode, size in GROUP_TARGETS.items():
        for number, offset in structure.with_opcode(opcode):
            end = structure.module.end(offset)
            if not removed.isdisjoint(words[offset + 2 : end : size]):
                yield (
                    number,
                    [
                        words[offset + 1],
                        *(
                            word
                            for place in range(offset + 2, end, size)
                            if words[place] not in removed
                            for word in words[place : place + size]
                        ),
                    ],
                )
