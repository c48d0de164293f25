"""Clang's alternative spellings of options: `--output=x` is `-ox`, `-Wp,-MD,x` is `-MD -MF x`."""

from collections.abc import Iterator, Sequence
from itertools import islice

from dovetail.driver.clang_options import SHORT_SPELLINGS, TAKE_NEXT_WORD
from dovetail.driver.options import Form

_FOR_PREPROCESSOR = "-Wp,"
_DEPENDENCIES = ("-MD", "-MMD")


def short_spellings(args: Sequence[str]) -> list[str]:
    """Replace alternative spellings of options; arguments after `--` are inputs."""
    end = args.index("--") if "--" in args else len(args)
    return [*_shortened(iter(args[:end])), *args[end:]]


def _shortened(args: Iterator[str]) -> Iterator[str]:
    """Yield the arguments with short spellings instead of long ones."""
    for arg in args:
        if arg.startswith(_FOR_PREPROCESSOR):
            yield from _to_preprocessor(arg)
            continue
        name, equals, value = arg.partition("=")
        short, form = SHORT_SPELLINGS.get(name + equals, (arg, Form.FLAG))
        if form is Form.FLAG:
            yield short
            # The next argument is a value, such as the linker's `--verbose` after `-Xlinker`.
            yield from islice(args, arg in TAKE_NEXT_WORD)
            continue
        if not equals:
            value = next(args, "")
        yield from (short + value,) if form is Form.JOINED else (short, value)


def _to_preprocessor(arg: str) -> Sequence[str]:
    """Translate `-Wp,`; as in clang, an option for a dependency file ignores other values."""
    mode, *values = arg.removeprefix(_FOR_PREPROCESSOR).split(",")
    if mode not in _DEPENDENCIES:
        return (arg,)
    return (mode, "-MF", values[0]) if len(values) == 1 else (mode,)
