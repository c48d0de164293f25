"""The options of `dovetail c++`, one row each, in clang's spelling.

Reading, help and the hint for a misspelt option all use these rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from dovetail.analysis import RULES
from dovetail.errors import UsageError, nearest
from dovetail.passes import ASPECT_READINGS, OPTIMIZATION_LEVELS
from dovetail.postlink import SplitMode

_HELP_COLUMN = 20


class Form(Enum):
    """How an option takes its value."""

    FLAG = auto()
    JOINED = auto()
    """`-std=c++20`: the value follows at once."""
    SEPARATE = auto()
    """`-isystem DIR`: the value is the next word."""
    EITHER = auto()
    """`-IDIR` or `-I DIR`."""
    LONG = auto()
    """`--targets=LIST` or `--targets LIST`."""


@dataclass(frozen=True)
class Option:
    """One option."""

    spelling: str
    form: Form
    help: str
    value: str = ""
    """What the value is, for the help text."""

    def usage(self) -> str:
        """As the help text shows it."""
        space = " " if self.form in (Form.SEPARATE, Form.LONG) else ""
        return f"{self.spelling}{space}{self.value}"


FSYCL = Option("-fsycl", Form.FLAG, "compile SYCL")
FSYCLBIN = Option("-fsyclbin", Form.FLAG, "write the device program alone, as a SYCLBIN")
SHARED = Option("-shared", Form.FLAG, "write a shared library, for programs to load as they run")
PIC = Option("-fPIC", Form.FLAG, "make host code that can be loaded anywhere, as all of it is")
TARGETS = Option(
    "-fsycl-targets=",
    Form.JOINED,
    "build for these targets, separated by commas (default: spir64)",
    "LIST",
)
DEVICE_CONFIG_FILE = Option(
    "-fsycl-device-config-file=",
    Form.JOINED,
    "add or update targets as a YAML file says; may be repeated",
    "FILE",
)
LONG_DEVICE_CONFIG_FILE = Option(
    "--device-config-file", Form.LONG, f"the same as {DEVICE_CONFIG_FILE.spelling}", "FILE"
)
OUTPUT = Option("-o", Form.EITHER, "where the output goes", "FILE")
OPTIMIZATION = Option(
    "-O", Form.JOINED, "optimise: 0, 1, 2 (default), 3, s or z; device code at least 1", "LEVEL"
)
DEBUG = Option("-g", Form.FLAG, "debug information, on the host side; LLVM writes none into SPIR-V")
STANDARD = Option("-std=", Form.JOINED, "the C++ standard (default: c++17)", "STD")
DEFINE = Option("-D", Form.EITHER, "define a macro", "NAME[=VALUE]")
UNDEFINE = Option("-U", Form.EITHER, "undefine a macro", "NAME")
INCLUDE_FOLDER = Option("-I", Form.EITHER, "look for headers in DIR", "DIR")
SYSTEM_FOLDER = Option(
    "-isystem", Form.SEPARATE, "look for headers in DIR, without warnings", "DIR"
)
INCLUDE_FILE = Option("-include", Form.SEPARATE, "include FILE before the source", "FILE")
ASPECTS = Option(
    "-fsycl-aspects=",
    Form.JOINED,
    "what counts as a use of an aspect: all that is written (the default), or what is left of it"
    " when it is optimized",
    "written|optimized",
)
CODE_SPLIT = Option(
    "-fsycl-device-code-split=",
    Form.JOINED,
    "which kernels share an image, if their requirements allow: those of a source (auto, the"
    " default, and per_source), all (off), or none (per_kernel)",
    "auto|per_source|per_kernel|off",
)
WARNING = Option(
    "-W",
    Form.JOINED,
    "switch a warning on or off: clang's, or sycl-undeclared-aspect and others of ours",
    "NAME",
)
NO_WARNINGS = Option("-w", Form.FLAG, "give no warnings at all")
DRY_RUN = Option("-###", Form.FLAG, "print what would be done, and do nothing")
VERBOSE = Option("-v", Form.FLAG, "print each step before it is done")
HELP = Option("--help", Form.FLAG, "show this text")
VERSION = Option("--version", Form.FLAG, "show Dovetail's version")

_SPLIT_MODES = {
    "auto": SplitMode.AUTO,
    "per_source": SplitMode.SOURCE,
    "per_kernel": SplitMode.KERNEL,
    "off": SplitMode.OFF,
}

STANDARDS = ("17", "20", "23", "26")

OPTIONS = (
    FSYCL,
    FSYCLBIN,
    SHARED,
    PIC,
    TARGETS,
    DEVICE_CONFIG_FILE,
    OUTPUT,
    OPTIMIZATION,
    DEBUG,
    STANDARD,
    DEFINE,
    UNDEFINE,
    INCLUDE_FOLDER,
    SYSTEM_FOLDER,
    INCLUDE_FILE,
    WARNING,
    NO_WARNINGS,
    ASPECTS,
    CODE_SPLIT,
    DRY_RUN,
    VERBOSE,
    HELP,
    VERSION,
)


def help_rows(options: Sequence[Option]) -> str:
    """A line for each option, two for those with long names."""
    return "\n".join(f"  {_padded(option.usage())} {option.help}" for option in options)


def _padded(usage: str) -> str:
    line_end = "\n  " + " " * _HELP_COLUMN
    return usage + line_end if len(usage) > _HELP_COLUMN else usage.ljust(_HELP_COLUMN)


@dataclass(frozen=True)
class Given:
    """One word, or pair of words, of a command line."""

    option: Option | None
    """None for an input file."""
    value: str


def read_options(words: Sequence[str], options: Sequence[Option] = OPTIONS) -> Iterator[Given]:
    """What a command line says, in order, if these are the options that there are."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from (Given(None, name) for name in rest)
            return
        if not word.startswith("-"):
            yield Given(None, word)
            continue
        option = _find(word, options)
        value = word[len(option.spelling) :]
        if option.form is Form.LONG:
            value = value.removeprefix("=")
        if option.form in (Form.SEPARATE, Form.EITHER, Form.LONG) and not value:
            value = next(rest, "")
            if not value:
                raise UsageError(
                    f"'{option.spelling}' needs a value", hint=f"as in {option.usage()}"
                )
        yield Given(option, _checked(option, value))


