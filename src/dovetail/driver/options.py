"""The options of the commands that compile, one row each, in clang's spelling.

Reading, help and the hint for a misspelt option all use these rows. `clang_options` has the rows of
what `dovetail c++` only passes on.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum, Flag, auto
from typing import NamedTuple

from dovetail.analysis import RULES
from dovetail.errors import UsageError, nearest
from dovetail.files import STREAM
from dovetail.passes import ASPECT_READINGS, OPTIMIZATION_LEVELS
from dovetail.postlink import OptionalFeatures, SplitMode

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
    JOINED_AND_SEPARATE = auto()
    """`-Xsycl-target-backend=TARGET WORDS`: a part follows at once, the value is the next word."""
    LONG = auto()
    """`--targets=LIST` or `--targets LIST`."""


class Goes(Flag):
    """Who is told of a word that is clang's."""

    NOWHERE = 0
    HOST = auto()
    DEVICE = auto()
    LINK = auto()


class Option(NamedTuple):
    """One option."""

    spelling: str
    form: Form
    help: str = ""
    value: str = ""
    """What the value is, for the help text."""
    goes: Goes | None = None
    """Where the word goes as it is; None for what this driver understands itself."""

    def usage(self) -> str:
        """As the help text shows it."""
        is_long = self.form is Form.EITHER and len(self.spelling) > len("-I")
        space = " " if is_long or self.form in (Form.SEPARATE, Form.LONG) else ""
        return f"{self.spelling}{space}{self.value}"


