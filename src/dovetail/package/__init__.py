"""Packaging: compiled images in, a program file out; with host code, one that starts by itself."""

from dovetail.package.executable import package_executable
from dovetail.package.program import package_program

__all__ = ["package_executable", "package_program"]
