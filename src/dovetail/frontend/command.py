"""The clang command lines of the front-end.

Nothing runs here: a command is a tuple of words, so that it can be shown before it is run, and so
that the words that matter can be part of a cache key.
"""

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from dovetail.analysis import words_for_clang
from dovetail.errors import InputError
from dovetail.files import SOURCE, read_bytes, require_utf8_name
from dovetail.image.elf import SECTION, SECTION_TYPE
from dovetail.image.search_path import PLACEHOLDER, names_origin
from dovetail.kernel_properties import ENTRY_PREFIX, KERNEL_MARKS
from dovetail.resources import CLANG, LLVM_OBJCOPY, include_directory, plugin_path, tool_path
from dovetail.targets import Target
from dovetail.targets.ir_family import IRFamily, by_ir_family
from dovetail.targets.macros import (
    architecture_macros,
    device_architecture_macros,
    device_if_macros,
    trait_macros,
)

CXX = "c++"
PREPROCESSED_CXX = "c++-cpp-output"


class Side(StrEnum):
    """The two halves of a SYCL program."""

    DEVICE = "device"
    HOST = "host"


# Passes are ours to run, over the facts, so clang must stop before its own.
# An alias is no function that other sources could be linked with, and not all devices have them.
# A product and a sum in one expression may be contracted, as by clang's default and in OpenCL C;
# `#pragma clang fp contract(off)` forbids it. errno does not exist on a device.
_DEVICE_WORDS = (
    "-fsycl",
    "-fsycl-device-only",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-mno-constructor-aliases",
    "-ffp-contract=on",
    "-fno-math-errno",
)

# Clang's driver would look for vendors' toolchains and link their libraries; the triple is all that
# has to be different, and it keeps the host's headers.
_TRIPLE = ("-Xclang", "-triple", "-Xclang")
# Functions of this family take classes in pieces, kernels as they lie in memory; clang, which knows
# how, makes the entry points of plain functions.
_ENTRY_POINTS = f"-fplugin-arg-dovetail-entry-points={ENTRY_PREFIX}"

# Also with one side alone, clang says of each word for the host which the device's could not have.
_HOST_WORDS = ("-fsycl", "-fsycl-host-only", "-fPIC", "-Wno-option-ignored")

# Whether the bodies of the host's classes are compiled with a source, or once for all of them.
BODIES_ELSEWHERE = "-DDOVETAIL_HOST_BODIES=1"
BODIES_HERE = "-DDOVETAIL_HOST_BODIES=2"


_COVERAGE = ("--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage")


