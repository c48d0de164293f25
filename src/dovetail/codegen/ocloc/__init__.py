"""Native code for Intel's GPUs, by ocloc."""

from dovetail.codegen.ocloc.generator import OclocGenerator

__all__ = ["OclocGenerator"]
