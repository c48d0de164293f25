"""The command line of the commands that compile."""

import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from dovetail.driver import TargetChoice, choose_targets, options as o
from dovetail.driver.backend_option import BackendOption, split_words
from dovetail.driver.dpcpp_options import BY_SPELLING, DpcppOption, Treatment
from dovetail.driver.inputs import check_unique_prefix, language_of
from dovetail.errors import UsageError
from dovetail.frontend import CXX, Flags, Source
from dovetail.postlink import OptionalFeatures, SplitMode
from dovetail.targets import Target, default_table

_NO_DEBUG = "0"
_XCLANG = "-Xclang"

_ALSO_FOR_CLANG = (
    o.OUTPUT,
    o.OPTIMIZATION,
    o.DEBUG,
    o.STANDARD,
    o.DEFINE,
    o.UNDEFINE,
    o.INCLUDE_FOLDER,
    o.SYSTEM_FOLDER,
    o.INCLUDE_FILE,
    o.WARNING,
    o.NO_WARNINGS,
    o.VERBOSE,
    o.DRY_RUN,
    o.PRINT_PHASES,
    o.SAVE_TEMPS,
    o.SAVE_TEMPS_IN,
    o.TIME_REPORT,
    *o.HOST_MODES,
    *(
        each
        for each in o.OBJECT_OPTIONS
        if each not in (o.XARCH_DEVICE, o.DEVICE_ONLY, o.HOST_ONLY, o.ANY_LINKER)
    ),
)
"""Options with the same meaning in clang."""


class Input(NamedTuple):
    """An input file, and the language from `-x`, if any."""

    path: str
    language: str = ""


