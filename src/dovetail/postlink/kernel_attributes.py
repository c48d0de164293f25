"""Convert property attributes to metadata, for declared aspects and required sizes.

Dovetail's passes attach both to code compiled from C++. IR of other tools may have only the
attributes; with the metadata it is processed in the same way.
"""

from collections.abc import Collection

from dovetail.device_metadata import METADATA_OF_PROPERTIES, set_kernel_properties
from dovetail.errors import IRError
from dovetail.facts import MAX_ASPECTS
from dovetail.ir import Module
from dovetail.kernel_properties import DEVICE_HAS, KernelProperties, read_kernel_properties


def add_metadata_of_attributes(module: Module, kernels: Collection[str]) -> None:
    """Add metadata for properties that a module has only as attributes.

    All functions can declare aspects, but only kernels can require sizes. Existing metadata takes
    precedence.
    """
    given: dict[str, dict[str, str]] = {}
    for name, kinds in METADATA_OF_PROPERTIES.items():
        values = module.function_attributes(name)
        if not values:
            continue
        existing = {symbol for kind in kinds for symbol in module.function_metadata(kind)}
        for symbol in values.keys() - existing:
            if name == DEVICE_HAS or symbol in kernels:
                given.setdefault(symbol, {})[name] = values[symbol]
    if given:
        properties = {symbol: _read(module, symbol, given[symbol]) for symbol in sorted(given)}
        set_kernel_properties(module, properties)


def _read(module: Module, symbol: str, attributes: dict[str, str]) -> KernelProperties:
    where = f"{module.name}: function '{symbol}'"
    try:
        found = read_kernel_properties(attributes)
    except ValueError as error:
        raise IRError(f"{where}: {error}") from None
    unknown = [number for number in found.aspects or () if number >= MAX_ASPECTS]
    if unknown:
        raise IRError(f"{where}: property '{DEVICE_HAS}': there is no aspect {unknown[0]}")
    return found
