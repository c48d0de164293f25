"""Text that a terminal can be shown, whoever wrote it."""

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """Names come from files that anyone may have written; a terminal must not obey them."""
    return _CONTROL.sub(lambda match: repr(match[0])[1:-1], text)
