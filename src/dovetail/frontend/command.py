"""The clang command lines of the front-end.

Nothing runs here: a command is a tuple of words, so that it can be shown before it is run, and so
that the words that matter can be part of a cache key.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dovetail.analysis import words_for_clang
from dovetail.errors import InputError
from dovetail.facts import KERNEL_MARKS
from dovetail.files import read_bytes, require_utf8_name
from dovetail.resources import CLANG, include_directory, plugin_path, tool_path
from dovetail.targets import Target
from dovetail.targets.macros import trait_macros


class Side(StrEnum):
    """The two halves of a SYCL program."""

    DEVICE = "device"
    HOST = "host"


# Passes are ours to run, over the facts, so clang must stop before its own.
# A product and a sum in one expression may be contracted, as by clang's default and in OpenCL C;
# `#pragma clang fp contract(off)` forbids it. errno does not exist on a device.
_DEVICE_WORDS = (
    "-fsycl",
    "-fsycl-device-only",
    "-Xclang",
    "-disable-llvm-passes",
    "-ffp-contract=on",
    "-fno-math-errno",
)
_HOST_WORDS = ("-fsycl", "-fsycl-host-only", "-fPIC")

# Whether the bodies of the host's classes are compiled with a source, or once for all of them.
BODIES_ELSEWHERE = "-DDOVETAIL_HOST_BODIES=1"
BODIES_HERE = "-DDOVETAIL_HOST_BODIES=2"


@dataclass(frozen=True)
class Source:
    """A C++ source: a file, or a text without one."""

    path: str
    """The file, or the name that messages give to the text."""
    text: str
    is_file: bool = True

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> "Source":
        """Read a source, or say why that is not possible."""
        require_utf8_name(path)
        data = read_bytes(path)
        if b"\0" in data:
            raise InputError(
                f"'{os.fspath(path)}' is not C++: it has zero bytes",
                hint="if it is a program, 'dovetail inspect' shows what is in it",
            )
        return cls(os.fspath(path), data.decode(errors="replace"))

    @classmethod
    def from_text(cls, text: str) -> "Source":
        """A source that clang will read from its standard input."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"the source text cannot be encoded: {error}") from None
        return cls("<stdin>", text, is_file=False)


@dataclass(frozen=True)
class Flags:
    """What the user may say about a compilation."""

    standard: str = "c++17"
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

    def code_words(self, side: Side) -> tuple[str, ...]:
        """The words that also decide which precompiled header fits."""
        debug = ("-g",) if self.debug else ()
        # At -O0 clang forbids inlining, and device code that is not inlined at all comes out wrong:
        # barriers lose their constant operands, drivers mistake classes passed by value.
        level = "1" if side is Side.DEVICE and self.optimization == "0" else self.optimization
        return (f"-std={self.standard}", f"-O{level}", *debug)

    def words(self, side: Side) -> tuple[str, ...]:
        """All of them, the same for both sides but for the level of optimisation."""
        traits = (f"-D{name}={value}" for name, value in trait_macros(self.targets).items())
        given = (*self.macros, *self.include_directories, *words_for_clang(self.warnings))
        return (*self.code_words(side), *traits, *given)


def base_words(side: Side) -> tuple[str, ...]:
    """The words that every compilation for one side starts with."""
    marks = ",".join(KERNEL_MARKS)
    return (
        tool_path(CLANG),
        *(_DEVICE_WORDS if side is Side.DEVICE else _HOST_WORDS),
        f"-fplugin={plugin_path()}",
        f"-fplugin-arg-dovetail-kernel-marks={marks}",
        "-isystem",
        os.fspath(include_directory()),
    )


def compile_command(
    source: Source, flags: Flags, *, header: Path | None, bitcode: Path, facts: Path
) -> tuple[str, ...]:
    """Compile one source for the device; a source without a file comes on standard input."""
    return (
        *base_words(Side.DEVICE),
        f"-fplugin-arg-dovetail-facts={facts}",
        *flags.words(Side.DEVICE),
        "-emit-llvm",
        *_source_words(source, header, bitcode),
    )


def check_command(
    source: Source, flags: Flags, *, header: Path | None, facts: Path
) -> tuple[str, ...]:
    """Look at one source as the device's compiler does, for its facts alone."""
    precompiled = ("-include-pch", os.fspath(header)) if header else ()
    path = f"./{source.path}" if source.path.startswith("-") else source.path
    name = path if source.is_file else "-"
    return (
        *base_words(Side.DEVICE),
        f"-fplugin-arg-dovetail-facts={facts}",
        *flags.words(Side.DEVICE),
        *precompiled,
        "-fsyntax-only",
        "-x",
        "c++",
        name,
    )


def host_compile_command(
    source: Source, flags: Flags, *, header: Path | None, output: Path
) -> tuple[str, ...]:
    """Compile one source for the host, into an object file."""
    bodies = (BODIES_ELSEWHERE,) if header else ()
    words = (*base_words(Side.HOST), *flags.words(Side.HOST), *bodies)
    return (*words, *_source_words(source, header, output))


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


def host_link_command(
    objects: Sequence[Path], output: Path, *, for_others: bool = False
) -> tuple[str, ...]:
    """Link the host side into a shared object, which a process that is running can load.

    What is missing is an error now, with the linker's message, rather than when it is loaded. A
    library for other programs may leave it to them: its device functions can call theirs, and what
    the host's side of such a function calls is looked for if anyone ever calls it there.
    """
    missing = ("-Wl,-z,lazy",) if for_others else ("-Wl,-z,defs",)
    # Without -Bsymbolic, symbols that Python itself exports would stand before the program's own.
    words = ("-shared", "-fuse-ld=lld", *missing, "-Wl,-Bsymbolic")
    return (tool_path(CLANG), *words, *map(os.fspath, objects), "-o", os.fspath(output))


def _source_words(source: Source, header: Path | None, output: Path) -> tuple[str, ...]:
    precompiled = ("-include-pch", os.fspath(header)) if header else ()
    name = source.path if source.is_file else "-"
    return (*precompiled, "-c", "-x", "c++", name, "-o", os.fspath(output))
