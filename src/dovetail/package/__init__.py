"""Packaging: compiled images in, a program file out.

With host code, one that starts by itself; or a source that puts it into a shared library.
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.package.executable import package_executable
    from dovetail.package.library import library_source
    from dovetail.package.program import package_program

__all__ = ["library_source", "package_executable", "package_program"]

__getattr__ = on_demand(
    __name__,
    {
        "executable": ("package_executable",),
        "library": ("library_source",),
        "program": ("package_program",),
    },
)
