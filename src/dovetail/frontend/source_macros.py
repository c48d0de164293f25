"""Macros that a source defines before it includes our header.

A macro that the headers test selects a variant of the precompiled header, as `-D` does. That is
possible only for a definition that takes effect in any case, and if nothing before it could have
seen that the macro was not defined yet.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

PREDEFINED = frozenset(("_GNU_SOURCE",))
"""Defined by clang in C++ anyway."""

_FOR_OTHER_LIBRARIES = frozenset(
    ("__STDC_CONSTANT_MACROS", "__STDC_FORMAT_MACROS", "__STDC_LIMIT_MACROS")
)
"""What these ask for, glibc always has in C++, and libstdc++ defines them itself."""

WITHOUT_EFFECT = PREDEFINED | _FOR_OTHER_LIBRARIES

_ONLY_OURS = ("SYCL", "DOVETAIL")
"""How macros begin that only our headers test."""

# Unclosed comments extend to the end.
_COMMENT_OR_LITERAL = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S
)
_RAW_LITERAL = 'R"'
_CONDITION = re.compile(
    r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b[ \t]*(\w*)", re.M
)
_DEFINITION = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:[ \t]+(\w+))?[ \t]*\Z", re.M)


class TextPlace(NamedTuple):
    """A place in a file that is being scanned."""

    text: str
    end: int
    guard: str = ""
    """The macro of the file's include guard; empty if there is none."""

    @property
    def before(self) -> str:
        """The text before the place, without comments and literals."""
        return _COMMENT_OR_LITERAL.sub(_blank, self.text[: self.end])

    def is_in_raw_literal(self) -> bool:
        """Return whether it may be in a raw string literal."""
        return _RAW_LITERAL in self.text[: self.end]


def definition_as_option(
    name: str,
    place: TextPlace,
    includers: Sequence[TextPlace],
    seen: Iterable[str],
    *,
    after_others: bool,
) -> str | None:
    """Return the `-D` option that is equivalent to a definition, or None.

    `place` is the end of the definition, and `includers` are the places of the includes that lead
    to its file. `seen` are the texts of the files before; `after_others` says whether there were
    headers before that have not been scanned.
    """
    if after_others and not name.startswith(_ONLY_OURS):
        return None
    if any(each.is_in_raw_literal() for each in (place, *includers)):
        return None
    before = place.before
    found = _DEFINITION.search(before)
    if not found or found[1] != name:
        return None
    conditions = _open_conditions(before, place.guard)
    is_guarded = conditions == [("ifndef", name)]
    if conditions and not is_guarded:
        return None
    if any(_open_conditions(each.before, each.guard) for each in includers):
        return None
    word = re.compile(rf"\b{name}\b")
    if len(word.findall(before)) != 1 + is_guarded or any(map(word.search, seen)):
        return None
    return f"-D{name}={found[2] or ''}"


def _open_conditions(text: str, guard: str) -> list[tuple[str, str]]:
    """Return the conditions that the end of a text depends on, without the include guard."""
    conditions: list[tuple[str, str]] = []
    for kind, name in _CONDITION.findall(text):
        if kind == "endif":
            del conditions[-1:]
        elif kind.startswith("el"):
            # The end may depend on the negated condition, which no caller asks for.
            conditions[-1:] = [(kind, name)]
        else:
            conditions.append((kind, name))
    return conditions[1:] if guard and conditions[:1] == [("ifndef", guard)] else conditions


def _blank(found: re.Match[str]) -> str:
    """Return what replaces a comment or literal: its line ends, so that lines stay apart."""
    return " " + "\n" * found[0].count("\n")
