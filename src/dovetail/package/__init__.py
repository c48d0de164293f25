"""Packaging: compiled images in, a program file out.

With host code, one that starts by itself; or a source that puts it into a shared library.
"""

from dovetail.package.executable import package_executable
from dovetail.package.library import library_source
from dovetail.package.program import package_program

__all__ = ["library_source", "package_executable", "package_program"]
