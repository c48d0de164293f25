"""How an image was compiled: what else a runtime may want to know when it compiles on."""

from dovetail.image.property_sets import PropertySets
from dovetail.image.typed_set import SetReader, SetWriter

MISC_PROPERTIES_SET = "SYCL/misc properties"

_OPT_LEVEL = "optLevel"


def misc_properties(opt_level: int | None) -> dict[str, int | bytes]:
    """What goes into "SYCL/misc properties": the N of `-ON`, if it is known."""
    into = SetWriter(MISC_PROPERTIES_SET)
    if opt_level is not None:
        into.add_number(_OPT_LEVEL, opt_level)
    return into.properties


def opt_level_of(sets: PropertySets) -> int | None:
    """The level of optimisation that an image was compiled with, if it is known."""
    return SetReader(MISC_PROPERTIES_SET, sets).number(_OPT_LEVEL)
