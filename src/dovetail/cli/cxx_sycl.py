"""`dovetail c++ -fsycl`: compile and link SYCL."""

import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path, PurePath
from typing import NoReturn

from dovetail.analysis import without_dovetail_warnings
from dovetail.cli.command_line import CommandLine, Input, no_inputs
from dovetail.cli.command_line_warnings import command_line_warnings
from dovetail.cli.diagnostics import print_diagnostics
from dovetail.cli.execution_options import execution_options
from dovetail.cli.jobs import print_dry_run
from dovetail.codegen import CodeRefused
from dovetail.driver import (
    BuildRequest,
    Built,
    ExecutionOptions,
    LinkLine,
    ObjectRequest,
    RunRequest,
    build_executable,
    build_objects,
    build_program,
    options as o,
)
from dovetail.driver.clang_options import CLANG_OPTIONS, UNKNOWN
from dovetail.driver.dpcpp_options import OPTIONS_OF_DPCPP
from dovetail.driver.inputs import language_of
from dovetail.errors import InputError, UsageError
from dovetail.files import STREAM
from dovetail.frontend import Dependencies, Flags, Side, Source, common_options
from dovetail.printable import visible
from dovetail.processes.response_file import replace_process
from dovetail.targets.ir_family import by_ir_family

OPTIONS = (
    *o.OPTIONS,
    *o.OBJECT_OPTIONS,
    *o.HOST_MODES,
    o.STATIC,
    *CLANG_OPTIONS,
    *OPTIONS_OF_DPCPP,
)

_DEFAULT_PROGRAM, _DEFAULT_SYCLBIN = "a.out", "a.syclbin"

_OTHER_MODES = ("-m32", "-mx32", "-m16")
"""Options that select another host architecture."""

_HEADER = "-header"
"""The suffix of clang's languages for headers to be precompiled."""


def run_sycl(args: Sequence[str]) -> int:
    """Run a command line with `-fsycl`, and return the exit status."""
    line = CommandLine.read(args, OPTIONS, UNKNOWN)
    if line.has(o.DEVICE_ONLY) and line.inputs:
        _exec_device_clang(line)
    if _is_for_clang(line):
        _exec_host_clang(line)
    _check_conflicts(line)
    _check_host_target(line)
    for warning in command_line_warnings(line):
        print(warning, file=sys.stderr)
    request = _request(line)
    if line.is_dry_run:
        print_dry_run(line, request)
        return 0
    _check_output_folders(line, request)
    with execution_options(line, request) as options:
        built = _build(request, options)
        if built.warnings:
            print_diagnostics(built.warnings)
    if built.failures:
        raise CodeRefused(built.failures, advice="the program was written without that code")
    return 0


def help_text() -> str:
    """Return the output of `dovetail c++ --help`."""
    from dovetail.cli.arguments import EXIT_STATUS, help_rows

    options = help_rows((each.usage(), each.help) for each in (*o.OPTIONS, *o.OBJECT_OPTIONS))
    return f"""\
usage: dovetail c++ -fsycl [OPTION]... INPUT... [-o FILE]
       dovetail c++ [OPTION]... INPUT...

Compile and link C++ and SYCL. Without -fsycl, this command is clang. With it,
sources are compiled for host and devices, linked with objects and libraries,
and written as one executable file, which runs as ./FILE or with
'dovetail run FILE'. Running it requires Dovetail's runtime, but no compiler.
All options of clang are accepted and passed to the compilations and linkers
that they affect. Dovetail itself handles the options below. Those of DPC++ are
accepted too: -fsycl-help shows how Dovetail handles each DPC++ option.

With -c, write object files with host and device code, which this command links,
directly or in archives.

With -shared, write a shared library, to be linked or loaded with dlopen().
Kernels of programs and libraries can call each other's SYCL_EXTERNAL functions.

With -fsyclbin, write only the device program, for 'dovetail inspect' and
dovetail.load().

examples:
  dovetail c++ -fsycl -O3 main.cpp kernels.cpp -o app
  dovetail c++ -fsycl -c -MD main.cpp && dovetail c++ -fsycl main.o -lm -o app
  dovetail c++ -fsycl -shared plugin.cpp -o libplugin.so
  dovetail c++ -fsycl -fsyclbin k.cpp -o k.syclbin
  dovetail c++ -fsycl -fsycl-targets=native main.cpp -o app
  CXX=dovetail-c++ cmake -B build

options:
{options}

{EXIT_STATUS}"""


