"""The clang command lines of the front-end.

A command is a tuple of arguments, so that it can be printed before it runs and be part of a cache
key. Nothing runs here.
"""

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from dovetail.analysis import without_dovetail_warnings
from dovetail.errors import InputError
from dovetail.files import SOURCE, read_bytes, require_utf8_name
from dovetail.frontend.host_link import fat_object_options
from dovetail.image.elf import SECTION, SECTION_TYPE
from dovetail.kernel_properties import ENTRY_PREFIX, KERNEL_MARKS
from dovetail.resources import (
    CLANG,
    LLVM_OBJCOPY,
    include_directory,
    plugin_path,
    tool_path,
)
from dovetail.targets import Target
from dovetail.targets.ir_family import IRFamily, by_ir_family

CXX = "c++"
PREPROCESSED_CXX = "c++-cpp-output"


class Side(StrEnum):
    """The two halves of a SYCL program."""

    DEVICE = "device"
    HOST = "host"


# `dovetail.passes` runs the passes, with the facts, so clang runs none of its own.
# Aliases cannot be linked across sources, and not all devices support them.
# A product and a sum in one expression may be contracted, as by clang's default and in OpenCL C;
# `#pragma clang fp contract(off)` forbids it. Devices have no errno.
_DEVICE_OPTIONS = (
    "-fsycl",
    "-fsycl-device-only",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-mno-constructor-aliases",
    "-ffp-contract=on",
    "-fno-math-errno",
)

# Only the triple is replaced, in the compiler's options: given to the driver, it would search for
# the vendor's toolchain, link its libraries and not use the host's headers.
_TRIPLE = ("-Xclang", "-triple", "-Xclang")
# On AMD's GPUs, device functions receive the members of a class as separate arguments, and kernels
# receive its bytes. Only clang can convert, so it generates the entry points of plain functions.
_ENTRY_POINTS = f"-fplugin-arg-dovetail-entry-points={ENTRY_PREFIX}"

# Clang reports host options that the device compilation ignores, even if only the host's runs.
_HOST_OPTIONS = ("-fsycl", "-fsycl-host-only", "-fPIC", "-Wno-option-ignored")

# The bodies of the host's classes: left out of a source, or compiled into their own object file.
OMIT_BODIES = "-DDOVETAIL_HOST_BODIES=1"
DEFINE_BODIES = "-DDOVETAIL_HOST_BODIES=2"


_INCLUDE_PCH = "-include-pch"
# A source may define a macro before it includes our header, which also defines it. With the
# precompiled header, the source's definition would come last.
_NO_REDEFINITION = "-Werror=macro-redefined"
_REDEFINED = "[-Werror,-Wmacro-redefined]"

_VISIBILITY = "-fvisibility="