class Source(NamedTuple):
    """A source, mostly C++: a file, or a text without one."""

    path: str
    """The file, or the name that messages give to the text."""
    text: str
    is_file: bool = True
    language: str = CXX
    """As clang's `-x` names it."""

    @property
    def is_cxx(self) -> bool:
        """Whether it can have device code; what is not C++ is the host's alone."""
        return self.language in (CXX, PREPROCESSED_CXX)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], language: str = CXX) -> "Source":
        """Read a source, or say why that is not possible."""
        require_utf8_name(path)
        data = read_bytes(path, SOURCE)
        if b"\0" in data:
            raise InputError(
                f"'{os.fspath(path)}' is a binary file, not C++ source",
                hint="if it is a program, 'dovetail inspect' shows what is in it",
            )
        return cls(os.fspath(path), data.decode(errors="replace"), language=language)

    @classmethod
    def from_text(cls, text: str, language: str = CXX) -> "Source":
        """A source that clang will read from its standard input."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"the source text cannot be encoded: {error}") from None
        return cls("<stdin>", text, is_file=False, language=language)


class Flags(NamedTuple):
    """What the user may say about a compilation."""

    standard: str = "c++17"
    c_standard: str = ""
    """For sources in C; empty for clang's own choice."""
    optimization: str = "2"
    debug: bool = False
    macros: tuple[str, ...] = ()
    """`-DNAME=VALUE` and `-UNAME` as given, in order."""
    include_directories: tuple[str, ...] = ()
    """`-IDIR`, `-isystem DIR` and `-include FILE` as given, in order."""
    warnings: tuple[str, ...] = ()
    """`-W` words as given, clang's and ours, in order."""
    aspects: str = "written"
    """What counts as a use of an aspect: what the source says, or what optimisation leaves."""
    targets: tuple[Target, ...] = ()
    """What the program is built for; none means whatever device turns up as it runs."""
    fixed_targets: tuple[Target, ...] = ()
    """What it is meant to run on, if nothing else; kernels that cannot are warned of."""
    configured_targets: tuple[Target, ...] = ()
    """What the user's files speak of: conditions may name architectures that are no targets."""
    unique_prefix: str = ""
    """What makes the names of a source's functions unique; empty for what the source gives."""
    device_if: str = "calls"
    """Who decides what is for which device: later steps, by conditional calls, or `macros`."""
    device_if_resolve: str = ""
    """When conditional calls are decided ahead of time: `early`, before optimisation, or `late`.

    Empty for early where device code is compiled for one target alone.
    """
    language: tuple[str, ...] = ()
    """Other words of clang's that change what a source means, for both sides."""
    host: tuple[str, ...] = ()
    """Words of clang's for the host's side alone."""
    device: tuple[str, ...] = ()
    """The same for the device's side."""

    @property
    def compiles_each_target(self) -> bool:
        """Whether each target has a run of the front-end of its own."""
        return self.device_if == "macros" or self.device_if_resolve == "early"

    def code_words(self, side: Side) -> tuple[str, ...]:
        """The words that also decide which precompiled header fits."""
        debug = ("-g",) if self.debug else ()
        # At -O0 clang forbids inlining, and device code that is not inlined at all comes out wrong:
        # barriers lose their constant operands, drivers mistake classes passed by value.
        level = "1" if side is Side.DEVICE and self.optimization == "0" else self.optimization
        return (f"-std={self.standard}", f"-O{level}", *debug)

    @property
    def crash_words(self) -> tuple[str, ...]:
        """What keeps clang from leaving preprocessed sources of crashes, unless they are wanted."""
        words = (*self.language, *self.host, *self.device)
        wanted = any(word.startswith("-fcrash-diagnostics") for word in words)
        return () if wanted else ("-fno-crash-diagnostics",)

    def given_words(self, side: Side) -> tuple[str, ...]:
        """Clang's words as they were given, but for macros, include folders and warnings."""
        return (*self.language, *(self.device if side is Side.DEVICE else self.host))

    def words(
        self,
        side: Side,
        family: IRFamily = IRFamily.SPIRV64,
        own_targets: tuple[Target, ...] = (),
    ) -> tuple[str, ...]:
        """All of them, in the order in which later ones count more.

        `family` is of device code; `own_targets` are those that it is compiled for, if that is not
        for all of the family.
        """
        about_targets = trait_macros(self.targets)
        if side is Side.HOST:
            about_targets |= architecture_macros(self.targets)
        else:
            targets = own_targets or by_ir_family(self.targets).get(family, ())
            about_targets |= device_architecture_macros(targets)
            if self.device_if == "macros":
                about_targets |= device_if_macros(targets)
        traits = (f"-D{name}={value}" for name, value in about_targets.items())
        given = (*self.macros, *self.include_directories, *words_for_clang(self.warnings))
        words = (*self.code_words(side), *self.crash_words, *traits)
        return (*words, *self.given_words(side), *given)

    def words_without_sycl(self) -> tuple[str, ...]:
        """For sources of other languages, which know no standard of C++."""
        debug = ("-g",) if self.debug else ()
        given = (*self.macros, *self.include_directories, *words_for_clang(self.warnings))
        # Some of the words make sense for C++ alone, and clang would say so of each.
        quiet = "-Wno-unused-command-line-argument"
        standard = (f"-std={self.c_standard}",) if self.c_standard else ()
        words = (*standard, f"-O{self.optimization}", *self.crash_words, *debug, quiet)
        return (*words, *self.given_words(Side.HOST), *given)


