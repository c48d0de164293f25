"""What the compiler tells `sycl::any_device_has` and `sycl::all_devices_have` about the targets.

Comes in: the targets of a program. Goes out: two macros, each a list of aspects' numbers, which
`sycl/device_aspect_traits.hpp` reads. DPC++ defines up to two macros for each aspect instead, by
name, and one more for a target that may support others. Two lists say the same without a table of
names in the headers, and more exactly: that a target may support others does not bring back what
it is known to lack. Listing what no target has, rather than what one may have, makes the lists
empty where nothing is known, so that a compiler which defines nothing is right as well.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.targets import Target

ALL_DEVICES_HAVE = "__SYCL_ALL_DEVICES_HAVE__"
NO_DEVICE_HAS = "__SYCL_NO_DEVICE_HAS__"


def trait_macros(targets: "Sequence[Target]") -> dict[str, str]:
    """Names and values of the macros for a program built for these targets.

    None for no targets: then a driver compiles for its device as the program runs, and that may be
    any device.
    """
    if not targets:
        return {}
    # Most programs list no targets, and do without the list of all aspects.
    from dovetail.targets.aspects import aspect_names, aspect_number, deprecated_aspects

    names = [*aspect_names(), *deprecated_aspects()]
    numbers = sorted({aspect_number(name) for name in names})
    lists = {
        ALL_DEVICES_HAVE: [n for n in numbers if all(target.has(n) for target in targets)],
        NO_DEVICE_HAS: [n for n in numbers if not any(target.may_have(n) for target in targets)],
    }
    return {macro: ",".join(map(str, listed)) for macro, listed in lists.items() if listed}
