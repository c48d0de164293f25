"""What the compiler tells the headers about the targets, as macros.

`sycl::any_device_has` and `sycl::all_devices_have` need to know of all targets of a program, on
both sides. Each target that is one architecture has a macro of its own, which the host's side sees
for every target, as with DPC++, and device code only for the target that it is compiled for.
`if_architecture_is` and `if_device_has` need to know of that one target if the headers are to
decide by themselves.

The traits get two macros, each a list of aspects' numbers, which `sycl/device_aspect_traits.hpp`
reads. DPC++ defines up to two macros for each aspect instead, by name, and one more for a target
that may support others. Two lists say the same without a table of names in the headers, and more
exactly: that a target may support others does not bring back what it is known to lack. Listing what
no target has, rather than what one may have, makes the lists empty where nothing is known, so that
a compiler which defines nothing is right as well.
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
    """Names and values of the macros for a program built for these targets.

    None for no targets: then a driver compiles for its device as the program runs, and that may be
    any device.
    """
    return {**_trait_macros(tuple(targets))} if targets else {}


# Every command that compiles a source has them.
@lru_cache(maxsize=16)
def _trait_macros(targets: "tuple[Target, ...]") -> dict[str, str]:
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
    # Most programs list no targets, and do without the list of all aspects.
    from dovetail.targets.aspects import aspect_names, aspect_number, deprecated_aspects

    return sorted({aspect_number(name) for name in [*aspect_names(), *deprecated_aspects()]})


def _lists(numbers: "Mapping[str, Sequence[int]]") -> dict[str, str]:
    return {macro: ",".join(map(str, listed)) for macro, listed in numbers.items() if listed}


def architecture_macros(targets: "Sequence[Target]") -> dict[str, str]:
    """Return the macros of those targets that are one architecture; each is 1."""
    macros = (architecture_macro(target.name) for target in targets)
    return {macro: "1" for macro in macros if macro}


def device_architecture_macros(targets: "Sequence[Target]") -> dict[str, str]:
    """Return what is defined where device code is compiled once for all these targets.

    That is nothing for several targets: no architecture is true for each of them.
    """
    return architecture_macros(targets) if len(targets) == 1 else {}


def device_if_macros(targets: "Sequence[Target]") -> dict[str, str]:
    """What has the headers decide conditions on devices, beside `device_architecture_macros`.

    It is for device code that is compiled for these targets. If they are one architecture, its
    aspects are those that it is known to have.
    """
    macros = {DEVICE_IF_MACROS: "1"}
    if device_architecture_macros(targets):
        has = targets[0].has
        macros |= _lists({TARGET_ASPECTS: [number for number in _all_aspects() if has(number)]})
    return macros


def architecture_macro(name: str) -> str:
    """The macro of the target of that name, which is no alias; may be empty."""
    from dovetail.targets import _names

    if name not in _names.ArchitectureTable:
        return ""
    # NVIDIA's names lose the underscore before the number, and only there.
    spelling = _SPELLINGS.get(name, name.replace("_sm_", "_sm"))
    return f"__SYCL_TARGET_{spelling.upper()}__"
