"""Warnings about a command line, in clang's words: unused or adjusted options.

Clang cannot print them itself, since it does not receive the options as they were given.
"""

from collections.abc import Iterator, Sequence

from dovetail.cli.command_line import CommandLine, Input
from dovetail.driver import options as o
from dovetail.driver.device_compilations import are_features_unused, is_resolution_unused
from dovetail.driver.inputs import treated_as_cxx

_UNUSED = "unused-command-line-argument"
_IGNORE_UNUSED = "-Qunused-arguments"
_LINKER_INPUTS = ("-l", "-Wl,", "-Xlinker", "-e", "-z", "-rpath", "--for-linker")
# Linker options that clang uses, or accepts silently, when it only compiles.
_USED_BY_CLANG = ("-nostdlib", "-nostdlib++", "-nodefaultlibs")


def command_line_warnings(line: CommandLine) -> Iterator[str]:
    """Yield the warnings that are not disabled, each as a line."""
    found = (
        *_level_warnings(line),
        *_empty_targets(line),
        *_treated_as_cxx(line),
        *_unused_for_linking(line),
        *_unused_resolution(line),
        *_unused_features(line),
        *_without_effect(line),
    )
    for text, name in found:
        if not _is_off(name, line.warnings):
            yield f"dovetail: warning: {text}" + (f" [-W{name}]" if name else "")


def _level_warnings(line: CommandLine) -> Iterator[tuple[str, str]]:
    text, name = o.level_remark(line.values.get(o.OPTIMIZATION.spelling, ""))
    if text:
        yield text, name


def _empty_targets(line: CommandLine) -> Iterator[tuple[str, str]]:
    if line.values.get(o.TARGETS.spelling) == "":
        yield f"joined argument expects additional value: '{o.TARGETS.spelling}'", _UNUSED


def _treated_as_cxx(line: CommandLine) -> Iterator[tuple[str, str]]:
    """Yield a warning for each language of C that is read as C++, as by `clang++`."""
    inputs = [each for each in line.linked if isinstance(each, Input)]
    found = (treated_as_cxx(each.path, each.language) for each in inputs)
    for named, language in dict.fromkeys(each for each in found if each):
        text = f"treating '{named}' input as '{language}' when in C++ mode, this behavior is"
        yield f"{text} deprecated", "deprecated"


def _unused_for_linking(line: CommandLine) -> Iterator[tuple[str, str]]:
    """Yield warnings about linker options if nothing is linked."""
    if not line.has(o.COMPILE) and not line.has(o.SYNTAX_ONLY):
        return
    if _IGNORE_UNUSED in line.host:
        return
    args = [*line.only_linked, *([(o.SHARED.spelling,)] if line.has(o.SHARED) else [])]
    for given in args:
        text = " ".join(given)
        if given[0].startswith(_LINKER_INPUTS):
            yield f"{text}: 'linker' input unused", _UNUSED
        elif given[0] not in _USED_BY_CLANG:
            yield f"argument unused during compilation: '{text}'", _UNUSED


def _unused_resolution(line: CommandLine) -> Iterator[tuple[str, str]]:
    """Yield a warning if the preprocessor or the runtime resolves all conditions."""
    if not line.has(o.DEVICE_IF_RESOLVE) or _IGNORE_UNUSED in line.host:
        return
    flags = line.flags()
    if is_resolution_unused(flags):
        arg = o.DEVICE_IF_RESOLVE.spelling + flags.device_if_resolve
        yield f"argument unused during compilation: '{arg}'", _UNUSED


def _unused_features(line: CommandLine) -> Iterator[tuple[str, str]]:
    """Yield a warning if all targets are NVIDIA's and AMD's GPUs, whose code is always split."""
    if not line.has(o.OPTIONAL_FEATURES) or _IGNORE_UNUSED in line.host:
        return
    if are_features_unused(line.features(), line.flags()):
        arg = o.OPTIONAL_FEATURES.spelling + line.features()
        yield f"argument unused during compilation: '{arg}'", _UNUSED


def _without_effect(line: CommandLine) -> Iterator[tuple[str, str]]:
    if _IGNORE_UNUSED in line.host:
        return
    for given, reason in line.unused:
        yield f"'{given}' has no effect: {reason}", _UNUSED


def _is_off(name: str, warnings: Sequence[str]) -> bool:
    if not name:
        return False
    args = [arg for arg in warnings if arg in ("-w", "-Weverything", "-Wno-everything")]
    args += [arg for arg in warnings if arg in (f"-W{name}", f"-Wno-{name}")]
    return "-w" in args or args[-1:] in ([f"-Wno-{name}"], ["-Wno-everything"])