def _is_for_clang(line: CommandLine) -> bool:
    """Return whether clang handles the command for the host only, such as -E or -print-..."""
    languages = [language_of(i.path, i.language) for i in _inputs(line) if i.path != STREAM]
    if any(language.endswith(_HEADER) for language in languages):
        return True
    is_query = line.has(o.VERBOSE) and not line.inputs
    return is_query or any(line.has(mode) for mode in (o.HOST_ONLY, *o.HOST_MODES))


def _exec_host_clang(line: CommandLine) -> NoReturn:
    """Replace this process by clang for the host, with the SYCL headers."""
    clang, *base = common_options(Side.HOST)
    args = without_dovetail_warnings(line.for_clang)
    if line.has(o.RELOCATABLE):
        # With -fsycl, clang would run its own SYCL linker, which does not support our objects.
        replace_process([clang, "-fuse-ld=lld", *args])
    if line.has(o.STANDARD) or not all(_is_cxx(each) for each in _inputs(line)):
        replace_process([clang, *base, *args])
    # The user's options come later and take precedence.
    defaults = Flags()
    replace_process(
        [clang, *base, f"-std={defaults.standard}", f"-O{defaults.optimization}", *args]
    )


def _exec_device_clang(line: CommandLine) -> NoReturn:
    """Compile only for devices, of the first target's IR family."""
    flags = line.flags()
    family = next(iter(by_ir_family(flags.targets)))
    modes = [mode.spelling for mode in (*o.HOST_MODES, o.SYNTAX_ONLY) if line.has(mode)]
    kind = modes or [o.COMPILE.spelling]
    if kind in ([o.COMPILE.spelling], [o.ASSEMBLY.spelling]):
        kind.append("-emit-llvm")
    named = (o.OUTPUT, o.DEPENDENCY_FILE)
    files = [word for each in named if line.has(each) for word in _given(line, each)]
    dependencies = _dependencies(line)
    depends = (*filter(None, [dependencies.mode]), *dependencies.others, *dependencies.targets)
    sources = [
        word
        for each in _inputs(line)
        if _is_cxx(each)
        for word in ("-x", language_of(each.path, each.language), each.path)
    ]
    options = (*common_options(Side.DEVICE, family), *flags.options(Side.DEVICE, family))
    replace_process([*options, *kind, *depends, *files, *sources])


def _given(line: CommandLine, option: o.Option) -> tuple[str, str]:
    return option.spelling, line.values[option.spelling]


def _is_cxx(given: Input) -> bool:
    return language_of(given.path, given.language).startswith("c++")


def _inputs(line: CommandLine) -> list[Input]:
    return [each for each in line.linked if isinstance(each, Input)]


def _check_conflicts(line: CommandLine) -> None:
    """Raise `UsageError` if options cannot be combined."""
    if line.has(o.STATIC):
        raise UsageError(
            "-static is not supported with -fsycl: the runtime loads the program",
            hint="link single libraries statically: -l:libNAME.a, -static-libstdc++",
        )
    if line.has(o.FSYCLBIN) and line.has(o.SHARED):
        raise UsageError(
            "-fsyclbin and -shared cannot be combined",
            hint="a shared library contains its device code",
        )
    if line.has(o.COMPILE) and line.has(o.FSYCLBIN):
        raise UsageError("-c and -fsyclbin cannot be combined", hint="-fsyclbin also links objects")
    output = line.values.get(o.OUTPUT.spelling)
    if output is not None and output == line.values.get(o.DEPENDENCY_FILE.spelling):
        raise UsageError(f"-o and -MF both name '{output}'", hint="choose another file for -MF")
    if line.has(o.DEPENDENCY_FILE):
        line.output(o.DEPENDENCY_FILE, line.inputs)


def _check_host_target(line: CommandLine) -> None:
    """Raise `UsageError` if host code would not run on this machine, where it is loaded."""
    args = [*line.language, *line.host]
    triples = [arg.partition("=")[2] for arg in args if arg.startswith("--target=")]
    triples += [triple for option, triple in pairwise(args) if option == "-target"]
    odd = [f"--target={triple}" for triple in triples if not _is_this_machine(triple)]
    odd += [arg for arg in args if arg in _OTHER_MODES]
    if odd:
        raise UsageError(
            f"'{odd[0]}' is not supported with -fsycl: host code is always compiled for this"
            f" machine, {os.uname().machine} with Linux",
            hint="remove it, or compile sources without SYCL separately, without -fsycl",
        )


def _is_this_machine(triple: str) -> bool:
    architecture, _, system = triple.partition("-")
    return architecture == os.uname().machine and (not system or "linux" in system)


