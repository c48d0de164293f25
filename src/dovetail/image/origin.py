"""How a search path for shared libraries says that they are beside the program."""

import re

ORIGIN = re.compile(rb"\$(?:ORIGIN\b|\{ORIGIN\})")

ROOM = "/" + "-" * 4095
"""An entry of a search path that is no folder: no name may be as long."""


def names_origin(words: str) -> bool:
    """Whether words for the linker speak of the program's folder."""
    return bool(ORIGIN.search(words.encode(errors="surrogateescape")))
