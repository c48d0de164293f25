"""The options of the commands that compile, in clang's spelling.

Parsing, help texts and hints for misspelled options use this table. `clang_options` has the options
that `dovetail c++` only passes on to clang.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum, Flag, auto
from typing import NamedTuple

from dovetail.analysis import RULES
from dovetail.errors import UsageError, nearest
from dovetail.files import STREAM
from dovetail.passes import ASPECT_USE_MODES, OPTIMIZATION_LEVELS
from dovetail.postlink import OptionalFeatures, SplitMode


class Form(Enum):
    """How an option takes its value."""

    FLAG = auto()
    JOINED = auto()
    """`-std=c++20`: the value is part of the argument."""
    SEPARATE = auto()
    """`-isystem DIR`: the value is the next argument."""
    EITHER = auto()
    """`-IDIR` or `-I DIR`."""
    JOINED_AND_SEPARATE = auto()
    """`-Xsycl-target-backend=TARGET ARGS`: the word has the target, the next one the value."""
    LONG = auto()
    """`--targets=LIST` or `--targets LIST`."""


class Goes(Flag):
    """The invocations that receive a clang option which is passed on."""

    NOWHERE = 0
    HOST = auto()
    DEVICE = auto()
    LINK = auto()


class Option(NamedTuple):
    """An option of the command line."""

    spelling: str
    form: Form
    help: str = ""
    value: str = ""
    """The name of the value in the help text."""
    goes: Goes | None = None
    """Where the option is passed on; None for options that this driver handles itself."""

    def usage(self) -> str:
        """Return the option with its value, as the help text shows it."""
        is_long = self.form is Form.EITHER and len(self.spelling) > len("-I")
        space = " " if is_long or self.form in (Form.SEPARATE, Form.LONG) else ""
        return f"{self.spelling}{space}{self.value}"


FSYCL = Option("-fsycl", Form.FLAG, "compile SYCL")
FSYCLBIN = Option("-fsyclbin", Form.FLAG, "write only the device program, as a SYCLBIN file")
SHARED = Option("-shared", Form.FLAG, "write a shared library that programs can load at run time")
PIC = Option("-fPIC", Form.FLAG, "generate position-independent host code (always on)")
COMPILE = Option("-c", Form.FLAG, "compile to object files with host and device code; do not link")
ANY_LINKER = Option(
    "-fsycl-any-linker",
    Form.FLAG,
    "with -c: finish the device code of each source on its own, so that any linker can link the"
    " object with 'dovetail config --libs'",
)
SYNTAX_ONLY = Option(
    "-fsyntax-only", Form.FLAG, "check sources for host and devices; write nothing"
)
LANGUAGE = Option("-x", Form.EITHER, "the language of the inputs that follow", "LANG")
DEPENDENCIES = Option(
    "-MD", Form.FLAG, "write a make rule with the files that each object depends on"
)
USER_DEPENDENCIES = Option("-MMD", Form.FLAG, "like -MD, but without system headers")
DEPENDENCY_FILE = Option("-MF", Form.EITHER, "write the rule to FILE", "FILE")
DEPENDENCY_TARGET = Option("-MT", Form.EITHER, "the target of the rule", "NAME")
QUOTED_TARGET = Option("-MQ", Form.EITHER, "like -MT, but quoted for make", "NAME")
PHONY_RULES = Option("-MP", Form.FLAG, "add an empty rule for each header")
XARCH_HOST = Option("-Xarch_host", Form.SEPARATE, "pass ARG to the host compilation only", "ARG")
XARCH_DEVICE = Option("-Xarch_device", Form.SEPARATE, "pass ARG to device compilations only", "ARG")
STATIC = Option("-static", Form.FLAG)
DEVICE_ONLY = Option(
    "-fsycl-device-only",
    Form.FLAG,
    "compile only for devices, to bitcode as the front-end writes it; also with -S, -E and -M",
)
HOST_ONLY = Option("-fsycl-host-only", Form.FLAG, "compile only for the host")
HELP_OF_DPCPP = Option(
    "-fsycl-help", Form.FLAG, "show how Dovetail handles each DPC++ option, and exit"
)
PREPROCESS = Option("-E", Form.FLAG, "preprocess for the host")
ASSEMBLY = Option("-S", Form.FLAG, "write host assembly")
RELOCATABLE = Option("-r", Form.FLAG, "link objects and their device code into one object")
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
"""Options for modes that only clang handles, for the host."""
TARGETS = Option(
    "-fsycl-targets=",
    Form.JOINED,
    "comma-separated targets to build for (default: spir64); 'native': the devices of this machine",
    "LIST",
)
DEVICE_CONFIG_FILE = Option(
    "-fsycl-device-config-file=",
    Form.JOINED,
    "add or change targets from a YAML file; may be repeated",
    "FILE",
)
LONG_DEVICE_CONFIG_FILE = Option(
    "--device-config-file", Form.LONG, f"same as {DEVICE_CONFIG_FILE.spelling}", "FILE"
)
FIXED_TARGETS = Option(
    "-fsycl-fixed-targets=",
    Form.JOINED,
    "warn about kernels that one of these targets cannot run; the program is meant to run only on"
    " them",
    "LIST",
)
OFFLOAD_ARCH = Option(
    "--offload-arch=",
    Form.JOINED,
    "comma-separated architectures to build for, such as sm_80, gfx90a or pvc; also selects those"
    " of the targets nvptx64-nvidia-cuda and amdgcn-amd-amdhsa",
    "LIST",
)
XS = Option(
    "-Xs",
    Form.EITHER,
    "pass arguments to all ahead-of-time compilers; -XsNAME is -Xs -NAME",
    "ARGS",
)
BACKEND = Option(
    "-Xsycl-target-backend",
    Form.SEPARATE,
    "pass arguments to the ahead-of-time compiler of the only target",
    "ARGS",
)
BACKEND_OF = Option(
    "-Xsycl-target-backend=",
    Form.JOINED_AND_SEPARATE,
    "pass arguments to the ahead-of-time compiler of TARGET",
    "TARGET ARGS",
)
FRONTEND = Option(
    "-Xsycl-target-frontend",
    Form.SEPARATE,
    "pass arguments to the device compilations, as -Xarch_device does",
    "ARGS",
)
FRONTEND_OF = Option(
    "-Xsycl-target-frontend=",
    Form.JOINED_AND_SEPARATE,
    "pass arguments to the device compilations if all are of TARGET's IR family; ignored if none"
    " is, an error if only some are",
    "TARGET ARGS",
)
HOST_COMPILER_OPTIONS = Option(
    "-fsycl-host-compiler-options=",
    Form.JOINED,
    "pass arguments to the host compilations, as -Xarch_host does",
    "ARGS",
)
UNIQUE_PREFIX = Option(
    "-fsycl-unique-prefix=",
    Form.JOINED,
    "prefix of unique names in a source's device code (default: a digest of its path and content)",
    "NAME",
)
RDC = Option("-fsycl-rdc", Form.FLAG, "link device code of different sources (the default)")
NO_RDC = Option(
    "-fno-sycl-rdc", Form.FLAG, "do not link device code of different sources and objects"
)
OUTPUT = Option("-o", Form.EITHER, "write the output to FILE", "FILE")
OPTIMIZATION = Option(
    "-O",
    Form.JOINED,
    "optimization level: 0, 1, 2 (default), 3, s, z, g or fast; at least 1 for device code",
    "LEVEL",
)
DEBUG = Option(
    "-g",
    Form.JOINED,
    "generate debug information for host code (none in SPIR-V)",
    "[KIND]",
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
    "what counts as a use of an aspect: every use in the source (written, the default), or only"
    " uses that are left after optimization (optimized)",
    "written|optimized",
)
CODE_SPLIT = Option(
    "-fsycl-device-code-split=",
    Form.JOINED,
    "which kernels with equal requirements share an image: per_source: those of one source; auto"
    " (default): the same, or as off if there are indirect calls; off: all; per_kernel: none",
    "auto|per_source|per_kernel|off",
)
OPTIONAL_FEATURES = Option(
    "-fsycl-optional-features=",
    Form.JOINED,
    "how to separate code that not every device can run: in several images (split, the default;"
    " best if kernels share little code), or in one image under conditions that are resolved for"
    " each device (conditional; smaller files if there are many feature sets, shared functions or"
    " uses of if_device_has). NVIDIA and AMD targets always use split",
    "split|conditional",
)
DEVICE_IF = Option(
    "-fsycl-device-if=",
    Form.JOINED,
    "what resolves if_device_has and if_architecture_is: later build steps or the runtime (calls,"
    " the default), or the preprocessor, with one device compilation per target (macros)",
    "calls|macros",
)
DEVICE_IF_RESOLVE = Option(
    "-fsycl-device-if-resolve=",
    Form.JOINED,
    "when ahead-of-time builds resolve conditions: before optimization, with one device"
    " compilation per target (early, the default for one target), or after linking (late, the"
    " default for several)",
    "early|late",
)
KEEP_GOING = Option(
    "-fsycl-keep-going",
    Form.FLAG,
    "if ahead-of-time compilers fail on some code, write the program without that code",
)
WARNING = Option(
    "-W",
    Form.JOINED,
    "enable or disable a warning of clang or Dovetail, such as sycl-undeclared-aspect",
    "NAME",
)
NO_WARNINGS = Option("-w", Form.FLAG, "suppress all warnings")
DRY_RUN = Option("-###", Form.FLAG, "print the steps of the build without running them")
VERBOSE = Option("-v", Form.FLAG, "print each step before it runs")
PRINT_PHASES = Option(
    "-ccc-print-phases", Form.FLAG, "print the graph of build steps without running them"
)
SAVE_TEMPS = Option(
    "-save-temps", Form.FLAG, "keep the result of every step, in the working directory"
)
SAVE_TEMPS_IN = Option(
    "-save-temps=",
    Form.JOINED,
    "keep them in the working directory (cwd), next to the output (obj), or in a folder",
    "cwd|obj|DIR",
)
TIME_REPORT = Option("-ftime-report", Form.FLAG, "print the time that each step took")
TIME_REPORT_JSON = Option("-ftime-report=json", Form.FLAG, "print it as one line of JSON")
PARALLELISM = Option("-j", Form.EITHER, "run N jobs in parallel (default: one per core)", "N")
HELP = Option("--help", Form.FLAG, "show this help")
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
"""Names of standards before their publication, which build systems still use."""

_OTHER_LEVELS = {"": "1", "g": "1", "fast": "3"}
"""The equivalent levels of clang's other spellings."""

