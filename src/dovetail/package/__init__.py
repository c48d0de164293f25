"""Packaging: compiled images in, one program file out."""

from dovetail.package.program import package_program

__all__ = ["package_program"]
