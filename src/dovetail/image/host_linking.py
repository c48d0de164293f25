"""What the linker of host code is told: the section of device code, and where libraries are."""

import re

SECTION = ".llvm.offloading"
"""In object files: the section that device code is in."""
SECTION_TYPE = 0x6FFF4C0B

ORIGIN = re.compile(rb"\$(?:ORIGIN\b|\{ORIGIN\})")
"""How a search path for shared libraries says that they are beside the program."""

ROOM = "/" + "-" * 4095
"""An entry of a search path that is no folder: no name may be as long."""


def names_origin(words: str) -> bool:
    """Whether words for the linker speak of the program's folder."""
    return bool(ORIGIN.search(words.encode(errors="surrogateescape")))
