"""What functions declare and kernels require by attributes of LLVM IR, as metadata.

Our passes attach both to what they compile from C++. IR of other tools may have the attributes
only; with the metadata, it is split, described and compiled the same way.
"""

from collections.abc import Collection

from dovetail.device_metadata import METADATA_OF_PROPERTIES, set_kernel_properties
from dovetail.errors import IRError
from dovetail.facts import MAX_ASPECTS
from dovetail.ir import Module
from dovetail.kernel_properties import DEVICE_HAS, KernelProperties, read_kernel_properties


def add_metadata_of_attributes(module: Module, kernels: Collection[str]) -> None:
    """Write the metadata of compile-time properties that a module has as attributes only.

    As in a source, every function can declare aspects; only kernels require sizes. Metadata that a
    function has counts more than its attributes.
    """
    given: dict[str, dict[str, str]] = {}
    for name, kinds in METADATA_OF_PROPERTIES.items():
        values = module.function_attributes(name)
        if not values:
            continue
        settled = {symbol for kind in kinds for symbol in module.function_metadata(kind)}
        for symbol in values.keys() - settled:
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
        raise IRError(
            f"{where}: property '{DEVICE_HAS}' names aspect {unknown[0]}, which no device can have"
        )
    return found
