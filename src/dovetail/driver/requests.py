"""What the driver can be asked for: the input of the planner."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from dovetail.driver.choice import NOTHING_TOLD
from dovetail.driver.inputs import LinkLine
from dovetail.frontend import Dependencies, Flags, PrecompiledHeader, Source
from dovetail.postlink import OptionalFeatures, SplitMode
from dovetail.targets.ir_family import IRFamily


class BuildRequest(NamedTuple):
    """A program to be built from sources."""

    sources: tuple[Source, ...]
    flags: Flags = Flags()
    output: Path | None = None
    """Where the program goes; None if it is only wanted in memory."""
    split: SplitMode = SplitMode.AUTO
    """How kernels are grouped into images."""
    features: OptionalFeatures = OptionalFeatures.SPLIT
    """How kernels that not every device can run are kept from the others."""
    line: LinkLine = LinkLine()
    """What else is linked."""
    rdc: bool = True
    """Whether device code of different sources is linked; else each source's stands by itself."""
    target_options: Mapping[str, tuple[str, ...]] = NOTHING_TOLD
    """What the compilers of some targets are told, by the target's name."""
    keep_going: bool = False
    """Whether there is to be a program although compilers refuse some of its code."""


class ObjectRequest(NamedTuple):
    """Sources to be compiled, each into an object file that carries its device code."""

    sources: tuple[Source, ...]
    outputs: tuple[Path, ...] = ()
    """Of each source, in their order; none if they are only to be checked."""
    flags: Flags = Flags()
    dependencies: Dependencies = Dependencies()


class RunRequest(NamedTuple):
    """A program to be built, host side and device side, and started now or from a file."""

    sources: tuple[Source, ...]
    flags: Flags = Flags()
    arguments: tuple[str, ...] = ()
    """What the program's main gets, behind its name, if it is started now."""
    split: SplitMode = SplitMode.AUTO
    features: OptionalFeatures = OptionalFeatures.SPLIT
    output: Path | None = None
    """Where the file goes; None if the program is started now."""
    shared: bool = False
    """Whether the file is a shared library, for programs to load."""
    line: LinkLine = LinkLine()
    """What else is linked."""
    dependencies: Dependencies = Dependencies()
    rdc: bool = True
    """Whether device code of different sources is linked; else each source's stands by itself."""
    target_options: Mapping[str, tuple[str, ...]] = NOTHING_TOLD
    """What the compilers of some targets are told, by the target's name."""
    keep_going: bool = False
    """Whether there is to be a program although compilers refuse some of its code."""


class PassRequest(NamedTuple):
    """Passes to be run over a file of IR."""

    input: str
    """`-` for standard input."""
    pipeline: str
    facts: str | None = None
    """The file of the front-end's facts about the module."""


class CheckRequest(NamedTuple):
    """Sources to be looked at, without code being made of them."""

    sources: tuple[Source, ...]
    flags: Flags = Flags()


CompileRequest = BuildRequest | RunRequest | CheckRequest | ObjectRequest
"""Whatever starts with clang."""

Request = CompileRequest | PassRequest


class Headers(NamedTuple):
    """The precompiled header of each side, and of each family of device code, that can be had."""

    host: PrecompiledHeader | None = None
    device: Mapping[IRFamily, PrecompiledHeader] = MappingProxyType({})
