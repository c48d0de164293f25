"""A target's arguments for Intel's OpenCL CPU runtime: CPU kinds, and options of its compiler.

The syntax is that of `opencl-aot`, which DPC++ uses for the same purpose.
"""

import shlex
from collections.abc import Iterator
from typing import NamedTuple

from dovetail.codegen.generator import BuildTarget
from dovetail.compilers.cpu_kinds import CPU_KINDS
from dovetail.errors import UsageError

_OTHER_NAMES = {
    "sse42": "corei7",
    "wsm": "corei7",
    "avx": "corei7-avx",
    "snb": "corei7-avx",
    "ivyb": "corei7-avx",
    "avx2": "core-avx2",
    "bdw": "core-avx2",
    "cfl": "core-avx2",
    "adl": "core-avx2",
    "avx512": "skx",
    "skylake-avx512": "skx",
    "spr": "sapphirerapids",
    "gnr": "graniterapids",
    "dmr": "diamondrapids",
}
"""The runtime's names of CPU kinds, by those of `opencl-aot`."""

_PROCESSOR = ("-march", "--march")
_OPTIONS = ("-bo", "--bo")


class OpenCLCpuArguments(NamedTuple):
    """The parsed arguments of a target."""

    processors: tuple[str, ...]
    options: tuple[str, ...]
    """Options of the OpenCL compiler, such as -cl-fast-relaxed-math."""


def parse_arguments(target: BuildTarget) -> OpenCLCpuArguments:
    """Parse the arguments of a target; raise `UsageError` for unknown ones."""
    # A binary loads without compilation only on its own CPU kind (see `cpu_kinds`), so by default
    # there is one for each kind.
    processors = CPU_KINDS
    options: list[str] = []
    for option, value in _options_with_values(target):
        if option in _PROCESSOR:
            processors = (_OTHER_NAMES.get(value, value),)
        else:
            options += shlex.split(value)
    return OpenCLCpuArguments(processors, tuple(options))


def _options_with_values(target: BuildTarget) -> Iterator[tuple[str, str]]:
    arguments = iter(target.arguments)
    for argument in arguments:
        option, equals, value = argument.partition("=")
        value = value if equals else next(arguments, "")
        is_known = option in (*_PROCESSOR, *_OPTIONS)
        if not is_known or not value:
            raise UsageError(
                f"option '{option}' for Intel's OpenCL CPU runtime needs a value"
                if is_known
                else f"unknown option '{argument}' for Intel's OpenCL CPU runtime",
                hint="use -march=PROCESSOR or --bo=OPTIONS, such as"
                " -march=avx512 --bo=-cl-fast-relaxed-math",
            )
        yield option, value
