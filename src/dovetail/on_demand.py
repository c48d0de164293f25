"""Packages whose names are loaded on first use, so that nobody pays for what others need.

Such a package lists its exports once, where type checkers read them, at its end:

    __getattr__, __dir__ = lazy_exports(__name__)

    TYPE_CHECKING = False
    if TYPE_CHECKING:
        from dovetail.driver.step import Job as Job
        from dovetail.driver.step import jobs_of as jobs_of

These imports are compiled and never executed. Compiled code has its names in the order of the
source: after `TYPE_CHECKING` each module, followed by what is imported from it.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def lazy_exports(package: str) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Return `__getattr__` and `__dir__` for the package that calls this."""
    caller = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    exports = exports_of(caller.f_code.co_names)

    def load(name: str) -> object:
        return load_export(package, exports, name)

    return load, lambda: sorted(exports)


def exports_of(names: "Sequence[str]") -> dict[str, str]:
    """Return the module of each export, given the names in a package's code."""
    exports: dict[str, str] = {}
    module = ""
    for name in names[names.index("TYPE_CHECKING") + 1 :]:
        if "." in name:
            module = name
        else:
            exports[name] = module
    return exports


def load_export(package: str, exports: "Mapping[str, str]", name: str) -> object:
    """Return what a package exports under a name, and keep it there for the next time."""
    if name == "__all__":
        return sorted(exports)
    if name not in exports:
        raise AttributeError(f"module '{package}' has no attribute '{name}'")
    __import__(exports[name])
    found: object = getattr(sys.modules[exports[name]], name)
    setattr(sys.modules[package], name, found)
    return found