FSYCL = Option("-fsycl", Form.FLAG, "compile SYCL")
FSYCLBIN = Option("-fsyclbin", Form.FLAG, "write the device program alone, as a SYCLBIN")
SHARED = Option("-shared", Form.FLAG, "write a shared library, for programs to load as they run")
PIC = Option("-fPIC", Form.FLAG, "make host code that can be loaded anywhere, as all of it is")
COMPILE = Option("-c", Form.FLAG, "compile to object files, which hold both sides, and do not link")
SYNTAX_ONLY = Option("-fsyntax-only", Form.FLAG, "check the sources for both sides, write nothing")
LANGUAGE = Option("-x", Form.EITHER, "the language of the inputs that follow", "LANG")
DEPENDENCIES = Option(
    "-MD", Form.FLAG, "write which files each object depends on, as a rule for make"
)
USER_DEPENDENCIES = Option("-MMD", Form.FLAG, "the same without the system's headers")
DEPENDENCY_FILE = Option("-MF", Form.EITHER, "where that goes", "FILE")
DEPENDENCY_TARGET = Option("-MT", Form.EITHER, "what the rule is for", "NAME")
QUOTED_TARGET = Option("-MQ", Form.EITHER, "the same, quoted for make", "NAME")
PHONY_RULES = Option("-MP", Form.FLAG, "add a rule for each header, so that it can vanish")
XARCH_HOST = Option("-Xarch_host", Form.SEPARATE, "pass a word on to the host's side alone", "WORD")
XARCH_DEVICE = Option(
    "-Xarch_device", Form.SEPARATE, "pass a word on to the device's side alone", "WORD"
)
STATIC = Option("-static", Form.FLAG)
PREPROCESS = Option("-E", Form.FLAG, "preprocess, as the host sees it")
ASSEMBLY = Option("-S", Form.FLAG, "write the host's assembly")
RELOCATABLE = Option("-r", Form.FLAG, "link objects into one object, which carries what they carry")
HOST_MODES = (
    PREPROCESS,
    ASSEMBLY,
    RELOCATABLE,
    *(
        Option(word, Form.FLAG)
        for word in ("-M", "-MM", "-emit-llvm", "-emit-ast", "--analyze", "--precompile")
    ),
    *(
        Option(word, Form.FLAG)
        for word in ("-dM", "-dD", "-dI", "-dumpversion", "-dumpmachine", "-dumpspecs")
    ),
    *(Option(word, Form.JOINED) for word in ("-print-", "--print-")),
)
"""What is done by clang alone, as for the host."""
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
FIXED_TARGETS = Option(
    "-fsycl-fixed-targets=",
    Form.JOINED,
    "warn of kernels that one of these targets cannot run: there is no other to run on",
    "LIST",
)
XS = Option("-Xs", Form.SEPARATE, "pass words on to all ahead-of-time compilers", "WORDS")
BACKEND = Option(
    "-Xsycl-target-backend", Form.SEPARATE, "pass them on to that of the only target", "WORDS"
)
BACKEND_OF = Option(
    "-Xsycl-target-backend=",
    Form.JOINED_AND_SEPARATE,
    "pass them on to that of one target",
    "TARGET WORDS",
)
UNIQUE_PREFIX = Option(
    "-fsycl-unique-prefix=",
    Form.JOINED,
    "for unique names in a source's device code (default: by its path and content)",
    "NAME",
)
RDC = Option("-fsycl-rdc", Form.FLAG, "link device code of different sources (the default)")
NO_RDC = Option(
    "-fno-sycl-rdc", Form.FLAG, "let the device code of each source and object stand by itself"
)
OUTPUT = Option("-o", Form.EITHER, "where the output goes", "FILE")
OPTIMIZATION = Option(
    "-O",
    Form.JOINED,
    "optimise: 0, 1, 2 (default), 3, s, z, g or fast; device code at least 1",
    "LEVEL",
)
DEBUG = Option(
    "-g", Form.JOINED, "debug information, on the host side; LLVM writes none into SPIR-V", "[KIND]"
)
STANDARD = Option("-std=", Form.JOINED, "the C++ standard (default: c++17)", "STD")
DEFINE = Option("-D", Form.EITHER, "define a macro", "NAME[=VALUE]")
UNDEFINE = Option("-U", Form.EITHER, "undefine a macro", "NAME")
INCLUDE_FOLDER = Option("-I", Form.EITHER, "look for headers in DIR", "DIR")
SYSTEM_FOLDER = Option("-isystem", Form.EITHER, "look for headers in DIR, without warnings", "DIR")
INCLUDE_FILE = Option("-include", Form.EITHER, "include FILE before the source", "FILE")
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
OPTIONAL_FEATURES = Option(
    "-fsycl-optional-features=",
    Form.JOINED,
    "how code that not every device can run is kept from the others: in images of its own (split,"
    " the default; best where kernels have little code in common), or under conditions in one"
    " image, of which each device gets its part (conditional; for many sets of features, shared"
    " functions, much if_device_has: the file is smaller). NVIDIA's and AMD's targets are always"
    " split",
    "split|conditional",
)
DEVICE_IF = Option(
    "-fsycl-device-if=",
    Form.JOINED,
    "what decides if_device_has and if_architecture_is: later steps, or the runtime (calls, the"
    " default); or the preprocessor, with a device compilation for each target (macros)",
    "calls|macros",
)
DEVICE_IF_RESOLVE = Option(
    "-fsycl-device-if-resolve=",
    Form.JOINED,
    "when they are decided ahead of time: before code is optimised, with a device compilation for"
    " each target (early, the default for one target), or after it is linked (late, for several)",
    "early|late",
)
KEEP_GOING = Option(
    "-fsycl-keep-going",
    Form.FLAG,
    "write the program although ahead-of-time compilers failed on some of its code, without that",
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
PRINT_PHASES = Option(
    "-ccc-print-phases", Form.FLAG, "print the graph of steps that would be done, and do nothing"
)
SAVE_TEMPS = Option(
    "-save-temps", Form.FLAG, "keep what every step makes, in the working directory"
)
SAVE_TEMPS_IN = Option(
    "-save-temps=",
    Form.JOINED,
    "the same there (cwd), beside the output (obj), or in a folder",
    "cwd|obj|DIR",
)
TIME_REPORT = Option("-ftime-report", Form.FLAG, "print where time went, step by step")
TIME_REPORT_JSON = Option("-ftime-report=json", Form.FLAG, "the same as a line of JSON")
AT_ONCE = Option("-j", Form.EITHER, "do N things at once (default: one for each core)", "N")
HELP = Option("--help", Form.FLAG, "show this text")
VERSION = Option("--version", Form.FLAG, "show Dovetail's version")

_SPLIT_MODES = {
    "auto": SplitMode.AUTO,
    "per_source": SplitMode.SOURCE,
    "per_kernel": SplitMode.KERNEL,
    "off": SplitMode.OFF,
}

STANDARDS = ("17", "20", "23", "26")
_STANDARD_OF_C = re.compile(r"(c|gnu|iso9899:)\d")
_EARLY_STANDARDS = ("1z", "2a", "2b", "2c")
"""What they were called before they were done; build systems still say so."""

_OTHER_LEVELS = {"": "1", "g": "1", "fast": "3"}
"""By what clang takes too, what it comes to."""

_HIGHEST_LEVEL = 3
"""What every larger number comes to."""

FAST = "fast"
FAST_MATH = "-ffast-math"

OBJECT_OPTIONS = (
    COMPILE,
    SYNTAX_ONLY,
    PREPROCESS,
    ASSEMBLY,
    RELOCATABLE,
    LANGUAGE,
    DEPENDENCIES,
    USER_DEPENDENCIES,
    DEPENDENCY_FILE,
    DEPENDENCY_TARGET,
    QUOTED_TARGET,
    PHONY_RULES,
    XARCH_HOST,
    XARCH_DEVICE,
)
"""For `dovetail c++` alone."""

OPTIONS = (
    FSYCL,
    FSYCLBIN,
    SHARED,
    PIC,
    TARGETS,
    DEVICE_CONFIG_FILE,
    FIXED_TARGETS,
    XS,
    BACKEND,
    BACKEND_OF,
    UNIQUE_PREFIX,
    RDC,
    NO_RDC,
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
    OPTIONAL_FEATURES,
    DEVICE_IF,
    DEVICE_IF_RESOLVE,
    KEEP_GOING,
    DRY_RUN,
    PRINT_PHASES,
    VERBOSE,
    SAVE_TEMPS,
    SAVE_TEMPS_IN,
    TIME_REPORT,
    TIME_REPORT_JSON,
    AT_ONCE,
    HELP,
    VERSION,
)


def help_rows(options: Sequence[Option]) -> str:
    """A line for each option, two for those with long names."""
    return "\n".join(f"  {_padded(option.usage())} {option.help}" for option in options)


def _padded(usage: str) -> str:
    line_end = "\n  " + " " * _HELP_COLUMN
    return usage + line_end if len(usage) > _HELP_COLUMN else usage.ljust(_HELP_COLUMN)


class GivenOption(NamedTuple):
    """One word, or pair of words, of a command line."""

    option: Option | None
    """None for an input file."""
    value: str
    words: tuple[str, ...] = ()
    """As they were given."""


NEXT_WORD = (Form.SEPARATE, Form.EITHER, Form.LONG, Form.JOINED_AND_SEPARATE)
"""The value may or must be the next word."""
_AT_ONCE = (Form.JOINED, Form.EITHER, Form.JOINED_AND_SEPARATE)


def read_options(
    words: Sequence[str], options: Sequence[Option] = OPTIONS, unknown: Option | None = None
) -> Iterator[GivenOption]:
    """What a command line says, in order, if these are the options that there are.

    Words that none of them fits are of the option `unknown`, or an error if there is no such.
    """
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from (GivenOption(None, name, (name,)) for name in rest)
            return
        if word == STREAM or not word.startswith("-"):
            yield GivenOption(None, word, (word,))
            continue
        option = _find(word, options)
        # Clang has few options of SYCL, so that whatever looks like one is ours, if misspelt.
        if option is None and not word.startswith(FSYCL.spelling):
            option = unknown
        if option is None:
            hint = nearest(word, [option.spelling for option in options])
            raise UsageError(f"unknown option '{word}'", hint=hint or "--help lists the options")
        value, used = word[len(option.spelling) :], (word,)
        if option.form is Form.LONG:
            value = value.removeprefix("=")
        if option.form is Form.JOINED_AND_SEPARATE:
            value = ""
        if option.form in NEXT_WORD and not value:
            value = next(rest, "")
            used = (word, value)
            if not value:
                raise UsageError(
                    f"'{option.spelling}' needs a value", hint=f"as in {option.usage()}"
                )
        yield GivenOption(option, _checked(option, value), used)


def is_standard_of_c(standard: str) -> bool:
    """Whether the standard is for sources in C, which are compiled for the host alone."""
    return bool(_STANDARD_OF_C.match(standard))


def check_standard(standard: str) -> None:
    """SYCL 2020 is written in C++17; what is older fails with hundreds of errors in headers."""
    year = standard.removeprefix("gnu++").removeprefix("c++")
    if year not in (*STANDARDS, *_EARLY_STANDARDS):
        known = ", ".join(f"c++{year}" for year in STANDARDS)
        raise UsageError(
            f"SYCL cannot be compiled as '{standard}'", hint=f"use one of {known}, or gnu++ forms"
        )


def optimization_level(value: str) -> str:
    """The level that `-O` and its value come to."""
    if _is_number(value):
        return str(min(int(value), _HIGHEST_LEVEL))
    return _OTHER_LEVELS.get(value, value)


def level_remark(value: str) -> tuple[str, str]:
    """What clang says of a level that it takes for another, and its warning's name; or nothing."""
    if value == FAST:
        advice = "'-O3' to enable only conforming optimizations"
        text = f"argument '-Ofast' is deprecated; use '-O3 {FAST_MATH}' for the same behavior, or"
        return f"{text} {advice}", "deprecated-ofast"
    if value == str(_HIGHEST_LEVEL + 1):
        return "-O4 is equivalent to -O3", "deprecated"
    if _is_number(value) and int(value) > _HIGHEST_LEVEL:
        return f"optimization level '-O{value}' is not supported; using '-O3' instead", ""
    return "", ""


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdigit()


def jobs_at_once(value: str) -> int:
    """How many things `-j` allows at once."""
    if not _is_number(value) or int(value) < 1:
        raise UsageError(
            f"'-j {value}' does not say how many things are to be done at once",
            hint="give a number from 1 on, or leave it out: then it is one for each core",
        )
    return int(value)


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


def optional_features(word: str) -> OptionalFeatures:
    """What `-fsycl-optional-features` names."""
    check_one_of(OPTIONAL_FEATURES, word)
    return OptionalFeatures(word)


def check_one_of(option: Option, value: str) -> None:
    """Refuse what is none of the words that an option takes."""
    known = option.value.split("|")
    if value not in known:
        raise UsageError(
            f"'{option.spelling}{value}' is none of its words",
            hint=nearest(value, known) or f"use one of {', '.join(known)}",
        )


def check_warning(words: str) -> None:
    """Clang does not know our warnings, so it could not say that one is misspelt."""
    name = words.rpartition("=")[2].removeprefix("no-")
    if name.startswith("sycl-") and name not in RULES:
        raise UsageError(f"there is no warning '{name}'", hint=nearest(name, RULES))


def _find(word: str, options: Sequence[Option]) -> Option | None:
    fitting = [
        option
        for option in options
        if word == option.spelling
        or (option.form in _AT_ONCE and word.startswith(option.spelling))
        or (option.form is Form.LONG and word.startswith(f"{option.spelling}="))
    ]
    # The longest spelling is the one that was meant: -include, not -I.
    return max(fitting, key=lambda option: len(option.spelling), default=None)


def _checked(option: Option, value: str) -> str:
    if option is OPTIMIZATION and optimization_level(value) not in OPTIMIZATION_LEVELS:
        raise UsageError(f"there is no optimisation level '{value}'", hint=option.help)
    if option is ASPECTS:
        check_reading(value)
    if option is CODE_SPLIT:
        split_mode(value)
    if option in (OPTIONAL_FEATURES, DEVICE_IF, DEVICE_IF_RESOLVE):
        check_one_of(option, value)
    if option is WARNING:
        check_warning(value)
    if option is STANDARD and not is_standard_of_c(value):
        check_standard(value)
    if option is AT_ONCE:
        jobs_at_once(value)
    return value
