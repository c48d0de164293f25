"""Read linker scripts that are given in place of a library or an object.

Only their commands `INPUT` and `GROUP` matter here: they name the files to link instead.
"""

import re
from collections.abc import Iterator

# An unterminated comment extends to the end of the text; without `\Z` the search is quadratic.
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_TOKEN = re.compile(r'"([^"]*)"|([()])|([^\s,()"]+)')
_COMMANDS = ("INPUT", "GROUP")
_AS_NEEDED = "AS_NEEDED"

_MAX_SIZE = 1 << 20
"""Larger files are not linker scripts."""


def is_linker_script(content: memoryview) -> bool:
    """Return whether a file that is not an object or archive is treated as a script: it is text."""
    return 0 < len(content) <= _MAX_SIZE and 0 not in bytes(content)


def script_inputs(content: memoryview) -> Iterator[str]:
    """Return the files that the script names, and libraries as `-lNAME`, in order."""
    text = _COMMENT.sub(" ", bytes(content).decode(errors="surrogateescape"))
    depth = 0
    before = ""
    for match in _TOKEN.finditer(text):
        quoted, parenthesis, word = match.groups()
        if parenthesis == "(":
            depth += 1 if depth or before in _COMMANDS else 0
        elif parenthesis == ")":
            depth = max(depth - 1, 0)
        elif depth and word != _AS_NEEDED:
            yield quoted if quoted is not None else word
        before = word or ""