class CommandLine:
    """A parsed command line."""

    def __init__(self) -> None:
        self.inputs: list[str] = []
        self.values: dict[str, str] = {}
        """The last value of each option that counts once, by spelling."""
        self.macros: list[str] = []
        self.includes: list[str] = []
        self.warnings: list[str] = []
        self.device_config_files: list[str] = []
        self.language: list[str] = []
        """Clang options for both host and device compilations, in order."""
        self.host: list[str] = []
        """Clang options for host compilations."""
        self.device: list[str] = []
        """Clang options for device compilations."""
        self.dependency_targets: list[str] = []
        """`-MT NAME` and `-MQ NAME`."""
        self.backend_options: list[BackendOption] = []
        self.frontend_options: list[BackendOption] = []
        self.architectures: list[str] = []
        """The values of `--offload-arch=`."""
        self.unused: list[tuple[str, str]] = []
        """Options of DPC++ without effect, each with the reason."""
        self.linked: list[str | Input] = []
        """Linker arguments, with all inputs in their places."""
        self.only_linked: list[tuple[str, ...]] = []
        """Options only for the linker, each with its value."""
        self.for_clang: list[str] = []
        """All arguments as given, except Dovetail's own options."""

    @classmethod
    def read(
        cls,
        args: Sequence[str],
        options: Sequence[o.Option] = o.OPTIONS,
        unknown: o.Option | None = None,
    ) -> "CommandLine":
        """Parse a command line with these options."""
        line = cls()
        line._read(args, options, unknown)
        return line

    def _read(
        self, args: Sequence[str], options: Sequence[o.Option], unknown: o.Option | None
    ) -> None:
        """Add all options to this object; replace or refuse those of DPC++."""
        for given in o.read_options(args, options, unknown):
            row = _row_of_dpcpp(given)
            if given.option is o.WARNING and o.is_warning_of_dpcpp(given.value):
                continue
            if row is None:
                self._add(given)
            elif row.treatment is Treatment.REPLACED:
                self._read(row.replacement(given.value), options, unknown)
            elif row.treatment is Treatment.REFUSED:
                raise UsageError(
                    f"'{' '.join(given.args)}' is not supported: {row.note}", hint=row.hint
                )
            elif row.treatment is Treatment.UNUSED:
                self.unused.append((" ".join(given.args), row.note))

    def has(self, option: o.Option) -> bool:
        """Return whether the option was given."""
        return option.spelling in self.values

    @property
    def is_dry_run(self) -> bool:
        """Whether only phases or jobs are printed."""
        return self.has(o.PRINT_PHASES) or self.has(o.DRY_RUN)

    def sources(self) -> tuple[Source, ...]:
        """Read all inputs as C++ sources, whatever their names."""
        if not self.inputs:
            raise no_inputs()
        o.check_standard(self.values.get(o.STANDARD.spelling, Flags().standard))
        return tuple(Source.from_file(path) for path in self.inputs)

    def output(self, option: o.Option, inputs: Sequence[str]) -> Path:
        """Return the file that an option names; raise `UsageError` if it is an input."""
        output = Path(self.values[option.spelling])
        if any(_are_one_file(output, Path(path)) for path in inputs):
            spelling = option.spelling.rstrip("=")
            raise UsageError(
                f"'{spelling}' would overwrite the input '{output}'", hint="choose another file"
            )
        return output

    def flags(self, targets: tuple[Target, ...] | None = None) -> Flags:
        """Return the compilation's flags, for these targets or those of the command line."""
        defaults = Flags()
        standard = self.values.get(o.STANDARD.spelling, defaults.standard)
        is_for_c = o.is_standard_of_c(standard)
        if is_for_c and self._has_cxx():
            o.check_standard(standard)
        return Flags(
            standard=defaults.standard if is_for_c else standard,
            c_standard=standard if is_for_c else "",
            optimization=o.optimization_level(
                self.values.get(o.OPTIMIZATION.spelling, defaults.optimization)
            ),
            debug=self.values.get(o.DEBUG.spelling, _NO_DEBUG) != _NO_DEBUG,
            macros=tuple(self.macros),
            include_directories=tuple(self.includes),
            warnings=tuple(self.warnings),
            aspects=self.values.get(o.ASPECTS.spelling, defaults.aspects),
            targets=self.choice.targets if targets is None else targets,
            fixed_targets=self.choice.fixed if targets is None else (),
            configured_targets=self.choice.configured if targets is None else (),
            unique_prefix=self._unique_prefix(),
            device_if=self.values.get(o.DEVICE_IF.spelling, defaults.device_if),
            device_if_resolve=self.values.get(
                o.DEVICE_IF_RESOLVE.spelling, defaults.device_if_resolve
            ),
            language=tuple(self._language()),
            host=tuple(self.host),
            device=(*self.device, *self._frontend_words(), *_included_by_clang(self.host)),
        )

    def _has_cxx(self) -> bool:
        """Return whether a source is in C++; objects and libraries are ignored."""
        given = (each for each in self.linked if isinstance(each, Input))
        return any(language_of(each.path, each.language).startswith(CXX) for each in given)

    def _language(self) -> list[str]:
        is_fast = self.values.get(o.OPTIMIZATION.spelling) == o.FAST
        return [o.FAST_MATH, *self.language] if is_fast else self.language

    def _frontend_words(self) -> Iterator[str]:
        """Yield the words of `-Xsycl-target-frontend`."""
        for option in self.frontend_options:
            yield from self.choice.frontend_words(option)

    def target(self, option: o.Option) -> Target | None:
        """Return the target that an option names; None if the option is not given.

        Warnings about user files are left to `flags`.
        """
        name = self.values.get(option.spelling)
        if name is None:
            return None
        if not self.device_config_files:
            return default_table()[name]
        # Imported late: most commands have no such files.
        from dovetail.targets.user_file import read_user_files

        return read_user_files(self.device_config_files, default_table()).table[name]

    def split(self) -> SplitMode:
        """Return the mode of device code splitting."""
        return o.split_mode(self.values.get(o.CODE_SPLIT.spelling, "auto"))

    def features(self) -> OptionalFeatures:
        """Return how code that not every device can run is separated."""
        default = OptionalFeatures.SPLIT
        return o.optional_features(self.values.get(o.OPTIONAL_FEATURES.spelling, default))

    @cached_property
    def choice(self) -> TargetChoice:
        """The targets and their options; warnings are printed before anything is compiled."""
        choice = choose_targets(
            # An empty list comes from an unset variable of a makefile.
            self.values.get(o.TARGETS.spelling) or (),
            self.device_config_files,
            fixed=self.values.get(o.FIXED_TARGETS.spelling, ()),
            backend_options=self.backend_options,
            architectures=self.architectures,
        )
        for warning in choice.warnings:
            print(warning, file=sys.stderr)
        return choice

    @property
    def rdc(self) -> bool:
        """Whether device code of different sources is linked together."""
        return not self.has(o.NO_RDC)

    def _unique_prefix(self) -> str:
        prefix = self.values.get(o.UNIQUE_PREFIX.spelling)
        if prefix is None:
            return ""
        check_unique_prefix(prefix)
        return prefix

    def _add(self, given: o.GivenOption) -> None:
        """Record an option or an input file."""
        option = given.option
        if option is None or option.goes is not None or option in _ALSO_FOR_CLANG:
            self.for_clang += given.args
        if option is None:
            language = self.values.get(o.LANGUAGE.spelling, "")
            self.inputs.append(given.value)
            self.linked.append(Input(given.value, language))
        elif option.goes is not None:
            self._pass_on(given, option.goes)
        elif option in (o.DEFINE, o.UNDEFINE):
            self.macros.append(option.spelling + given.value)
        elif option is o.INCLUDE_FOLDER:
            self.includes.append(option.spelling + given.value)
        elif option in (o.SYSTEM_FOLDER, o.INCLUDE_FILE):
            self.includes += [option.spelling, given.value]
        elif option in (o.WARNING, o.NO_WARNINGS):
            self.warnings.append(option.spelling + given.value)
        elif option in (o.DEVICE_CONFIG_FILE, o.LONG_DEVICE_CONFIG_FILE):
            self.device_config_files.append(given.value)
        elif option is o.OFFLOAD_ARCH:
            self.architectures.append(given.value)
        elif option is o.XS:
            # DPC++ has the short form -XsNAME for -Xs -NAME.
            words = given.value if len(given.args) > 1 else f"-{given.value}"
            self.backend_options.append(BackendOption(words, None))
        elif option is o.FRONTEND:
            self.frontend_options.append(BackendOption(given.value, "", option.spelling))
        elif option is o.FRONTEND_OF:
            name = given.args[0].removeprefix(option.spelling)
            self.frontend_options.append(BackendOption(given.value, name, o.FRONTEND.spelling))
        elif option is o.HOST_COMPILER_OPTIONS:
            self.host += split_words(given.value, option.spelling)
        elif option is o.BACKEND:
            self.backend_options.append(BackendOption(given.value))
        elif option is o.BACKEND_OF:
            name = given.args[0].removeprefix(option.spelling)
            self.backend_options.append(BackendOption(given.value, name))
        elif option is o.RDC:
            self.values.pop(o.NO_RDC.spelling, None)
        elif option is o.XARCH_HOST:
            self.host.append(given.value)
        elif option is o.XARCH_DEVICE:
            self.device.append(given.value)
        elif option in (o.DEPENDENCY_TARGET, o.QUOTED_TARGET):
            self.dependency_targets += [option.spelling, given.value]
        else:
            if option is o.DEBUG and given.value:
                self.host += given.args
            self.values[option.spelling] = given.value

    def _pass_on(self, given: o.GivenOption, goes: o.Goes) -> None:
        """Record an option of clang for the invocations that receive it."""
        if goes & o.Goes.HOST and goes & o.Goes.DEVICE:
            self.language += given.args
        elif goes & o.Goes.HOST:
            self.host += given.args
        elif goes & o.Goes.DEVICE:
            self.device += given.args
        if goes & o.Goes.LINK:
            self.linked += given.args
        if goes is o.Goes.LINK:
            self.only_linked.append(given.args)


def no_inputs() -> UsageError:
    """Return the error for a command line without inputs."""
    return UsageError("no input files", hint="name at least one C++ source")


def _row_of_dpcpp(given: o.GivenOption) -> DpcppOption | None:
    """Return the row for an option that only DPC++ has, even after `-Xclang`."""
    if given.option is None:
        return None
    spelling = given.value if given.option.spelling == _XCLANG else given.option.spelling
    return BY_SPELLING.get(spelling)


def _are_one_file(one: Path, other: Path) -> bool:
    # Special files such as /dev/null can be both input and output.
    return one.is_file() and other.exists() and one.samefile(other)


def _included_by_clang(host: Sequence[str]) -> Iterator[str]:
    """Yield `-Xclang -include -Xclang FILE` options, for device compilations.

    CMake uses them for headers that it precompiles, and names the host's precompiled header
    separately. Without `-Xclang`, clang would search for a precompiled header itself.
    """
    values = [arg for before, arg in pairwise(host) if before == _XCLANG]
    for option, file in pairwise(values):
        if option == o.INCLUDE_FILE.spelling:
            yield from (_XCLANG, option, _XCLANG, file)
