"""Escaping of untrusted text for terminals.

File names, kernel names and messages of other programs can contain characters that a terminal
interprets or does not show: control characters, characters that reverse the direction of text, and
invisible ones. They are printed as escapes such as `\\u202e`.
"""

import os
import re
from collections.abc import Callable, Iterable
from functools import cache

# Unicode's categories Cc, Cf, Cs, Zl and Zp, except line feed and tab; invisible letters.
_UNSAFE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
    "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
)
_IN_A_LINE = f"[\n\t{_UNSAFE}]"
_IN_LINES = f"[{_UNSAFE}]"
_IN_COLORED_LINES = rf"(?P<color>\x1b\[[0-9;]*[mK])|{_IN_LINES}"


def visible(text: str) -> str:
    """Escape a text for one line of a terminal."""
    # Fast path: most texts need no escapes, nor the compiled pattern.
    return text if _is_plain(text) else _compiled(_IN_A_LINE).sub(_escaped, text)


def visible_lines(text: str, *, colors: bool = False) -> str:
    """Escape a text for a terminal, except line feeds, tabs and, if `colors`, color sequences."""
    if _is_plain(text.replace("\n", "").replace("\t", "")):
        return text
    if colors:
        colored = _compiled(_IN_COLORED_LINES)
        return colored.sub(lambda match: match["color"] or _escaped(match), text)
    return _compiled(_IN_LINES).sub(_escaped, text)


def shell_command(words: Iterable[str]) -> str:
    """Quote a command as one line that can be pasted into a shell."""
    # Imported here: most commands need no quoting.
    from shlex import quote

    return " ".join(_shell_word(word, quote) for word in words)


def _shell_word(word: str, quote: Callable[[str], str]) -> str:
    if visible(word) == word:
        return quote(word)
    plain = word.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{_compiled(_IN_A_LINE).sub(_as_bytes, plain)}'"


def _as_bytes(match: re.Match[str]) -> str:
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(match[0]))


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()
