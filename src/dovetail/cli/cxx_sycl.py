"""The part of `dovetail c++` that compiles and links SYCL."""

import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path, PurePath
from typing import NoReturn

from dovetail.analysis import without_dovetail_warnings
from dovetail.cli.clang import become_clang
from dovetail.cli.command_line import CommandLine, Input
from dovetail.cli.execution_options import execution_options
from dovetail.cli.jobs import is_only_shown
from dovetail.cli.remarks import remarks
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
)
from dovetail.driver import options as o
from dovetail.driver.clang_options import CLANG_OPTIONS, UNKNOWN
from dovetail.driver.inputs import language_of
from dovetail.errors import InputError, UsageError
from dovetail.files import STREAM
from dovetail.frontend import Dependencies, Flags, Side, Source, common_options
from dovetail.printable import visible

OPTIONS = (*o.OPTIONS, *o.OBJECT_OPTIONS, *o.HOST_MODES, o.STATIC, *CLANG_OPTIONS)

_DEFAULT_PROGRAM, _DEFAULT_SYCLBIN = "a.out", "a.syclbin"

_OTHER_MODES = ("-m32", "-mx32", "-m16")
"""What makes code for other machines than this one."""

_HEADER = "-header"
"""How the names of languages end whose files are precompiled."""


def run_sycl(words: Sequence[str]) -> int:
    """Do what a command line with `-fsycl` says."""
    line = CommandLine.read(words, OPTIONS, UNKNOWN)
    if _is_for_clang(line):
        _become_hosts_clang(line)
    _refuse_conflicts(line)
    _refuse_other_machines(line)
    for remark in remarks(line):
        print(remark, file=sys.stderr)
    request = _request(line)
    if is_only_shown(line, request):
        return 0
    _refuse_missing_folders(line, request)
    with execution_options(line, request) as options:
        built = _build(request, options)
        if built.warnings:
            print(built.warnings, file=sys.stderr)
    if built.failures:
        raise CodeRefused(built.failures, advice="the program was written without that code")
    return 0


def help_text() -> str:
    """What `dovetail c++ --help` prints."""
    return f"""\
usage: dovetail c++ -fsycl [OPTION]... INPUT... [-o FILE]
       dovetail c++ [OPTION]... INPUT...

Without -fsycl this is clang. With it, sources are compiled for host and device,
linked with objects and libraries, and put into one file that starts the program:
./FILE, or 'dovetail run FILE'. It needs Dovetail's runtime where it is started,
and no compiler. All options of clang's are taken, and passed on to the sides that
they concern; those below are the ones that are understood here.

With -c, sources become object files, which carry device code as well, to be put
into archives and linked by this command.

With -shared, make a library instead, to be linked or loaded with dlopen(): then
its kernels can be started, and kernels of programs and libraries can call each
other's SYCL_EXTERNAL functions.

With -fsyclbin, write the kernels alone, as a program that 'dovetail inspect'
shows and dovetail.load() runs.

examples:
  dovetail c++ -fsycl -O3 main.cpp kernels.cpp -o app
  dovetail c++ -fsycl -c -MD main.cpp && dovetail c++ -fsycl main.o -lm -o app
  dovetail c++ -fsycl -shared plugin.cpp -o libplugin.so
  dovetail c++ -fsycl -fsyclbin k.cpp -o k.syclbin
  CXX=dovetail-c++ cmake -B build

options:
{o.help_rows((*o.OPTIONS, *o.OBJECT_OPTIONS))}"""


def _is_for_clang(line: CommandLine) -> bool:
    """Whether clang does all of it as for the host: it only preprocesses, or is asked something."""
    languages = [language_of(i.path, i.language) for i in _inputs(line) if i.path != STREAM]
    if any(language.endswith(_HEADER) for language in languages):
        return True
    only_asked = line.has(o.VERBOSE) and not line.inputs
    return only_asked or any(line.has(mode) for mode in o.HOST_MODES)


def _become_hosts_clang(line: CommandLine) -> NoReturn:
    _, *base = common_options(Side.HOST)
    words = without_dovetail_warnings(line.for_clang)
    if line.has(o.RELOCATABLE):
        # Clang has a linker of its own for SYCL, which knows other objects than ours.
        become_clang(["-fuse-ld=lld", *words])
    if line.has(o.STANDARD) or not all(_is_cxx(each) for each in _inputs(line)):
        become_clang([*base, *words])
    # Given ones stand behind these, and count more.
    defaults = Flags()
    become_clang([*base, f"-std={defaults.standard}", f"-O{defaults.optimization}", *words])


def _is_cxx(given: Input) -> bool:
    return language_of(given.path, given.language).startswith("c++")


def _inputs(line: CommandLine) -> list[Input]:
    return [each for each in line.linked if isinstance(each, Input)]


