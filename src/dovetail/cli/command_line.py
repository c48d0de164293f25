"""What a compiler's command line says, for the commands that compile."""

import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from dovetail.driver import Choice, choose_targets
from dovetail.driver import options as o
from dovetail.driver.choice import BackendOption
from dovetail.driver.inputs import check_unique_prefix, language_of
from dovetail.errors import UsageError
from dovetail.frontend import CXX, Flags, Source
from dovetail.postlink import OptionalFeatures, SplitMode
from dovetail.targets import Target, default_table

_NO_DEBUG = "0"
_XCLANG = "-Xclang"

_CLANGS_TOO = (
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
    *(option for option in o.OBJECT_OPTIONS if option is not o.XARCH_DEVICE),
)
"""What clang understands as we do."""


class Input(NamedTuple):
    """An input file, and the language that `-x` gave it, if any."""

    path: str
    language: str = ""


class CommandLine:
    """The words, sorted."""

    def __init__(self) -> None:
        self.inputs: list[str] = []
        self.values: dict[str, str] = {}
        """The last value of each option that counts once, by spelling."""
        self.macros: list[str] = []
        self.includes: list[str] = []
        self.warnings: list[str] = []
        self.device_config_files: list[str] = []
        self.language: list[str] = []
        """Clang's words for both sides, then for each, then for the linker, in order."""
        self.host: list[str] = []
        self.device: list[str] = []
        self.dependency_targets: list[str] = []
        """`-MT NAME` and `-MQ NAME`."""
        self.backend_options: list[BackendOption] = []
        self.linked: list[str | Input] = []
        """With all inputs in their places."""
        self.only_linked: list[tuple[str, ...]] = []
        """Those that nobody but the linker is told, with their values."""
        self.for_clang: list[str] = []
        """Everything but what is ours, as it was given."""

    @classmethod
    def read(
        cls,
        words: Sequence[str],
        options: Sequence[o.Option] = o.OPTIONS,
        unknown: o.Option | None = None,
    ) -> "CommandLine":
        """Sort the words of a command line, if these are the options that there are."""
        line = cls()
        for given in o.read_options(words, options, unknown):
            line._take(given)
        return line

    def has(self, option: o.Option) -> bool:
        """Whether the option was given."""
        return option.spelling in self.values

    def sources(self) -> tuple[Source, ...]:
        """All inputs as sources in C++, read."""
        if not self.inputs:
            raise UsageError("no source was given", hint="name at least one C++ file")
        # Whatever their names are.
        o.check_standard(self.values.get(o.STANDARD.spelling, Flags().standard))
        return tuple(Source.from_file(path) for path in self.inputs)

    def output(self, option: o.Option, inputs: Sequence[str]) -> Path:
        """The file that an option names; an input is not to be written over."""
        output = Path(self.values[option.spelling])
        if any(_are_one_file(output, Path(path)) for path in inputs):
            raise UsageError(f"the output '{output}' is one of the sources")
        return output

    def flags(self, targets: tuple[Target, ...] | None = None) -> Flags:
        """What was said about the compilation; targets as given here, else as on the line."""
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
            device=(*self.device, *_included_by_clang(self.host)),
        )

    def _has_cxx(self) -> bool:
        """Whether a source is in C++; objects and the like are not counted."""
        given = (each for each in self.linked if isinstance(each, Input))
        return any(language_of(each.path, each.language).startswith(CXX) for each in given)

    def _language(self) -> list[str]:
        is_fast = self.values.get(o.OPTIMIZATION.spelling) == o.FAST
        return [o.FAST_MATH, *self.language] if is_fast else self.language

    def target(self, option: o.Option) -> Target | None:
        """The target that an option names; what is odd about the user's files, `flags` says."""
        name = self.values.get(option.spelling)
        if name is None:
            return None
        if not self.device_config_files:
            return default_table()[name]
        # Only who has such a file pays for what reads it.
        from dovetail.targets.user_file import read_user_files

        return read_user_files(self.device_config_files, default_table()).table[name]

    def split(self) -> SplitMode:
        """Which kernels share an image."""
        return o.split_mode(self.values.get(o.CODE_SPLIT.spelling, "auto"))

    def features(self) -> OptionalFeatures:
        """How kernels that not every device can run are kept from the others."""
        default = OptionalFeatures.SPLIT
        return o.optional_features(self.values.get(o.OPTIONAL_FEATURES.spelling, default))

    @cached_property
    def choice(self) -> Choice:
        """What to build for; what is odd about it is said at once, before anything is compiled."""
        choice = choose_targets(
            self.values.get(o.TARGETS.spelling, ()),
            self.device_config_files,
            fixed=self.values.get(o.FIXED_TARGETS.spelling, ()),
            backend_options=self.backend_options,
        )
        for warning in choice.warnings:
            print(warning, file=sys.stderr)
        return choice

    @property
    def rdc(self) -> bool:
        """Whether device code of different sources is linked."""
        return not self.has(o.NO_RDC)

    def _unique_prefix(self) -> str:
        prefix = self.values.get(o.UNIQUE_PREFIX.spelling)
        if prefix is None:
            return ""
        check_unique_prefix(prefix)
        return prefix

    def _take(self, given: o.GivenOption) -> None:
        option = given.option
        if option is None or option.goes is not None or option in _CLANGS_TOO:
            self.for_clang += given.words
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
        elif option is o.XS:
            self.backend_options.append(BackendOption(given.value, None))
        elif option is o.BACKEND:
            self.backend_options.append(BackendOption(given.value))
        elif option is o.BACKEND_OF:
            name = given.words[0].removeprefix(option.spelling)
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
                self.host += given.words
            self.values[option.spelling] = given.value

    def _pass_on(self, given: o.GivenOption, goes: o.Goes) -> None:
        if goes & o.Goes.HOST and goes & o.Goes.DEVICE:
            self.language += given.words
        elif goes & o.Goes.HOST:
            self.host += given.words
        elif goes & o.Goes.DEVICE:
            self.device += given.words
        if goes & o.Goes.LINK:
            self.linked += given.words
        if goes is o.Goes.LINK:
            self.only_linked.append(given.words)


def _are_one_file(one: Path, other: Path) -> bool:
    # What is no plain file, such as /dev/null, can be both.
    return one.is_file() and other.exists() and one.samefile(other)


def _included_by_clang(host: Sequence[str]) -> Iterator[str]:
    """What `-Xclang -include -Xclang FILE` includes, for the device's side.

    CMake says so for headers that it precompiles, beside naming the precompiled one, which is the
    host's. Without `-Xclang`, clang would look for that one by itself.
    """
    values = [word for before, word in pairwise(host) if before == _XCLANG]
    for option, file in pairwise(values):
        if option == o.INCLUDE_FILE.spelling:
            yield from (_XCLANG, option, _XCLANG, file)
