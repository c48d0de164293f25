"""How a program is split into images and kernels are kept apart, as the user may choose."""

from enum import StrEnum


class SplitMode(StrEnum):
    """How entry points are grouped before their requirements are looked at."""

    AUTO = "auto"
    """By source; all together where indirect calls exist."""
    SOURCE = "source"
    KERNEL = "kernel"
    """Each entry point on its own."""
    OFF = "off"
    """All together."""
    NONE = "none"
    """One image whatever they require: all aspects that any of them uses, and no required sizes."""


class OptionalFeatures(StrEnum):
    """What is done so that no kernel keeps another from a device that could run it."""

    SPLIT = "split"
    """Kernels with different requirements are in different images, and what is called under
    conditions is in add-on images."""
    CONDITIONAL = "conditional"
    """They share images, whose code says what is for which devices."""
