"""Options for splitting a program into images."""

from enum import StrEnum


class SplitMode(StrEnum):
    """How entry points are grouped, before groups are split by requirements."""

    AUTO = "auto"
    """By source; all together if there are indirect calls."""
    SOURCE = "source"
    KERNEL = "kernel"
    """One entry point per group."""
    OFF = "off"
    """All together."""
    NONE = "none"
    """One image that requires all aspects that any entry point uses, and no sizes."""


class OptionalFeatures(StrEnum):
    """How kernels with different requirements are separated."""

    SPLIT = "split"
    """They are in different images, and conditionally called functions are in add-on images."""
    CONDITIONAL = "conditional"
    """They share images, in which functions have conditions."""