class Source(NamedTuple):
    """A source: a file, or a text from standard input."""

    path: str
    """The file, or the name of the text in messages."""
    text: str
    is_file: bool = True
    language: str = CXX
    """The value of clang's `-x`."""

    @property
    def is_cxx(self) -> bool:
        """Whether it can contain device code; other languages are compiled only for the host."""
        return self.language in (CXX, PREPROCESSED_CXX)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], language: str = CXX) -> "Source":
        """Read a source; raise `InputError` if it is not a text file that can be read."""
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
        """Return a source that clang reads from its standard input."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"the source text cannot be encoded: {error}") from None
        return cls("<stdin>", text, is_file=False, language=language)


class Flags(NamedTuple):
    """The user's options for a compilation."""

    standard: str = "c++17"
    c_standard: str = ""
    """For sources in C; empty for clang's default."""
    optimization: str = "2"
    debug: bool = False
    macros: tuple[str, ...] = ()
    """`-DNAME=VALUE` and `-UNAME` as given, in order."""
    include_directories: tuple[str, ...] = ()
    """`-IDIR`, `-isystem DIR` and `-include FILE` as given, in order."""
    warnings: tuple[str, ...] = ()
    """`-W` options as given, clang's and ours, in order."""
    aspects: str = "written"
    """What counts as a use of an aspect: `written` or `optimized`."""
    targets: tuple[Target, ...] = ()
    """The targets of the program; if none, it is compiled for its device at run time."""
    fixed_targets: tuple[Target, ...] = ()
    """The only targets that it is meant to run on; warnings list kernels that cannot."""
    configured_targets: tuple[Target, ...] = ()
    """Targets in the user's files, whose architectures conditions may name."""
    unique_prefix: str = ""
    """Makes names of internal functions unique; empty to derive it from the source."""
    device_if: str = "calls"
    """How `if_device_has` is implemented: conditional `calls`, or `macros` in the front-end."""
    device_if_resolve: str = ""
    """When conditional calls are resolved at build time: `early`, before optimization, or `late`.

    Empty for `early` if a family of device code has one target.
    """
    language: tuple[str, ...] = ()
    """Other clang options that affect the meaning of a source, for both sides."""
    host: tuple[str, ...] = ()
    """Clang options for the host's side only."""
    device: tuple[str, ...] = ()
    """Clang options for the device's side only."""

    @property
    def compiles_each_target(self) -> bool:
        """Whether the front-end runs separately for each target."""
        return self.device_if == "macros" or self.device_if_resolve == "early"

    def base_options(self, side: Side) -> tuple[str, ...]:
        """Return the language standard, optimization level and debug option of a side."""
        debug = ("-g",) if self.debug else ()
        # At -O0 clang forbids inlining, and device code that is not inlined is miscompiled:
        # barriers lose their constant operands, and drivers misread classes passed by value.
        level = "1" if side is Side.DEVICE and self.optimization == "0" else self.optimization
        return (f"-std={self.standard}", f"-O{level}", *debug)

    @property
    def crash_options(self) -> tuple[str, ...]:
        """The option that suppresses crash reproducers, unless the user asked for them."""
        given = (*self.language, *self.host, *self.device)
        wanted = any(option.startswith("-fcrash-diagnostics") for option in given)
        return () if wanted else ("-fno-crash-diagnostics",)

    def user_options(self, side: Side) -> tuple[str, ...]:
        """Return the clang options given by the user, without macros, folders and warnings."""
        return (*self.language, *(self.device if side is Side.DEVICE else self.host))

    def options(
        self,
        side: Side,
        family: IRFamily = IRFamily.SPIRV64,
        own_targets: tuple[Target, ...] = (),
    ) -> tuple[str, ...]:
        """Return all options, so that later ones override earlier ones.

        For device code, `family` is its family, and `own_targets` are the targets to compile for if
        these are not all targets of the family.
        """
        macros = self._target_macros(side, family, own_targets)
        target_macros = (f"-D{name}={value}" for name, value in macros.items())
        given = (*self.macros, *self.include_directories, *without_dovetail_warnings(self.warnings))
        options = (*self.base_options(side), *self.crash_options, *target_macros)
        return (*options, *self.user_options(side), *given)

    def _target_macros(
        self, side: Side, family: IRFamily, own_targets: tuple[Target, ...]
    ) -> dict[str, str]:
        """Return the predefined macros that describe the targets."""
        if not self.targets and not own_targets and self.device_if != "macros":
            return {}
        # Imported late: most programs are built for any device.
        from dovetail.targets.macros import (
            architecture_macros,
            device_architecture_macros,
            device_if_macros,
            trait_macros,
        )

        macros = trait_macros(self.targets)
        if side is Side.HOST:
            return macros | architecture_macros(self.targets)
        targets = own_targets or by_ir_family(self.targets).get(family, ())
        macros |= device_architecture_macros(targets)
        return macros | device_if_macros(targets) if self.device_if == "macros" else macros

    def options_without_sycl(self) -> tuple[str, ...]:
        """Return the options for a source that is not C++."""
        debug = ("-g",) if self.debug else ()
        given = (*self.macros, *self.include_directories, *without_dovetail_warnings(self.warnings))
        # Clang warns of options that apply only to C++.
        quiet = "-Wno-unused-command-line-argument"
        standard = (f"-std={self.c_standard}",) if self.c_standard else ()
        options = (*standard, f"-O{self.optimization}", *self.crash_options, *debug, quiet)
        return (*options, *self.user_options(Side.HOST), *given)


def common_options(side: Side, family: IRFamily = IRFamily.SPIRV64) -> tuple[str, ...]:
    """Return how every compilation for a side starts: clang and its first options."""
    marks = ",".join(KERNEL_MARKS)
    return (
        tool_path(CLANG),
        *(_device_options(family) if side is Side.DEVICE else _HOST_OPTIONS),
        f"-fplugin={plugin_path()}",
        f"-fplugin-arg-dovetail-kernel-marks={marks}",
        "-isystem",
        os.fspath(include_directory()),
    )


def _device_options(family: IRFamily) -> tuple[str, ...]:
    if family is IRFamily.SPIRV64:
        return _DEVICE_OPTIONS
    entries = (_ENTRY_POINTS,) if family is IRFamily.AMDGCN else ()
    return (*_DEVICE_OPTIONS, *_TRIPLE, family.triple, *entries)


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
    """Return the command that compiles a source for an IR family to bitcode and facts."""
    return (
        *common_options(Side.DEVICE, family),
        f"-fplugin-arg-dovetail-facts={facts}",
        *flags.options(Side.DEVICE, family, own_targets),
        *dependencies,
        "-emit-llvm",
        *_source_options(source, header, bitcode),
    )


