"""Packaging: compiled images in, a program file out.

With host code, one that starts by itself; or a source that puts it into a shared library.
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.package.executable import package_executable
    from dovetail.package.program import library_source, package_program

__all__ = ["library_source", "package_executable", "package_program"]

__getattr__ = on_demand(
    __name__,
    {
        "executable": ("package_executable",),
        "program": ("library_source", "package_program"),
    },
)