def check_standard(standard: str) -> None:
    """SYCL 2020 is written in C++17; what is older fails with hundreds of errors in headers."""
    if standard.removeprefix("gnu++").removeprefix("c++") not in STANDARDS:
        known = ", ".join(f"c++{year}" for year in STANDARDS)
        raise UsageError(
            f"SYCL cannot be compiled as '{standard}'", hint=f"use one of {known}, or gnu++ forms"
        )


def check_reading(reading: str) -> None:
    """What counts as a use is one of two things."""
    if reading not in ASPECT_READINGS:
        raise UsageError(
            f"there is no reading of aspects '{reading}'",
            hint=f"use one of {', '.join(ASPECT_READINGS)}",
        )


def split_mode(word: str) -> SplitMode:
    """The mode that `-fsycl-device-code-split` names."""
    if word not in _SPLIT_MODES:
        raise UsageError(
            f"device code cannot be split as '{word}'",
            hint=nearest(word, _SPLIT_MODES) or f"use one of {', '.join(_SPLIT_MODES)}",
        )
    return _SPLIT_MODES[word]


def check_warning(words: str) -> None:
    """Clang does not know our warnings, so it could not say that one is misspelt."""
    name = words.rpartition("=")[2].removeprefix("no-")
    if name.startswith("sycl-") and name not in RULES:
        raise UsageError(f"there is no warning '{name}'", hint=nearest(name, RULES))


def _find(word: str, options: Sequence[Option]) -> Option:
    fitting = [
        option
        for option in options
        if word == option.spelling
        or (option.form in (Form.JOINED, Form.EITHER) and word.startswith(option.spelling))
        or (option.form is Form.LONG and word.startswith(f"{option.spelling}="))
    ]
    if not fitting:
        hint = nearest(word, [option.spelling for option in options])
        raise UsageError(f"unknown option '{word}'", hint=hint or "--help lists the options")
    # The longest spelling is the one that was meant: -include, not -I.
    return max(fitting, key=lambda option: len(option.spelling))


def _checked(option: Option, value: str) -> str:
    if option is OPTIMIZATION and value not in OPTIMIZATION_LEVELS:
        raise UsageError(f"there is no optimisation level '{value}'", hint=option.help)
    if option is ASPECTS:
        check_reading(value)
    if option is CODE_SPLIT:
        split_mode(value)
    if option is WARNING:
        check_warning(value)
    if option is STANDARD:
        check_standard(value)
    return value
