"""Response files: `@FILE` on a command line, with the quoting rules of clang and GNU tools."""

import re
from collections.abc import Sequence
from pathlib import Path

from dovetail.errors import UsageError
from dovetail.files import RESPONSE_FILE, read_bytes

# A part of an argument: an escaped character, a quoted text, or plain characters.
_PART = (
    r"""(?s)\\(?P<escaped>.)|'(?P<single>(?:\\.|[^'\\])*)'|"(?P<double>(?:\\.|[^"\\])*)\""""
    r"|(?P<plain>[^\s\\'\"]+|[\\'\"])"
)
_ESCAPE = r"(?s)\\(.)"

# Response files can name response files; a limit, since one may name itself.
_MAX_FILES = 1000


def expanded(args: Sequence[str]) -> list[str]:
    """Replace `@FILE` by the arguments in the file; keep it if the file does not exist."""
    pending, found, files = list(reversed(args)), list[str](), 0
    while pending:
        arg = pending.pop()
        text = _text(arg[1:]) if arg.startswith("@") and arg != "@" else None
        if text is None:
            found.append(arg)
            continue
        files += 1
        if files > _MAX_FILES:
            raise UsageError(
                f"more than {_MAX_FILES} response files are named, among them '{arg}'",
                hint="check whether a response file names itself",
            )
        pending += reversed(split_arguments(text))
    return found


def split_arguments(text: str) -> list[str]:
    """Return the arguments in the text of a response file."""
    args: list[list[str]] = []
    end = -1
    for part in re.finditer(_PART, text):
        # An adjacent part continues the same argument.
        if part.start() != end:
            args.append([])
        args[-1].append(_value(part))
        end = part.end()
    return list(map("".join, args))


def _value(part: re.Match[str]) -> str:
    if part["escaped"] is not None:
        return part["escaped"]
    quoted = part["single"] if part["single"] is not None else part["double"]
    return part["plain"] if quoted is None else re.sub(_ESCAPE, r"\1", quoted)


def _text(path: str) -> str | None:
    try:
        Path(path).stat()
    except (OSError, ValueError):
        return None
    return read_bytes(path, RESPONSE_FILE).decode(errors="surrogateescape")
