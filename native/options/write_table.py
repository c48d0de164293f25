"""Write the table of clang's options that `dovetail c++` loads, when the package is built.

    write_table.py Options.inc _clang_options.py

`Options.inc` is what LLVM's TableGen makes of clang's own description of its options. The table has
the options that have a route or take the next word as their value, and clang's long spellings of
options. Any other word is one option, which needs no row.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import routes

_OPTION = re.compile(
    r"^OPTION\((?P<prefixes>\d+)[^,]*, \d+ /\* (?P<spelling>.+?) \*/, (?P<id>\w+), (?P<kind>\w+),"
    r" \w+, (?P<alias>\w+), (?P<values>nullptr|\"(?:[^\"\\]|\\.)*\"), [^,]*,"
    r" (?P<visibility>[^,]*),",
    re.MULTILINE,
)
_START = re.compile(r"^OPTION\(", re.MULTILINE)
_PREFIXES = re.compile(r"OptionPrefixesTable\[\] = \{(.*?)\};", re.DOTALL)
_PREFIX_LIST = re.compile(r"(\d+) /\* prefixes \*/((?:, \d+ /\* '[^']+' \*/)*)")

_OF_CLANG = {"DefaultVis", "ClangOption"}
_FORMS = {
    "Flag": "FLAG",
    "Joined": "JOINED",
    "CommaJoined": "JOINED",
    "Separate": "SEPARATE",
    "JoinedOrSeparate": "EITHER",
    "JoinedAndSeparate": "JOINED_AND_SEPARATE",
}
"""By kind the name of the `dovetail.driver.options.Form`. The kinds that are left out take several
words (`MultiArg`, of Apple's linker) or are not options."""
_NEXT_WORD = ("SEPARATE", "EITHER", "JOINED_AND_SEPARATE")
_WITHOUT_ROUTE = ("HOST", "LINK")


class TableError(Exception):
    """The headers do not have what is looked for."""


class ClangOption(NamedTuple):
    """An option of clang's, as `Options.inc` describes it."""

    id: str
    spelling: str
    form: str
    alias: str
    """The identifier of the option that it is another spelling of, if any."""
    prefixes: tuple[str, ...]
    """All that its name may begin with."""


class Row(NamedTuple):
    """Options that take their values in one way and go to the same sides."""

    goes: tuple[str, ...]
    form: str
    spellings: str


def read_options(text: str) -> list[ClangOption]:
    """Return the options of clang's driver, from the text of `Options.inc`."""
    prefixes = _prefix_lists(text)
    read = [*_OPTION.finditer(text)]
    if not read or len(read) != len(_START.findall(text)):
        raise TableError("has no OPTION rows as LLVM 22 writes them: install libclang-22-dev")
    return [
        ClangOption(
            row["id"],
            row["spelling"],
            _FORMS[row["kind"]],
            # An alias for an option with a certain value is a separate option here.
            row["alias"] if row["alias"] != "INVALID" and row["values"] == "nullptr" else "",
            prefixes[int(row["prefixes"])],
        )
        for row in read
        if row["kind"] in _FORMS and _OF_CLANG & {*row["visibility"].split(" | ")}
    ]


def _prefix_lists(text: str) -> dict[int, tuple[str, ...]]:
    """Return what names may begin with, by the place in the table of such lists."""
    table = _PREFIXES.search(text)
    if table is None:
        raise TableError("has no prefixes as LLVM 22 writes them: install libclang-22-dev")
    lists: dict[int, tuple[str, ...]] = {}
    place = 0
    for count, prefixes in _PREFIX_LIST.findall(table[1]):
        lists[place] = tuple(re.findall(r"'([^']+)'", prefixes))
        place += 1 + int(count)
    return lists


def rows(options: Sequence[ClangOption]) -> list[Row]:
    """Return the rows of the table, each spelling once; long spellings are replaced before."""
    forms = _forms_by_spelling(options)
    sides = dict(_routes(forms))
    for spelling, form in forms.items():
        if form in _NEXT_WORD:
            sides.setdefault(spelling, _WITHOUT_ROUTE)
    groups: dict[tuple[tuple[str, ...], str], list[str]] = {}
    replaced = short_spellings(options)
    for spelling, goes in sides.items():
        if spelling not in replaced:
            groups.setdefault((goes, forms[spelling]), []).append(spelling)
    return [Row(goes, form, " ".join(group)) for (goes, form), group in groups.items()]


def _forms_by_spelling(options: Iterable[ClangOption]) -> dict[str, str]:
    """Return how each option takes its value; a flag that may have a joined value, as joined."""
    forms: dict[str, str] = {}
    for option in options:
        if option.spelling.startswith("-") and forms.get(option.spelling, "FLAG") == "FLAG":
            forms[option.spelling] = option.form
    return forms


def _routes(known: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the spellings that have a route, with the sides that they go to."""
    for goes, spellings in routes.ROUTES.items():
        for spelling in spellings:
            if spelling not in known:
                raise TableError(f"has no option '{spelling}': remove it from {routes.__file__}")
            yield spelling, goes
    for name in routes.LANGUAGE:
        spellings = {f"-f{name}", f"-fno-{name}", f"-f{name}="} & known.keys()
        if not spellings:
            raise TableError(f"has no option '-f{name}': remove it from {routes.__file__}")
        yield from ((spelling, ("HOST", "DEVICE")) for spelling in sorted(spellings))


def short_spellings(options: Iterable[ClangOption]) -> dict[str, tuple[str, str]]:
    """Return by long spelling the short one, and how that takes its value.

    A long spelling that takes a value ends with `=`, or has its value in the next word.
    """
    known = {option.id: option for option in options}
    short: dict[str, tuple[str, str]] = {}
    for option in known.values():
        meant = known.get(option.alias)
        if meant is not None and option.spelling.startswith("--"):
            _add_spelling(short, option.spelling, option.form, meant)
        if option.prefixes == ("-", "--"):
            _add_spelling(short, f"-{option.spelling}", option.form, option)
    return short


def _add_spelling(
    short: dict[str, tuple[str, str]], long: str, form: str, meant: ClangOption
) -> None:
    takes_value = form != "FLAG"
    is_found = not takes_value or form != "JOINED" or long.endswith("=")
    if is_found and takes_value == (meant.form != "FLAG"):
        # The next word is always safe: `-o` with `bjects` after it would be another option.
        value_form = "SEPARATE" if meant.form == "EITHER" else meant.form
        short[long] = (meant.spelling, value_form)


def table(text: str) -> str:
    """Return the module, from the text of `Options.inc`."""
    options = read_options(text)
    lines = ['"""Clang\'s options, written from Options.inc when the package is built."""', ""]
    lines += ["ROWS = (", *(f"    {tuple(row)!r}," for row in rows(options)), ")", ""]
    spellings = sorted(short_spellings(options).items())
    lines += ["SHORT = {", *(f"    {long!r}: {short!r}," for long, short in spellings), "}", ""]
    return "\n".join(lines)


def main(source: Path, output: Path) -> None:
    """Write the module, or end with what is wrong."""
    try:
        output.write_text(table(source.read_text()))
    except FileNotFoundError:
        sys.exit(f"{source} is missing: install the Debian package libclang-22-dev")
    except TableError as error:
        sys.exit(f"{source} {error}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
