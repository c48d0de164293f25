"""How kernels for different devices are kept apart, as the user may choose."""

from enum import StrEnum


class OptionalFeatures(StrEnum):
    """What is done so that no kernel keeps another from a device that could run it."""

    SPLIT = "split"
    """Kernels with different requirements are in different images, and what is called under
    conditions is in add-on images."""
    CONDITIONAL = "conditional"
    """They share images, whose code says what is for which devices."""