def _refuse_conflicts(line: CommandLine) -> None:
    if line.has(o.STATIC):
        raise UsageError(
            "a SYCL program cannot be linked with -static: it is loaded by the runtime",
            hint="link single libraries statically: -l:libNAME.a, -static-libstdc++",
        )
    if line.has(o.FSYCLBIN) and line.has(o.SHARED):
        raise UsageError(
            "-fsyclbin and -shared cannot both be written",
            hint="a shared library has its device code in it",
        )
    if line.has(o.COMPILE) and line.has(o.FSYCLBIN):
        raise UsageError(
            "-c and -fsyclbin cannot both be written", hint="-fsyclbin links objects as well"
        )
    output = line.values.get(o.OUTPUT.spelling)
    if output is not None and output == line.values.get(o.DEPENDENCY_FILE.spelling):
        raise UsageError(
            f"'{output}' cannot hold both the output and the dependencies",
            hint="give -MF another name",
        )
    if line.has(o.DEPENDENCY_FILE):
        line.output(o.DEPENDENCY_FILE, line.inputs)
    if line.has(o.COMPILE) and any(word.startswith("-flto") for word in line.host):
        raise UsageError(
            "an object file that is made with -flto cannot carry device code",
            hint="leave it out for sources that are compiled with -fsycl",
        )


def _refuse_other_machines(line: CommandLine) -> None:
    """Host code is loaded by a process that runs here."""
    words = [*line.language, *line.host]
    triples = [word.partition("=")[2] for word in words if word.startswith("--target=")]
    triples += [triple for option, triple in pairwise(words) if option == "-target"]
    odd = [f"--target={triple}" for triple in triples if not _is_this_machine(triple)]
    odd += [word for word in words if word in _OTHER_MODES]
    if odd:
        raise UsageError(
            f"'{odd[0]}': the host's side of a SYCL program is compiled for the machine that it is"
            f" built on, {os.uname().machine} with Linux",
            hint="leave it out, or compile sources without SYCL by themselves, without -fsycl",
        )


def _is_this_machine(triple: str) -> bool:
    architecture, _, system = triple.partition("-")
    return architecture == os.uname().machine and (not system or "linux" in system)


def _refuse_missing_folders(
    line: CommandLine, request: ObjectRequest | BuildRequest | RunRequest
) -> None:
    """Say before anything is compiled that what comes of it could not be written."""
    outputs = request.outputs if isinstance(request, ObjectRequest) else (request.output,)
    dependencies = line.values.get(o.DEPENDENCY_FILE.spelling)
    for path in (*outputs, Path(dependencies) if dependencies else None):
        if path is not None and not path.parent.is_dir():
            raise InputError(
                f"cannot write '{path}': there is no folder '{path.parent}'", hint="make it first"
            )


def _request(line: CommandLine) -> ObjectRequest | BuildRequest | RunRequest:
    if not line.inputs:
        raise UsageError("no source was given", hint="name at least one C++ file")
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
    if all(isinstance(part, Source) for part in parts):
        return LinkLine(parts)
    # Whoever links nothing need not pay for what reads objects.
    from dovetail.driver.linked_files import read_link_line

    line = read_link_line(parts)
    for warning in line.warnings:
        print(f"dovetail: warning: {visible(warning)}", file=sys.stderr)
    return line


def _part(given: Input) -> Source | str:
    """A source, read, or the name of what is linked as it is."""
    language = language_of(given.path, given.language)
    if not language:
        return given.path
    if given.path == STREAM:
        return Source.from_text(sys.stdin.buffer.read().decode(errors="replace"), language)
    return Source.from_file(given.path, language)


def _object_request(line: CommandLine, sources: tuple[Source, ...]) -> ObjectRequest:
    for unused in [
        each.path for each in _inputs(line) if not language_of(each.path, each.language)
    ]:
        print(f"dovetail: warning: '{unused}' is not used: nothing is linked", file=sys.stderr)
    flags, dependencies = line.flags(), _dependencies(line)
    if line.has(o.SYNTAX_ONLY):
        return ObjectRequest(sources, (), flags)
    if line.has(o.OUTPUT):
        if len(sources) > 1:
            raise UsageError(
                "cannot specify -o when generating multiple output files",
                hint="leave -o out, or compile one source at a time",
            )
        outputs = (line.output(o.OUTPUT, line.inputs),)[: len(sources)]
    else:
        outputs = tuple(_object_name(source) for source in sources)
    return ObjectRequest(sources, outputs, flags, dependencies)


def _object_name(source: Source) -> Path:
    return Path(PurePath(source.path if source.is_file else STREAM).with_suffix(".o").name)


def _dependencies(line: CommandLine) -> Dependencies:
    modes = (o.DEPENDENCIES, o.USER_DEPENDENCIES)
    # Of both, the one without the system's headers counts, as with clang.
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
