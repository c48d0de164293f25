"""The requests that the driver accepts: the input of the planner."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from dovetail.driver.inputs import LinkLine
from dovetail.driver.target_choice import NO_TARGET_OPTIONS
from dovetail.frontend import Dependencies, Flags, PrecompiledHeader, Source
from dovetail.postlink import OptionalFeatures, SplitMode
from dovetail.targets.ir_family import IRFamily


class BuildRequest(NamedTuple):
    """A device program to build from sources."""

    sources: tuple[Source, ...]
    flags: Flags = Flags()
    output: Path | None = None
    """The file to write; None to return the program only."""
    split: SplitMode = SplitMode.AUTO
    """How kernels are grouped into images."""
    features: OptionalFeatures = OptionalFeatures.SPLIT
    """How kernels that not every device can run are separated from the others."""
    line: LinkLine = LinkLine()
    """The other inputs of the linker, and its options."""
    rdc: bool = True
    """Whether device code of different sources is linked together."""
    target_options: Mapping[str, tuple[str, ...]] = NO_TARGET_OPTIONS
    """Options for the compilers of targets, by the target's name."""
    keep_going: bool = False
    """Whether to build the program without code that compilers reject."""


class ObjectRequest(NamedTuple):
    """Sources to compile, each to an object file that contains its device code."""

    sources: tuple[Source, ...]
    outputs: tuple[Path, ...] = ()
    """One for each source, in order; empty to only check the sources."""
    flags: Flags = Flags()
    dependencies: Dependencies = Dependencies()
    completed: "RunRequest | None" = None
    """How to complete the device code of each source, for any linker; None to link it later."""


class RunRequest(NamedTuple):
    """A program to build for host and devices, and to start now or to write to a file."""

    sources: tuple[Source, ...]
    flags: Flags = Flags()
    arguments: tuple[str, ...] = ()
    """The arguments of the program's `main`, after its name, if it is started now."""
    split: SplitMode = SplitMode.AUTO
    features: OptionalFeatures = OptionalFeatures.SPLIT
    output: Path | None = None
    """The file to write; None if the program is started now."""
    shared: bool = False
    """Whether the file is a shared library."""
    line: LinkLine = LinkLine()
    """The other inputs of the linker, and its options."""
    dependencies: Dependencies = Dependencies()
    rdc: bool = True
    """Whether device code of different sources is linked together."""
    target_options: Mapping[str, tuple[str, ...]] = NO_TARGET_OPTIONS
    """Options for the compilers of targets, by the target's name."""
    keep_going: bool = False
    """Whether to build the program without code that compilers reject."""


class PassRequest(NamedTuple):
    """Passes to run over a file of IR."""

    input: str
    """`-` for standard input."""
    pipeline: str
    facts: str | None = None
    """The file of the front-end's facts about the module."""


class CheckRequest(NamedTuple):
    """Sources to check without generating code."""

    sources: tuple[Source, ...]
    flags: Flags = Flags()


CompileRequest = BuildRequest | RunRequest | CheckRequest | ObjectRequest
"""The requests whose first step is clang."""

Request = CompileRequest | PassRequest


class Headers(NamedTuple):
    """The precompiled headers that are available: for the host, and for each device IR family."""

    host: PrecompiledHeader | None = None
    device: Mapping[IRFamily, PrecompiledHeader] = MappingProxyType({})
