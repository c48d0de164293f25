"""Clang's other spellings of options: `--output=x` is `-ox`, `-Wp,-MD,x` is `-MD -MF x`."""

from collections.abc import Iterator, Sequence

_FLAGS = {
    "--assemble": "-S",
    "--compile": "-c",
    "--debug": "-g",
    "--dependencies": "-M",
    "--pedantic": "-pedantic",
    "--preprocess": "-E",
    "--shared": "-shared",
    "--static": "-static",
    "--user-dependencies": "-MM",
    "--verbose": "-v",
}
_WITH_VALUES = {
    "--define-macro": "-D",
    "--include": "-include",
    "--include-directory": "-I",
    "--language": "-x",
    "--library-directory": "-L",
    "--optimize": "-O",
    "--output": "-o",
    "--std": "-std=",
    "--undefine-macro": "-U",
}
_WITH_ONE_DASH = "--save-temps"
"""Means the same so, with a value or without."""
_FOR_PREPROCESSOR = "-Wp,"
_DEPENDENCIES = ("-MD", "-MMD")
_SEPARATE = ("-include", "-o", "-x")
"""Short options whose value is a word of its own."""


def in_short(words: Sequence[str]) -> list[str]:
    """The words, with short options in the place of long ones; what follows `--` is inputs."""
    end = words.index("--") if "--" in words else len(words)
    return [*_shortened(iter(words[:end])), *words[end:]]


def _shortened(words: Iterator[str]) -> Iterator[str]:
    for word in words:
        if word.startswith(_FOR_PREPROCESSOR):
            yield from _to_preprocessor(word)
            continue
        if word.partition("=")[0] == _WITH_ONE_DASH:
            yield word[1:]
            continue
        name, equals, value = word.partition("=")
        short = _WITH_VALUES.get(name)
        if short is None or (not equals and short == "-O"):
            yield _FLAGS.get(word, word)
            continue
        if not equals:
            value = next(words, "")
        yield from (short, value) if short in _SEPARATE else (short + value,)


def _to_preprocessor(word: str) -> Sequence[str]:
    """As clang reads it: what asks for a dependency file asks for nothing else."""
    mode, *values = word.removeprefix(_FOR_PREPROCESSOR).split(",")
    if mode not in _DEPENDENCIES:
        return (word,)
    return (mode, "-MF", values[0]) if len(values) == 1 else (mode,)