def is_redefinition(messages: str) -> bool:
    """Return whether clang failed because a source redefines a macro of the precompiled header."""
    return _REDEFINED in messages


def without_header(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command that compiles the same source without a precompiled header."""
    start = command.index(_INCLUDE_PCH)
    others = (*command[:start], *command[start + 2 :])
    return tuple(word for word in others if word not in (_NO_REDEFINITION, OMIT_BODIES))


def check_command(
    source: Source,
    flags: Flags,
    *,
    header: Path | None,
    facts: Path,
    family: IRFamily = IRFamily.SPIRV64,
    own_targets: tuple[Target, ...] = (),
) -> tuple[str, ...]:
    """Return the command that checks a source for devices and writes only its facts."""
    return (
        *common_options(Side.DEVICE, family),
        f"-fplugin-arg-dovetail-facts={facts}",
        *flags.options(Side.DEVICE, family, own_targets),
        *_syntax_options(source, header),
    )


def host_check_command(source: Source, flags: Flags, *, header: Path | None) -> tuple[str, ...]:
    """Return the command that checks a source for the host."""
    return (*_host_options(source, flags, header), *_syntax_options(source, header))


def host_compile_command(
    source: Source,
    flags: Flags,
    *,
    header: Path | None,
    output: Path,
    dependencies: Sequence[str] = (),
    unique_prefix: str = "",
) -> tuple[str, ...]:
    """Return the command that compiles a source for the host to an object file.

    `dependencies` are clang's -M options; `unique_prefix` makes names of internal device code
    unique.
    """
    unique = f"-fplugin-arg-dovetail-unique-prefix={unique_prefix}"
    own = (unique,) if unique_prefix and source.is_cxx else ()
    lto = fat_object_options(flags.host)
    options = (*_host_options(source, flags, header), *lto, *own, *dependencies)
    return (*options, *_source_options(source, header, output))


def hides_symbols(flags: Flags) -> bool:
    """Return whether symbols of host code are hidden by default."""
    given = [option for option in flags.host if option.startswith(_VISIBILITY)]
    return given[-1:] not in ([], [f"{_VISIBILITY}default"])


def visible_main_command(compiled: Path) -> tuple[str, ...]:
    """Return the command that makes `main` visible in an object, if it defines it."""
    return (tool_path(LLVM_OBJCOPY), "--set-symbol-visibility=main=default", os.fspath(compiled))


def _host_options(source: Source, flags: Flags, header: Path | None) -> tuple[str, ...]:
    if not source.is_cxx:
        return (tool_path(CLANG), "-fPIC", *flags.options_without_sycl())
    bodies = (OMIT_BODIES,) if header else ()
    return (*common_options(Side.HOST), *flags.options(Side.HOST), *bodies)


def embed_command(output: Path) -> tuple[str, ...]:
    """Return the command that compiles standard input, which embeds a file."""
    return (
        tool_path(CLANG),
        "-fPIC",
        "-std=c++17",
        "-O2",
        "-isystem",
        os.fspath(include_directory()),
        "-c",
        "-x",
        "c++",
        "-",
        "-o",
        os.fspath(output),
    )


def object_command(section: Path, content: Path, output: Path) -> tuple[str, ...]:
    """Return the command that adds a section with device code to the host's object file.

    Linkers leave the section out of programs.
    """
    return (
        tool_path(LLVM_OBJCOPY),
        f"--add-section={SECTION}={section}",
        f"--set-section-flags={SECTION}=exclude,readonly",
        f"--set-section-type={SECTION}={SECTION_TYPE:#x}",
        os.fspath(content),
        os.fspath(output),
    )


def _syntax_options(source: Source, header: Path | None) -> tuple[str, ...]:
    return (*_precompiled_options(header), "-fsyntax-only", *_input_options(source))


def _source_options(source: Source, header: Path | None, output: Path) -> tuple[str, ...]:
    options = (*_precompiled_options(header), "-c", *_input_options(source))
    return (*options, "-o", os.fspath(output))


def _precompiled_options(header: Path | None) -> tuple[str, ...]:
    return (_INCLUDE_PCH, os.fspath(header), _NO_REDEFINITION) if header else ()


def _input_options(source: Source) -> tuple[str, ...]:
    path = f"./{source.path}" if source.path.startswith(("-", "@")) else source.path
    return ("-x", source.language, path if source.is_file else "-")
