"""Native code for Intel's GPUs, compiled by ocloc."""

from dovetail.codegen.ocloc.generator import OclocGenerator

__all__ = ["OclocGenerator"]
