"""Linker scripts that stand for libraries: a text, where a library or an object is expected.

Of such scripts only `INPUT` and `GROUP` matter here, which name what is linked in their place.
"""

import re
from collections.abc import Iterator

# One without an end goes to the end of the text: to look for the end of each would take long.
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_TOKEN = re.compile(r'"([^"]*)"|([()])|([^\s,()"]+)')
_COMMANDS = ("INPUT", "GROUP")
_AS_NEEDED = "AS_NEEDED"

_LARGEST = 1 << 20
"""Nobody writes longer ones by hand; what is longer is something else."""


def is_linker_script(content: memoryview) -> bool:
    """Whether a file that is no object and no archive can be one: linkers take it for one."""
    return 0 < len(content) <= _LARGEST and 0 not in bytes(content)


def script_inputs(content: memoryview) -> Iterator[str]:
    """What the script names, in order: files, and libraries as `-lNAME`."""
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
