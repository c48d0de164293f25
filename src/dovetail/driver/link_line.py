"""What is linked beside sources: objects, archives, libraries, the linker's own words, in order."""

from typing import TYPE_CHECKING, NamedTuple

from dovetail.frontend import PrecompiledHeader, Source

if TYPE_CHECKING:
    # Most programs are made of sources alone, and need not pay for what reads objects.
    from dovetail.image.device_section import DeviceSection


class LinkedObject(NamedTuple):
    """An object file that carries something of ours, or a member of an archive."""

    path: str
    section: "DeviceSection"
    archive: str = ""
    """The archive that it is in, if any; then `path` is the member's name."""

    def __str__(self) -> str:
        return f"{self.archive}({self.path})" if self.archive else self.path


class LinkLine(NamedTuple):
    """What the host's linker gets, and what of it carries device code."""

    words: tuple[Source | str, ...] = ()
    """In order; sources stand for their objects. Empty if there are only sources."""
    objects: tuple[LinkedObject, ...] = ()
    headers: tuple[PrecompiledHeader, ...] = ()
    """Those that objects took, whose bodies have to be linked."""
    warnings: tuple[str, ...] = ()
    """What is not done that objects ask for."""