_WARNINGS_OF_DPCPP = frozenset(
    (
        "sycl-2017-compat",
        "sycl-2020-compat",
        "sycl-native-cpu-targets",
        "sycl-strict",
        "sycl-target",
    )
)
"""Accepted, and not passed to clang, which would warn that it does not know them."""

_HIGHEST_LEVEL = 3
"""Larger numbers mean this level."""

FAST = "fast"
FAST_MATH = "-ffast-math"

OBJECT_OPTIONS = (
    COMPILE,
    ANY_LINKER,
    SYNTAX_ONLY,
    PREPROCESS,
    ASSEMBLY,
    RELOCATABLE,
    DEVICE_ONLY,
    HOST_ONLY,
    HELP_OF_DPCPP,
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
"""Only for `dovetail c++`."""

OPTIONS = (
    FSYCL,
    FSYCLBIN,
    SHARED,
    PIC,
    TARGETS,
    DEVICE_CONFIG_FILE,
    FIXED_TARGETS,
    OFFLOAD_ARCH,
    XS,
    BACKEND,
    BACKEND_OF,
    FRONTEND,
    FRONTEND_OF,
    HOST_COMPILER_OPTIONS,
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
    PARALLELISM,
    HELP,
    VERSION,
)


class GivenOption(NamedTuple):
    """An option with its value, or an input file, of a command line."""

    option: Option | None
    """None for an input file."""
    value: str
    args: tuple[str, ...] = ()
    """The arguments as given."""


class UnknownOption(UsageError):
    """A command line has an option that the command does not have."""


SEPARATE_FORMS = (Form.SEPARATE, Form.EITHER, Form.LONG, Form.JOINED_AND_SEPARATE)
"""The value may or must be the next word."""
_JOINED_FORMS = (Form.JOINED, Form.EITHER, Form.JOINED_AND_SEPARATE)


def read_options(
    args: Sequence[str], options: Sequence[Option] = OPTIONS, unknown: Option | None = None
) -> Iterator[GivenOption]:
    """Parse a command line with these options.

    Unknown options are returned as the option `unknown`, or are errors if it is None.
    """
    rest = iter(args)
    for arg in rest:
        if arg == "--":
            yield from (GivenOption(None, name, (name,)) for name in rest)
            return
        if arg == STREAM or not arg.startswith("-"):
            yield GivenOption(None, arg, (arg,))
            continue
        option = _find(arg, options)
        # Clang has few SYCL options, so an unknown one is probably a misspelled option of Dovetail.
        if option is None and not arg.startswith(FSYCL.spelling):
            option = unknown
        if option is None:
            hint = nearest(arg, [option.spelling for option in options])
            raise UnknownOption(f"unknown option '{arg}'", hint=hint or "--help lists the options")
        value, used = arg[len(option.spelling) :], (arg,)
        if option.form is Form.LONG:
            value = value.removeprefix("=")
        if option.form is Form.JOINED_AND_SEPARATE:
            value = ""
        if option.form in SEPARATE_FORMS and not value:
            value = next(rest, "")
            used = (arg, value)
            if not value:
                raise UsageError(
                    f"'{option.spelling}' needs a value", hint=f"usage: {option.usage()}"
                )
        yield GivenOption(option, _checked(option, value), used)


def is_standard_of_c(standard: str) -> bool:
    """Whether the standard is for sources in C, which are compiled only for the host."""
    return bool(_STANDARD_OF_C.match(standard))


def check_standard(standard: str) -> None:
    """Raise `UsageError` for standards before C++17, which SYCL 2020 requires."""
    year = standard.removeprefix("gnu++").removeprefix("c++")
    if year not in (*STANDARDS, *_EARLY_STANDARDS):
        known = ", ".join(f"c++{year}" for year in STANDARDS)
        raise UsageError(
            f"unsupported standard '{standard}' for SYCL",
            hint=f"use one of {known}, or gnu++ forms",
        )


def optimization_level(value: str) -> str:
    """Return the level that `-O` with this value means."""
    if _is_number(value):
        return str(min(int(value), _HIGHEST_LEVEL))
    return _OTHER_LEVELS.get(value, value)


def level_remark(value: str) -> tuple[str, str]:
    """Return clang's remark on a level that it treats as another, and the warning's name."""
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


def parallel_jobs(value: str) -> int:
    """Return the value of `-j`."""
    if not _is_number(value) or int(value) < 1:
        raise UsageError(
            f"'-j {value}': expected a positive number",
            hint="leave it out for one job per core",
        )
    return int(value)


def check_aspect_use_mode(mode: str) -> None:
    """Raise `UsageError` for an unknown value of `-fsycl-aspects=`."""
    if mode not in ASPECT_USE_MODES:
        raise UsageError(
            f"invalid value '{mode}' in '{ASPECTS.spelling}{mode}'",
            hint=f"use one of {', '.join(ASPECT_USE_MODES)}",
        )


def split_mode(word: str) -> SplitMode:
    """Return the mode that a value of `-fsycl-device-code-split=` names."""
    if word not in _SPLIT_MODES:
        raise UsageError(
            f"invalid value '{word}' in '{CODE_SPLIT.spelling}{word}'",
            hint=nearest(word, _SPLIT_MODES) or f"use one of {', '.join(_SPLIT_MODES)}",
        )
    return _SPLIT_MODES[word]


def optional_features(word: str) -> OptionalFeatures:
    """Return what a value of `-fsycl-optional-features=` names."""
    check_one_of(OPTIONAL_FEATURES, word)
    return OptionalFeatures(word)


def check_one_of(option: Option, value: str) -> None:
    """Raise `UsageError` unless the value is one of those that the option lists."""
    known = option.value.split("|")
    if value not in known:
        raise UsageError(
            f"invalid value '{value}' in '{option.spelling}{value}'",
            hint=nearest(value, known) or f"use one of {', '.join(known)}",
        )


def is_warning_of_dpcpp(argument: str) -> bool:
    """Return whether the value of `-W` is a warning of DPC++ that Dovetail does not have."""
    return _warning_name(argument) in _WARNINGS_OF_DPCPP


def check_warning(argument: str) -> None:
    """Raise `UsageError` for a misspelled warning of Dovetail: clang would not diagnose it."""
    name = _warning_name(argument)
    if name.startswith("sycl-") and name not in RULES and not is_warning_of_dpcpp(argument):
        raise UsageError(f"unknown warning '{name}'", hint=nearest(name, RULES))


def _warning_name(argument: str) -> str:
    return argument.rpartition("=")[2].removeprefix("no-")


def _find(word: str, options: Sequence[Option]) -> Option | None:
    """Return the option that a word begins, or None."""
    fitting = [
        option
        for option in options
        if word == option.spelling
        or (option.form in _JOINED_FORMS and word.startswith(option.spelling))
        or (option.form is Form.LONG and word.startswith(f"{option.spelling}="))
    ]
    # The longest match wins: -include, not -I.
    return max(fitting, key=lambda option: len(option.spelling), default=None)


def _checked(option: Option, value: str) -> str:
    """Return the value of an option; raise `UsageError` if it is invalid."""
    if option is OPTIMIZATION and optimization_level(value) not in OPTIMIZATION_LEVELS:
        raise UsageError(f"unknown optimization level '{value}'", hint=option.help)
    if option is ASPECTS:
        check_aspect_use_mode(value)
    if option is CODE_SPLIT:
        split_mode(value)
    if option in (OPTIONAL_FEATURES, DEVICE_IF, DEVICE_IF_RESOLVE):
        check_one_of(option, value)
    if option is WARNING:
        check_warning(value)
    if option is STANDARD and not is_standard_of_c(value):
        check_standard(value)
    if option is PARALLELISM:
        parallel_jobs(value)
    return value
