"""How a program is split into images, as the user may choose."""

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
