"""`dovetail c++`: build a program from C++ sources."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dovetail.cli.progress import Progress
from dovetail.driver import BuildRequest, Job, build_program, dry_run
from dovetail.driver import options as o
from dovetail.errors import UsageError
from dovetail.frontend import DeviceFlags, Source
from dovetail.version import VERSION


@dataclass
class _CommandLine:
    """What the words said."""

    inputs: list[str] = field(default_factory=list[str])
    values: dict[str, str] = field(default_factory=dict[str, str])
    """The last value of each option that counts once, by spelling."""
    macros: list[str] = field(default_factory=list[str])
    includes: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])

    def has(self, option: o.Option) -> bool:
        return option.spelling in self.values


def run(words: Sequence[str]) -> int:
    """See `dovetail c++ --help`."""
    line = _read(words)
    if line.has(o.HELP):
        print(help_text())
        return 0
    if line.has(o.VERSION):
        print(f"dovetail {VERSION}")
        return 0
    request = _request(line)
    if line.has(o.DRY_RUN):
        for job in dry_run(request):
            print(job, file=sys.stderr)
        return 0
    with Progress() as progress:
        listener = _print_job if line.has(o.VERBOSE) else progress.show_job
        results = build_program(request, listener)
    for message in results.warnings:
        print(message, file=sys.stderr)
    return 0


def help_text() -> str:
    """What `dovetail c++ --help` prints."""
    rows = "\n".join(f"  {option.usage():<20} {option.help}" for option in o.OPTIONS)
    return f"""\
usage: dovetail c++ -fsycl -fsyclbin [OPTION]... SOURCE... -o FILE

Compile SYCL sources and write their kernels as one program file, which
'dovetail inspect' shows and dovetail.load() runs.

options:
{rows}"""


def _read(words: Sequence[str]) -> _CommandLine:
    line = _CommandLine()
    for given in o.read_options(words):
        option = given.option
        if option is None:
            line.inputs.append(given.value)
        elif option in (o.DEFINE, o.UNDEFINE):
            line.macros.append(option.spelling + given.value)
        elif option is o.INCLUDE_FOLDER:
            line.includes.append(option.spelling + given.value)
        elif option in (o.SYSTEM_FOLDER, o.INCLUDE_FILE):
            line.includes += [option.spelling, given.value]
        elif option is o.WARNING:
            line.warnings.append(option.spelling + given.value)
        else:
            line.values[option.spelling] = given.value
    return line


def _request(line: _CommandLine) -> BuildRequest:
    if not (line.has(o.FSYCL) and line.has(o.FSYCLBIN)):
        raise UsageError(
            "only device programs can be built today",
            hint="dovetail c++ -fsycl -fsyclbin SOURCE... -o FILE",
        )
    if not line.inputs:
        raise UsageError("no source was given", hint="name at least one C++ file")
    if not line.has(o.OUTPUT):
        raise UsageError("no output was named", hint="add -o FILE")
    defaults = DeviceFlags()
    flags = DeviceFlags(
        standard=line.values.get(o.STANDARD.spelling, defaults.standard),
        optimization=line.values.get(o.OPTIMIZATION.spelling, defaults.optimization),
        debug=line.has(o.DEBUG),
        macros=tuple(line.macros),
        include_directories=tuple(line.includes),
        warnings=tuple(line.warnings),
    )
    sources = tuple(Source.from_file(path) for path in line.inputs)
    return BuildRequest(sources, flags, Path(line.values[o.OUTPUT.spelling]))


def _print_job(job: Job) -> None:
    print(job, file=sys.stderr)
