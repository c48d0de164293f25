"""Clang's other spellings of options: `--output=x` is `-ox`, `-Wp,-MD,x` is `-MD -MF x`."""

from collections.abc import Iterator, Sequence
from itertools import islice

from dovetail.driver.clang_options import SHORT_SPELLINGS, TAKE_NEXT_WORD
from dovetail.driver.options import Form

_FOR_PREPROCESSOR = "-Wp,"
_DEPENDENCIES = ("-MD", "-MMD")


def in_short(words: Sequence[str]) -> list[str]:
    """The words, with short options in the place of long ones; what follows `--` is inputs."""
    end = words.index("--") if "--" in words else len(words)
    return [*_shortened(iter(words[:end])), *words[end:]]


def _shortened(words: Iterator[str]) -> Iterator[str]:
    for word in words:
        if word.startswith(_FOR_PREPROCESSOR):
            yield from _to_preprocessor(word)
            continue
        name, equals, value = word.partition("=")
        short, form = SHORT_SPELLINGS.get(name + equals, (word, Form.FLAG))
        if form is Form.FLAG:
            yield short
            # What follows is a value, such as the linker's own `--verbose` after `-Xlinker`.
            yield from islice(words, word in TAKE_NEXT_WORD)
            continue
        if not equals:
            value = next(words, "")
        yield from (short + value,) if form is Form.JOINED else (short, value)


def _to_preprocessor(word: str) -> Sequence[str]:
    """As clang reads it: what asks for a dependency file asks for nothing else."""
    mode, *values = word.removeprefix(_FOR_PREPROCESSOR).split(",")
    if mode not in _DEPENDENCIES:
        return (word,)
    return (mode, "-MF", values[0]) if len(values) == 1 else (mode,)