def base_words(side: Side, family: IRFamily = IRFamily.SPIRV64) -> tuple[str, ...]:
    """The words that every compilation for one side starts with; `family` is of device code."""
    marks = ",".join(KERNEL_MARKS)
    return (
        tool_path(CLANG),
        *(_device_words(family) if side is Side.DEVICE else _HOST_WORDS),
        f"-fplugin={plugin_path()}",
        f"-fplugin-arg-dovetail-kernel-marks={marks}",
        "-isystem",
        os.fspath(include_directory()),
    )


def _device_words(family: IRFamily) -> tuple[str, ...]:
    if family is IRFamily.SPIRV64:
        return _DEVICE_WORDS
    entries = (_ENTRY_POINTS,) if family is IRFamily.AMDGCN else ()
    return (*_DEVICE_WORDS, *_TRIPLE, family.triple, *entries)


def compile_command(
    source: Source,
    flags: Flags,
    *,
    header: Path | None,
    bitcode: Path,
    facts: Path,
    dependencies: Sequence[str] = (),
    family: IRFamily = IRFamily.SPIRV64,
    own_targets: tuple[Target, ...] = (),
) -> tuple[str, ...]:
    """Compile one source for a family of devices; one without a file comes on standard input."""
    return (
        *base_words(Side.DEVICE, family),
        f"-fplugin-arg-dovetail-facts={facts}",
        *flags.words(Side.DEVICE, family, own_targets),
        *dependencies,
        "-emit-llvm",
        *_source_words(source, header, bitcode),
    )


def check_command(
    source: Source,
    flags: Flags,
    *,
    header: Path | None,
    facts: Path,
    family: IRFamily = IRFamily.SPIRV64,
    own_targets: tuple[Target, ...] = (),
) -> tuple[str, ...]:
    """Look at one source as the device's compiler does, for its facts alone."""
    return (
        *base_words(Side.DEVICE, family),
        f"-fplugin-arg-dovetail-facts={facts}",
        *flags.words(Side.DEVICE, family, own_targets),
        *_syntax_words(source, header),
    )


def host_check_command(source: Source, flags: Flags, *, header: Path | None) -> tuple[str, ...]:
    """Look at one source as the host's compiler does."""
    return (*_host_words(source, flags, header), *_syntax_words(source, header))


def host_compile_command(
    source: Source,
    flags: Flags,
    *,
    header: Path | None,
    output: Path,
    dependencies: Sequence[str] = (),
    unique_prefix: str = "",
) -> tuple[str, ...]:
    """Compile one source for the host, into an object file; `dependencies` are clang's -M words.

    `unique_prefix` is what the names of device code have that are to differ between sources.
    """
    unique = f"-fplugin-arg-dovetail-unique-prefix={unique_prefix}"
    own = (unique,) if unique_prefix and source.is_cxx else ()
    words = (*_host_words(source, flags, header), *own, *dependencies)
    return (*words, *_source_words(source, header, output))


def coverage_words(flags: Flags, output: Path) -> tuple[str, ...]:
    """Where the files of `--coverage` go: clang would name them after a temporary object."""
    if not any(word in _COVERAGE for word in flags.host):
        return ()
    name = output.absolute()
    notes, data = name.with_suffix(".gcno"), name.with_suffix(".gcda")
    words = (f"-coverage-notes-file={notes}", f"-coverage-data-file={data}")
    return tuple(part for word in words for part in ("-Xclang", word))


def _host_words(source: Source, flags: Flags, header: Path | None) -> tuple[str, ...]:
    if not source.is_cxx:
        return (tool_path(CLANG), "-fPIC", *flags.words_without_sycl())
    bodies = (BODIES_ELSEWHERE,) if header else ()
    return (*base_words(Side.HOST), *flags.words(Side.HOST), *bodies)


