"""Building a program from Python: `dovetail.build`."""

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.driver.choice import choose_targets
from dovetail.driver.options import (
    DEVICE_IF,
    DEVICE_IF_RESOLVE,
    check_one_of,
    check_reading,
    check_standard,
    split_mode,
)
from dovetail.driver.options import optional_features as features_named
from dovetail.driver.requests import BuildRequest
from dovetail.driver.run import build_program
from dovetail.driver.units import are_features_unused, is_resolution_unused
from dovetail.errors import UsageError
from dovetail.frontend import Flags, Source
from dovetail.passes import OPTIMIZATION_LEVELS

if TYPE_CHECKING:
    from dovetail.runtime import Program


class CompileWarning(UserWarning):
    """Warnings about a source, by clang, or about the targets to build it for."""


def build(
    *sources: str | os.PathLike[str],
    standard: str = "c++17",
    optimization: int | str = 2,
    macros: Mapping[str, str | int | None] | None = None,
    include_directories: Sequence[str | os.PathLike[str]] = (),
    targets: str | Sequence[str] = (),
    device_config_files: Sequence[str | os.PathLike[str]] = (),
    fixed_targets: str | Sequence[str] = (),
    aspects: str = "written",
    device_code_split: str = "auto",
    optional_features: str = "split",
    device_if: str = "calls",
    device_if_resolve: str = "",
) -> "Program":
    """Build a program from C++ sources.

    Each source is a file's path or the C++ text itself: a string with a line break in it or, if
    there is no such file, with a brace. `macros` maps names to values, or to None for a plain
    definition. `targets` are names, or one string as `-fsycl-targets` takes it; without any, a
    device's driver compiles the program as it is loaded. `device_config_files` add targets or
    update known ones. `fixed_targets` are those that the program is meant to run on, if no other;
    a kernel that one of them cannot run is warned of. `aspects` says what counts as a use of an
    aspect, as `-fsycl-aspects` does: all that is `written`, or what is left of it when it is
    `optimized`. `device_code_split` says which kernels share an image, as
    `-fsycl-device-code-split` does; `optional_features`, whether those that not every device can
    run have images of their own (`split`) or are in one with the others, `conditional`, as
    `-fsycl-optional-features` does. `device_if` and `device_if_resolve` say what decides which code
    is for which device, and when, as `-fsycl-device-if` and `-fsycl-device-if-resolve` do.
    """
    if str(optimization) not in OPTIMIZATION_LEVELS:
        known = ", ".join(OPTIMIZATION_LEVELS)
        raise UsageError(
            f"there is no optimisation level '{optimization}'", hint=f"levels: {known}"
        )
    check_standard(standard)
    check_reading(aspects)
    features = features_named(optional_features)
    check_one_of(DEVICE_IF, device_if)
    if device_if_resolve:
        check_one_of(DEVICE_IF_RESOLVE, device_if_resolve)
    choice = choose_targets(targets, device_config_files, fixed=fixed_targets)
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
        text = f"dovetail: warning: {given} changes nothing here"
        warnings.warn(text, CompileWarning, stacklevel=2)
    split = split_mode(device_code_split)
    request = BuildRequest(tuple(map(_source, sources)), flags, split=split, features=features)
    built = build_program(request)
    if built.warnings:
        warnings.warn(built.warnings, CompileWarning, stacklevel=2)
    # Commands that only compile need not pay for the runtime.
    from dovetail.runtime import Program

    return Program.from_bytes(built.program)


def _source(given: str | os.PathLike[str]) -> Source:
    if not isinstance(given, str | os.PathLike):
        raise UsageError(f"a source is a path or a text, not a {type(given).__name__}")
    if isinstance(given, str) and ("\n" in given or ("{" in given and not Path(given).exists())):
        return Source.from_text(given)
    return Source.from_file(given)


def _definition(name: str, value: str | int | None) -> str:
    return f"-D{name}" if value is None else f"-D{name}={value}"
