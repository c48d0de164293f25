"""Packages whose names are loaded on first use, so that nobody pays for what others need.

A package that does so says twice what it has, for type checkers and for the table:

    if TYPE_CHECKING:
        from dovetail.driver.bind import Job as Job, bind as bind

    __getattr__ = on_demand(__name__, {"bind": ("Job", "bind")})
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def on_demand(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """A package's `__getattr__`; `homes` says which of its modules has which names."""
    module_of = {name: module for module, names in homes.items() for name in names}

    def load(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        home = import_module(f"{package}.{module_of[name]}")
        # All at once, as one of them may be called as the module is, which Python has put there.
        for each in homes[module_of[name]]:
            setattr(sys.modules[package], each, getattr(home, each))
        return getattr(home, name)

    return load
