"""Names, decorations and the like, which say something of ids and leave with them."""

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
from dovetail.spirv.survey import Survey

ABOUT_ONE_ID = (
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
"""They have it in their first operand."""
ABOUT_MANY_IDS = {GROUP_DECORATE: 1, GROUP_MEMBER_DECORATE: 2}
"""They have them behind the first operand, a group; and how many words there are for each."""


def attach(survey: Survey, removal: Removal) -> None:
    """Have annotations keep nothing, but for what they use beside the id that they are about."""
    words, ends = survey.module.words, survey.index.ends
    for number, at in survey.all_of(*ABOUT_ONE_ID):
        removal.ignore(number)
        if ends[number] - (ends[number - 1] if number else 0) > 1 and not removal.gone[number]:
            removal.attach(words[at + 1], survey.index.uses(number)[1:])
    for number, _ in survey.all_of(*ABOUT_MANY_IDS):
        removal.ignore(number)


def about_nothing(survey: Survey, gone: set[int]) -> Iterator[int]:
    """The annotations that are only about what left, by number."""
    words = survey.module.words
    for number, at in survey.all_of(*ABOUT_ONE_ID):
        if words[at + 1] in gone:
            yield number
    for opcode, size in ABOUT_MANY_IDS.items():
        for number, at in survey.all_of(opcode):
            targets = words[at + 2 : survey.module.end(at)][::size]
            if words[at + 1] in gone or (targets and gone.issuperset(targets)):
                yield number


def about_less(survey: Survey, gone: set[int]) -> Iterator[tuple[int, list[int]]]:
    """The annotations that are also about what left, and their operands without that."""
    words = survey.module.words
    for opcode, size in ABOUT_MANY_IDS.items():
        for number, at in survey.all_of(opcode):
            end = survey.module.end(at)
            if not gone.isdisjoint(words[at + 2 : end : size]):
                yield (
                    number,
                    [
                        words[at + 1],
                        *(
                            word
                            for place in range(at + 2, end, size)
                            if words[place] not in gone
                            for word in words[place : place + size]
                        ),
                    ],
                )
