"""Names for functions of one source that others see, and that no other source may have."""

import re
from pathlib import PurePath

from dovetail.ir import Module
from dovetail.passes.base import PassContext


def unique_part(context: PassContext, module: Module) -> str:
    """What tells the source from others; by its name, if nobody said more."""
    return context.unique_prefix or re.sub(r"\W", "_", PurePath(module.name).stem, flags=re.ASCII)


def external_name(symbol: str, unique: str) -> str:
    """The name of an internal function that other modules are to refer to."""
    # Assemblers of all devices take a dollar sign in names, but PTX no dot.
    return f"{symbol}${unique}"
