"""Packages that import their exports on first use, to keep start-up fast.

Such a package lists its exports once, as imports for type checkers at its end:

    __getattr__, __dir__ = lazy_exports(__name__)

    TYPE_CHECKING = False
    if TYPE_CHECKING:
        from dovetail.driver.step import Job as Job, jobs_of as jobs_of

These imports are compiled but never executed. The compiled code lists names in source order: after
`TYPE_CHECKING`, each module is followed by the names imported from it.
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
    """Map each name that a package imports under `TYPE_CHECKING` to its module.

    `names` is `co_names` of the package's code, where each module precedes the names imported from
    it.
    """
    exports: dict[str, str] = {}
    module = ""
    for name in names[names.index("TYPE_CHECKING") + 1 :]:
        if "." in name:
            module = name
        else:
            exports[name] = module
    return exports


def load_export(package: str, exports: "Mapping[str, str]", name: str) -> object:
    """Import an export of a package and store it there as an attribute."""
    if name == "__all__":
        return sorted(exports)
    if name not in exports:
        raise AttributeError(f"module '{package}' has no attribute '{name}'")
    __import__(exports[name])
    found: object = getattr(sys.modules[exports[name]], name)
    setattr(sys.modules[package], name, found)
    return found
