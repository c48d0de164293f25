"""Packages whose names are loaded on first use, so that nobody pays for what others need.

A package that does so says twice what it has, for type checkers and for the table:

    if TYPE_CHECKING:
        from dovetail.driver.binding import Job as Job, bind as bind

    __getattr__ = on_demand(__name__, {"binding": ("Job", "bind")})
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def on_demand(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """A package's `__getattr__`; `homes` says which of its modules has which names."""
    module_of = {name: module for module, names in homes.items() for name in names}
    # Python puts a module into its package under its own name, where nobody would ask for another.
    assert not set(module_of) & set(homes), "modules are called as what they hold"

    def load(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        home = import_module(f"{package}.{module_of[name]}")
        found: object = getattr(home, name)
        setattr(sys.modules[package], name, found)
        return found

    return load
