"""What is odd about a command line, said as clang says it: words that nobody uses, or not as given.

Clang would say so itself, if the words reached it as they are.
"""

from collections.abc import Iterator, Sequence

from dovetail.cli.command_line import CommandLine
from dovetail.driver import options as o
from dovetail.driver.units import are_features_unused, is_resolution_unused

_UNUSED = "unused-command-line-argument"
_NO_WORD_OF_UNUSED = "-Qunused-arguments"
_INPUTS_OF_LINKERS = ("-l", "-Wl,", "-Xlinker", "-e", "-z", "-rpath", "--for-linker")
# Clang compiles C++ in another way with these, or looks at them in passing.
_TAKEN_BY_CLANG = ("-nostdlib", "-nostdlib++", "-nodefaultlibs")


def remarks(line: CommandLine) -> Iterator[str]:
    """Each a line to be printed as it is."""
    found = (
        *_about_level(line),
        *_about_unused(line),
        *_about_resolution(line),
        *_about_features(line),
    )
    for text, name in found:
        if not _is_off(name, line.warnings):
            yield f"dovetail: warning: {text}" + (f" [-W{name}]" if name else "")


def _about_level(line: CommandLine) -> Iterator[tuple[str, str]]:
    text, name = o.level_remark(line.values.get(o.OPTIMIZATION.spelling, ""))
    if text:
        yield text, name


def _about_unused(line: CommandLine) -> Iterator[tuple[str, str]]:
    """Nothing is linked if sources are only compiled."""
    if not line.has(o.COMPILE) and not line.has(o.SYNTAX_ONLY):
        return
    if _NO_WORD_OF_UNUSED in line.host:
        return
    words = [*line.only_linked, *([(o.SHARED.spelling,)] if line.has(o.SHARED) else [])]
    for given in words:
        text = " ".join(given)
        if given[0].startswith(_INPUTS_OF_LINKERS):
            yield f"{text}: 'linker' input unused", _UNUSED
        elif given[0] not in _TAKEN_BY_CLANG:
            yield f"argument unused during compilation: '{text}'", _UNUSED


def _about_resolution(line: CommandLine) -> Iterator[tuple[str, str]]:
    """Macros decide by themselves, and for drivers that compile as it runs, the runtime does."""
    if not line.has(o.DEVICE_IF_RESOLVE) or _NO_WORD_OF_UNUSED in line.host:
        return
    flags = line.flags()
    if is_resolution_unused(flags):
        word = o.DEVICE_IF_RESOLVE.spelling + flags.device_if_resolve
        yield f"argument unused during compilation: '{word}'", _UNUSED


def _about_features(line: CommandLine) -> Iterator[tuple[str, str]]:
    """Code for NVIDIA's and AMD's GPUs is split, whatever is asked for."""
    if not line.has(o.OPTIONAL_FEATURES) or _NO_WORD_OF_UNUSED in line.host:
        return
    if are_features_unused(line.features(), line.flags()):
        word = o.OPTIONAL_FEATURES.spelling + line.features()
        yield f"argument unused during compilation: '{word}'", _UNUSED


def _is_off(name: str, warnings: Sequence[str]) -> bool:
    if not name:
        return False
    words = [word for word in warnings if word in ("-w", "-Weverything", "-Wno-everything")]
    words += [word for word in warnings if word in (f"-W{name}", f"-Wno-{name}")]
    return "-w" in words or words[-1:] in ([f"-Wno-{name}"], ["-Wno-everything"])