def _check_output_folders(
    line: CommandLine, request: ObjectRequest | BuildRequest | RunRequest
) -> None:
    """Raise `InputError` before the compilation if an output's folder does not exist."""
    outputs = request.outputs if isinstance(request, ObjectRequest) else (request.output,)
    dependencies = line.values.get(o.DEPENDENCY_FILE.spelling)
    for path in (*outputs, Path(dependencies) if dependencies else None):
        if path is not None and not path.parent.is_dir():
            raise InputError(
                f"cannot write '{path}': folder '{path.parent}' does not exist",
                hint="create the folder first",
            )


def _request(line: CommandLine) -> ObjectRequest | BuildRequest | RunRequest:
    """Return the request of a command line; set the default output."""
    if not line.inputs:
        raise no_inputs()
    parts = tuple(part if isinstance(part, str) else _part(part) for part in line.linked)
    sources = tuple(part for part in parts if isinstance(part, Source))
    if line.has(o.COMPILE) or line.has(o.SYNTAX_ONLY):
        return _object_request(line, sources)
    default = _DEFAULT_SYCLBIN if line.has(o.FSYCLBIN) else _DEFAULT_PROGRAM
    line.values.setdefault(o.OUTPUT.spelling, default)
    output = line.output(o.OUTPUT, line.inputs)
    linked = _link_line(parts)
    if line.has(o.FSYCLBIN):
        return BuildRequest(
            sources,
            line.flags(),
            output,
            line.split(),
            line.features(),
            linked,
            rdc=line.rdc,
            target_options=line.choice.options,
            keep_going=line.has(o.KEEP_GOING),
        )
    return RunRequest(
        sources,
        line.flags(),
        split=line.split(),
        features=line.features(),
        output=output,
        shared=line.has(o.SHARED),
        line=linked,
        dependencies=_dependencies(line),
        rdc=line.rdc,
        target_options=line.choice.options,
        keep_going=line.has(o.KEEP_GOING),
    )


def _link_line(parts: tuple[Source | str, ...]) -> LinkLine:
    """Return the linked files with their device code; print warnings about them."""
    if all(isinstance(part, Source) for part in parts):
        return LinkLine(parts)
    # Imported late: most builds link only sources.
    from dovetail.driver.linked_files import read_link_line

    line = read_link_line(parts)
    for warning in line.warnings:
        print(f"dovetail: warning: {visible(warning)}", file=sys.stderr)
    return line


def _part(given: Input) -> Source | str:
    """Return a source with its text, or the name of a file that is only linked."""
    language = language_of(given.path, given.language)
    if not language:
        return given.path
    if given.path == STREAM:
        return Source.from_text(sys.stdin.buffer.read().decode(errors="replace"), language)
    return Source.from_file(given.path, language)


def _object_request(line: CommandLine, sources: tuple[Source, ...]) -> ObjectRequest:
    """Return the request for object files; warn about unused inputs."""
    for unused in [
        each.path for each in _inputs(line) if not language_of(each.path, each.language)
    ]:
        print(f"dovetail: warning: {unused}: 'linker' input unused", file=sys.stderr)
    flags, dependencies = line.flags(), _dependencies(line)
    if line.has(o.SYNTAX_ONLY):
        return ObjectRequest(sources, (), flags)
    if line.has(o.OUTPUT):
        if len(sources) > 1:
            raise UsageError(
                "cannot specify -o when generating multiple output files",
                hint="remove -o, or compile one source at a time",
            )
        outputs = (line.output(o.OUTPUT, line.inputs),)[: len(sources)]
    else:
        outputs = tuple(_object_name(source) for source in sources)
    completed = None
    if line.has(o.ANY_LINKER):
        completed = RunRequest(
            (),
            flags,
            split=line.split(),
            features=line.features(),
            target_options=line.choice.options,
            keep_going=line.has(o.KEEP_GOING),
        )
    return ObjectRequest(sources, outputs, flags, dependencies, completed)


def _object_name(source: Source) -> Path:
    return Path(PurePath(source.path if source.is_file else STREAM).with_suffix(".o").name)


def _dependencies(line: CommandLine) -> Dependencies:
    modes = (o.DEPENDENCIES, o.USER_DEPENDENCIES)
    # As in clang, -MMD takes precedence over -MD.
    mode = next((mode.spelling for mode in reversed(modes) if line.has(mode)), "")
    return Dependencies(
        mode,
        line.values.get(o.DEPENDENCY_FILE.spelling, ""),
        tuple(line.dependency_targets),
        (o.PHONY_RULES.spelling,) if line.has(o.PHONY_RULES) else (),
    )


def _build(request: ObjectRequest | BuildRequest | RunRequest, options: ExecutionOptions) -> Built:
    if isinstance(request, ObjectRequest):
        return Built(b"", build_objects(request, options))
    if isinstance(request, BuildRequest):
        return build_program(request, options)
    return build_executable(request, options)
