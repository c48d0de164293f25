"""Clang's own options: how each takes its value, and where `dovetail c++` passes it.

The table is written from clang's headers and from `native/options/routes.py` when the package is
built. It has the options with a route and those that take the next word; every other word is one
option, of the row `UNKNOWN`, and clang refuses what it does not know.
"""

from collections.abc import Iterator

from dovetail.driver._clang_options import ROWS, SHORT
from dovetail.driver.options import SEPARATE_FORMS, Form, Goes, Option


def _options() -> Iterator[Option]:
    for names, form, spellings in ROWS:
        goes = Goes.NOWHERE
        for name in names:
            goes |= Goes[name]
        for spelling in spellings.split():
            yield Option(spelling, Form[form], goes=goes)


CLANG_OPTIONS = (*_options(),)

TAKE_NEXT_WORD = frozenset(row.spelling for row in CLANG_OPTIONS if row.form in SEPARATE_FORMS)
"""The options whose value is the next word."""

SHORT_SPELLINGS = {long: (short, Form[form]) for long, (short, form) in SHORT.items()}
"""By long spelling the short one, and how that takes its value. A long spelling that takes a value
ends with `=`, or has its value in the next word."""

UNKNOWN = Option("", Form.JOINED, goes=Goes.HOST | Goes.LINK)
"""The row of every word that has none."""
