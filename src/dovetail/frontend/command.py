"""The clang command lines of the front-end.

Nothing runs here: a command is a tuple of words, so that it can be shown before it is run, and so
that the words that matter can be part of a cache key.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from dovetail.facts import KERNEL_MARKS
from dovetail.files import read_bytes
from dovetail.resources import CLANG, include_directory, plugin_path, tool_path

# Passes are ours to run, over the facts, so clang must stop before its own, and at -O0 it must not
# mark every function as not to be touched.
# A product and a sum that clang may contract would become OpenCL's fma, which the CPU runtime
# computes in software: 2.2 times slower. errno does not exist on a device.
_DEVICE_WORDS = (
    "-fsycl",
    "-fsycl-device-only",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-O0-optnone",
    "-ffp-contract=off",
    "-fno-math-errno",
)


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
        return cls(os.fspath(path), read_bytes(path).decode(errors="replace"))

    @classmethod
    def from_text(cls, text: str) -> "Source":
        """A source that clang will read from its standard input."""
        return cls("<stdin>", text, is_file=False)


@dataclass(frozen=True)
class DeviceFlags:
    """What the user may say about a device compilation."""

    standard: str = "c++17"
    optimization: str = "2"
    debug: bool = False
    macros: tuple[str, ...] = ()
    """`-DNAME=VALUE` and `-UNAME` as given, in order."""
    include_directories: tuple[str, ...] = ()
    """`-IDIR`, `-isystem DIR` and `-include FILE` as given, in order."""
    warnings: tuple[str, ...] = ()

    def code_words(self) -> tuple[str, ...]:
        """The words that also decide which precompiled header fits."""
        debug = ("-g",) if self.debug else ()
        return (f"-std={self.standard}", f"-O{self.optimization}", *debug)

    def words(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.code_words(), *self.macros, *self.include_directories, *self.warnings)


def base_words() -> tuple[str, ...]:
    """The words that every device compilation starts with."""
    marks = ",".join(KERNEL_MARKS)
    return (
        tool_path(CLANG),
        *_DEVICE_WORDS,
        f"-fplugin={plugin_path()}",
        f"-fplugin-arg-dovetail-kernel-marks={marks}",
        "-isystem",
        os.fspath(include_directory()),
    )


def compile_command(
    source: Source, flags: DeviceFlags, *, header: Path | None, bitcode: Path, facts: Path
) -> tuple[str, ...]:
    """Compile one source for the device; a source without a file comes on standard input."""
    precompiled = ("-include-pch", os.fspath(header)) if header else ()
    return (
        *base_words(),
        f"-fplugin-arg-dovetail-facts={facts}",
        *flags.words(),
        *precompiled,
        "-emit-llvm",
        "-c",
        "-x",
        "c++",
        source.path if source.is_file else "-",
        "-o",
        os.fspath(bitcode),
    )
