"""`dovetail.build`: build a program from Python."""

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from dovetail.driver.device_compilations import are_features_unused, is_resolution_unused
from dovetail.driver.installed_gpus import targets_to_run_here
from dovetail.driver.options import (
    DEVICE_IF,
    DEVICE_IF_RESOLVE,
    check_aspect_use_mode,
    check_one_of,
    check_standard,
    optional_features as features_named,
    split_mode,
)
from dovetail.driver.requests import BuildRequest
from dovetail.driver.run import build_program
from dovetail.driver.target_choice import choose_targets
from dovetail.errors import UsageError
from dovetail.frontend import Flags, Source
from dovetail.passes import OPTIMIZATION_LEVELS

if TYPE_CHECKING:
    from dovetail.runtime import Program

Standard: TypeAlias = Literal[
    "c++17", "c++20", "c++23", "c++26", "gnu++17", "gnu++20", "gnu++23", "gnu++26"
]
OptimizationLevel: TypeAlias = Literal[0, 1, 2, 3, "0", "1", "2", "3", "s", "z"]
AspectUseMode: TypeAlias = Literal["written", "optimized"]
CodeSplit: TypeAlias = Literal["auto", "per_source", "per_kernel", "off"]
OptionalFeatureMode: TypeAlias = Literal["split", "conditional"]
DeviceIf: TypeAlias = Literal["calls", "macros"]
DeviceIfResolution: TypeAlias = Literal["", "early", "late"]


class CompileWarning(UserWarning):
    """A warning of clang about a source, or about the targets of a build."""


def build(
    *sources: str | os.PathLike[str],
    standard: Standard = "c++17",
    optimization: OptimizationLevel = 2,
    macros: Mapping[str, str | int | None] | None = None,
    include_directories: Sequence[str | os.PathLike[str]] = (),
    targets: str | Sequence[str] = (),
    device_config_files: Sequence[str | os.PathLike[str]] = (),
    fixed_targets: str | Sequence[str] = (),
    aspects: AspectUseMode = "written",
    device_code_split: CodeSplit = "auto",
    optional_features: OptionalFeatureMode = "split",
    device_if: DeviceIf = "calls",
    device_if_resolve: DeviceIfResolution = "",
) -> "Program":
    """Build a program from C++ sources.

    Args:
        sources: Paths of files, or C++ text. A string is text if it contains a line break or, if
            no file of that name exists, a brace.
        standard: The C++ standard, as in `-std=`.
        optimization: The optimization level, as in `-O`.
        macros: Values by name; None defines a macro without a value.
        include_directories: Folders to look for headers in, as in `-I`.
        targets: Names, or one string as in `-fsycl-targets=`. Without any, the device's driver
            compiles the program when it is loaded.
        device_config_files: YAML files that add or change targets.
        fixed_targets: The only targets that the program is meant to run on: warn about kernels
            that one of them cannot run.
        aspects: What counts as a use of an aspect, as in `-fsycl-aspects=`: every use in the
            source (`written`), or only those left after optimization (`optimized`).
        device_code_split: Which kernels share an image, as in `-fsycl-device-code-split=`.
        optional_features: Whether kernels that not every device can run are in separate images
            (`split`) or in one image with the others (`conditional`), as in
            `-fsycl-optional-features=`.
        device_if: What resolves conditions on devices, as in `-fsycl-device-if=`.
        device_if_resolve: When they are resolved, as in `-fsycl-device-if-resolve=`.
    """
    if str(optimization) not in OPTIMIZATION_LEVELS:
        known = ", ".join(OPTIMIZATION_LEVELS)
        raise UsageError(f"unknown optimization level '{optimization}'", hint=f"use one of {known}")
    check_standard(standard)
    check_aspect_use_mode(aspects)
    features = features_named(optional_features)
    check_one_of(DEVICE_IF, device_if)
    if device_if_resolve:
        check_one_of(DEVICE_IF_RESOLVE, device_if_resolve)
    # The program is meant to run in this process.
    choice = choose_targets(
        targets or targets_to_run_here(), device_config_files, fixed=fixed_targets
    )
    for warning in choice.warnings:
        warnings.warn(warning, CompileWarning, stacklevel=2)
    flags = Flags(
        standard=standard,
        optimization=str(optimization),
        macros=tuple(_definition(name, value) for name, value in (macros or {}).items()),
        include_directories=tuple(f"-I{os.fspath(folder)}" for folder in include_directories),
        aspects=aspects,
        device_if=device_if,
        device_if_resolve=device_if_resolve,
        targets=choice.targets,
        fixed_targets=choice.fixed,
        configured_targets=choice.configured,
    )
    unused = {
        f"device_if_resolve='{device_if_resolve}'": is_resolution_unused(flags),
        f"optional_features='{features}'": are_features_unused(features, flags),
    }
    for given in (given for given, is_unused in unused.items() if is_unused):
        text = f"dovetail: warning: {given} has no effect here"
        warnings.warn(text, CompileWarning, stacklevel=2)
    split = split_mode(device_code_split)
    request = BuildRequest(tuple(map(_source, sources)), flags, split=split, features=features)
    built = build_program(request)
    if built.warnings:
        warnings.warn(built.warnings, CompileWarning, stacklevel=2)
    # Imported here because commands that only compile do not need the runtime.
    from dovetail.runtime import Program

    return Program.from_bytes(built.program)


def _source(given: str | os.PathLike[str]) -> Source:
    if not isinstance(given, str | os.PathLike):
        raise UsageError(f"expected a source as a path or C++ text, got {type(given).__name__}")
    if isinstance(given, str) and ("\n" in given or ("{" in given and not Path(given).exists())):
        return Source.from_text(given)
    return Source.from_file(given)


def _definition(name: str, value: str | int | None) -> str:
    return f"-D{name}" if value is None else f"-D{name}={value}"