def embed_command(folder: Path, output: Path) -> tuple[str, ...]:
    """Compile a source, on standard input, that embeds a file of that folder."""
    return (
        tool_path(CLANG),
        "-fPIC",
        "-std=c++17",
        "-O2",
        "-Wno-c23-extensions",
        "-isystem",
        os.fspath(include_directory()),
        f"--embed-dir={folder}",
        "-c",
        "-x",
        "c++",
        "-",
        "-o",
        os.fspath(output),
    )


def object_command(section: Path, content: Path, output: Path) -> tuple[str, ...]:
    """Add device code to the host's object file; linkers leave its section out of programs."""
    return (
        tool_path(LLVM_OBJCOPY),
        f"--add-section={SECTION}={section}",
        f"--set-section-flags={SECTION}=exclude,readonly",
        f"--set-section-type={SECTION}={SECTION_TYPE:#x}",
        os.fspath(content),
        os.fspath(output),
    )


def host_link_command(
    line: Sequence[str],
    output: Path,
    *,
    dependencies: Path,
    bodies: Sequence[Path] = (),
    for_others: bool = False,
    traced: bool = False,
) -> tuple[str, ...]:
    """Link the host side into a shared object, which a process that is running can load.

    `line` has objects, libraries and words for the linker, in their order; of `bodies` the linker
    takes what nobody else defines. Which files it read goes to `dependencies`; if `traced`, it
    lists on its standard output what it took of them.

    What is missing is an error now, with the linker's message, rather than when it is loaded. A
    library for other programs may leave it to them: its device functions can call theirs, and what
    the host's side of such a function calls is looked for if anyone ever calls it there.
    """
    missing = ("-Wl,-z,lazy",) if for_others else ("-Wl,-z,defs",)
    # Without -Bsymbolic, symbols that Python itself exports would stand before the program's own.
    words = ("-shared", "-fuse-ld=lld", *missing, "-Wl,-Bsymbolic")
    # Not by -Wl, which splits at commas.
    words = (*words, "-Xlinker", f"--dependency-file={os.fspath(dependencies)}")
    trace = ("-Wl,--trace",) if traced else ()
    room = () if for_others else _room_for_origin(line)
    lazily = ("-Wl,--start-lib", *map(os.fspath, bodies), "-Wl,--end-lib") if bodies else ()
    # Words for the compiler may stand on the line too, as build systems put them there.
    inputs = ("-Wno-unused-command-line-argument", *_sanitizer_words(line), *line, *room, *lazily)
    return (tool_path(CLANG), *words, *trace, *inputs, "-o", os.fspath(output))


def _sanitizer_words(line: Sequence[str]) -> tuple[str, ...]:
    """What is loaded into a process gets a sanitizer's runtime from a library, if it has one."""
    is_used = any(word.startswith("-fsanitize=") for word in line)
    return ("-shared-libsan", "-frtlib-add-rpath") if is_used else ()


def _room_for_origin(line: Sequence[str]) -> tuple[str, ...]:
    """The runtime writes the program's folder into the search path of its host code."""
    return (f"-Wl,-rpath,{PLACEHOLDER}",) if any(map(names_origin, line)) else ()


def _syntax_words(source: Source, header: Path | None) -> tuple[str, ...]:
    return (*_precompiled_words(header), "-fsyntax-only", *_input_words(source))


def _source_words(source: Source, header: Path | None, output: Path) -> tuple[str, ...]:
    words = (*_precompiled_words(header), "-c", *_input_words(source))
    return (*words, "-o", os.fspath(output))


def _precompiled_words(header: Path | None) -> tuple[str, ...]:
    return ("-include-pch", os.fspath(header)) if header else ()


def _input_words(source: Source) -> tuple[str, ...]:
    path = f"./{source.path}" if source.path.startswith(("-", "@")) else source.path
    return ("-x", source.language, path if source.is_file else "-")
