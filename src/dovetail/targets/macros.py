"""Predefined macros that describe the targets to the SYCL headers.

`sycl::any_device_has` and `sycl::all_devices_have` depend on all targets of a program, in host and
device code. Each target that is one architecture has a macro: host code sees those of all targets,
as in DPC++, and device code only that of the target it is compiled for. With
`-fsycl-device-if=macros`, `if_architecture_is` and `if_device_has` are resolved from that macro.

The traits use two macros, each a list of aspect numbers, which `sycl/device_aspect_traits.hpp`
reads. DPC++ instead defines up to two macros for each aspect, by name, and one for a target that
may support others. Two lists need no table of names in the headers, and are more precise: a target
that may support other aspects still lacks those listed as absent. The second list contains what no
target has, rather than what one may have, so both are empty if nothing is known, and a compiler
that defines neither is correct.
"""

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.targets import Target

ALL_DEVICES_HAVE = "__SYCL_ALL_DEVICES_HAVE__"
NO_DEVICE_HAS = "__SYCL_NO_DEVICE_HAS__"
TARGET_ASPECTS = "__SYCL_TARGET_ASPECTS__"
DEVICE_IF_MACROS = "__SYCL_DEVICE_IF_MACROS__"

_SPELLINGS = {"x86_64": "intel_x86_64", "spir64_x86_64": "intel_x86_64"}


def trait_macros(targets: "Sequence[Target]") -> dict[str, str]:
    """Return the macros of the traits for a program built for these targets.

    Without targets there are none, since a driver compiles for its device at run time.
    """
    return {**_trait_macros(tuple(targets))} if targets else {}


# Cached, since every compilation of a source needs them.
@lru_cache(maxsize=16)
def _trait_macros(targets: "tuple[Target, ...]") -> dict[str, str]:
    """Return the macros that list the aspects of all devices, and those of none."""
    numbers = _all_aspects()
    known = [target.capabilities for target in targets]
    return _lists(
        {
            ALL_DEVICES_HAVE: [n for n in numbers if all(n in each.aspects for each in known)],
            NO_DEVICE_HAS: [
                n for n in numbers if all(each.aspect_verdict(n) == "no" for each in known)
            ],
        }
    )


def _all_aspects() -> list[int]:
    # Most builds name no targets and need not import the table of aspects.
    from dovetail.targets.aspects import aspect_names, aspect_number, deprecated_aspects

    return sorted({aspect_number(name) for name in [*aspect_names(), *deprecated_aspects()]})


def _lists(numbers: "Mapping[str, Sequence[int]]") -> dict[str, str]:
    return {macro: ",".join(map(str, listed)) for macro, listed in numbers.items() if listed}


def architecture_macros(targets: "Sequence[Target]") -> dict[str, str]:
    """Return the macros, each with the value 1, of the targets that are one architecture."""
    macros = (architecture_macro(target.name) for target in targets)
    return {macro: "1" for macro in macros if macro}


def device_architecture_macros(targets: "Sequence[Target]") -> dict[str, str]:
    """Return the architecture macros for device code that is compiled once for these targets.

    There are none for several targets, since no architecture holds for all of them.
    """
    return architecture_macros(targets) if len(targets) == 1 else {}


def device_if_macros(targets: "Sequence[Target]") -> dict[str, str]:
    """Return the macros that make the headers resolve conditions in device code for these targets.

    `device_architecture_macros` are needed too. For one architecture, the aspects that it is known
    to have are listed.
    """
    macros = {DEVICE_IF_MACROS: "1"}
    if device_architecture_macros(targets):
        has = targets[0].has
        macros |= _lists({TARGET_ASPECTS: [number for number in _all_aspects() if has(number)]})
    return macros


def architecture_macro(name: str) -> str:
    """Return the macro of a target, given by its own name; may be empty."""
    from dovetail.targets import _names

    if name not in _names.ArchitectureTable:
        return ""
    # In NVIDIA's names only the underscore before the number is dropped.
    spelling = _SPELLINGS.get(name, name.replace("_sm_", "_sm"))
    return f"__SYCL_TARGET_{spelling.upper()}__"
