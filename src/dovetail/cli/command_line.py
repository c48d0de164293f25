"""What a compiler's command line says, for the commands that compile."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dovetail.driver import choose_targets
from dovetail.driver import options as o
from dovetail.errors import UsageError
from dovetail.frontend import Flags, Source
from dovetail.postlink import SplitMode
from dovetail.targets import Target, default_table


@dataclass
class CommandLine:
    """The words, sorted."""

    inputs: list[str] = field(default_factory=list[str])
    values: dict[str, str] = field(default_factory=dict[str, str])
    """The last value of each option that counts once, by spelling."""
    macros: list[str] = field(default_factory=list[str])
    includes: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])
    device_config_files: list[str] = field(default_factory=list[str])

    @classmethod
    def read(cls, words: Sequence[str], options: Sequence[o.Option] = o.OPTIONS) -> "CommandLine":
        """Sort the words of a command line, if these are the options that there are."""
        line = cls()
        for given in o.read_options(words, options):
            line._take(given)
        return line

    def has(self, option: o.Option) -> bool:
        """Whether the option was given."""
        return option.spelling in self.values

    def sources(self) -> tuple[Source, ...]:
        """The sources, read."""
        if not self.inputs:
            raise UsageError("no source was given", hint="name at least one C++ file")
        return tuple(Source.from_file(path) for path in self.inputs)

    def output(self, option: o.Option, sources: Sequence[Source]) -> Path:
        """The file that an option names; a source is not to be written over."""
        output = Path(self.values[option.spelling])
        if any(output.exists() and output.samefile(source.path) for source in sources):
            raise UsageError(f"the output '{output}' is one of the sources")
        return output

    def flags(self, targets: tuple[Target, ...] | None = None) -> Flags:
        """What was said about the compilation; targets as given here, else as on the line."""
        defaults = Flags()
        return Flags(
            standard=self.values.get(o.STANDARD.spelling, defaults.standard),
            optimization=self.values.get(o.OPTIMIZATION.spelling, defaults.optimization),
            debug=self.has(o.DEBUG),
            macros=tuple(self.macros),
            include_directories=tuple(self.includes),
            warnings=tuple(self.warnings),
            aspects=self.values.get(o.ASPECTS.spelling, defaults.aspects),
            targets=self._targets() if targets is None else targets,
        )

    def target(self, option: o.Option) -> Target | None:
        """The target that an option names; what is odd about the user's files, `flags` says."""
        name = self.values.get(option.spelling)
        if name is None:
            return None
        if not self.device_config_files:
            return default_table()[name]
        # Only who has such a file pays for what reads it.
        from dovetail.targets.user_file import read_user_files

        table, _ = read_user_files(self.device_config_files, default_table())
        return table[name]

    def split(self) -> SplitMode:
        """Which kernels share an image."""
        return o.split_mode(self.values.get(o.CODE_SPLIT.spelling, "auto"))

    def _targets(self) -> tuple[Target, ...]:
        """What to build for; what is odd about it is said at once, before anything is compiled."""
        targets = self.values.get(o.TARGETS.spelling, ())
        choice = choose_targets(targets, self.device_config_files)
        for warning in choice.warnings:
            print(warning, file=sys.stderr)
        return choice.targets

    def _take(self, given: o.Given) -> None:
        option = given.option
        if option is None:
            self.inputs.append(given.value)
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
        else:
            self.values[option.spelling] = given.value
