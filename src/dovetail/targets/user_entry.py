"""Entries of user files, and the targets that they define."""

import re
import shlex
from typing import TypedDict

from dovetail.targets import Table, Target
from dovetail.targets.inference import compiler_id_options, infer

_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""", re.DOTALL)


class Entry(TypedDict, total=False):
    """The keys that user files give for a target; absent if they do not."""

    aspects: tuple[str, ...]
    sub_group_sizes: tuple[int, ...]
    may_support_other_aspects: bool
    toolchain: str
    compiler_id: str
    """Empty if the toolchain is given by name."""
    options: str
    named_options: dict[str, str]


def entry_target(name: str, entry: Entry, table: Table) -> Target:
    """Return the target that an entry defines, completed from the table and from its name."""
    known = table.get(name)
    toolchain, options = entry_toolchain(name, entry, table)
    # A new target's list of aspects is complete by default; without a list, all are unknown.
    may_support_others = known.may_support_other_aspects if known else "aspects" not in entry
    aspects = entry.get("aspects", known.aspects if known else ())
    # An explicit may_support_other_aspects also covers those that the table lists as absent.
    allows_all = entry.get("may_support_other_aspects", False)
    absent = known.absent_aspects if known and not allows_all else ()
    return Target(
        name,
        aspects=aspects,
        absent_aspects=tuple(aspect for aspect in absent if aspect not in aspects),
        may_support_other_aspects=entry.get("may_support_other_aspects", may_support_others),
        sub_group_sizes=entry.get("sub_group_sizes", known.sub_group_sizes if known else ()),
        toolchain=toolchain,
        options=options,
    )


def entry_toolchain(name: str, entry: Entry, table: Table) -> tuple[str, str]:
    """Return the toolchain and its options from the entry, else the table, else the name.

    Options from the table apply only to the toolchain from the table.
    """
    known = table.get(name)
    inferred_toolchain, inferred_options = infer(name) or ("", "")
    known_toolchain = known.toolchain if known else ""
    toolchain = entry.get("toolchain") or known_toolchain or inferred_toolchain
    compiler_id = entry.get("compiler_id")
    if "options" in entry:
        options = entry["options"]
    elif known and toolchain == known_toolchain:
        options = known.options
    elif compiler_id:
        options = compiler_id_options(compiler_id, name, table)
    else:
        options = inferred_options if toolchain == inferred_toolchain else ""
    for option, value in entry.get("named_options", {}).items():
        options = _with_option(options, f"-{option}", value)
    return toolchain, options


def option_words(options: str) -> list[str]:
    """Split options into words, keeping their quotes."""
    return _WORD.findall(options)


def _with_option(options: str, name: str, value: str) -> str:
    """Return the options with one of them set, in place if it is present."""
    value = shlex.quote(value)
    words = option_words(options)
    for number, word in enumerate(words):
        if word.startswith(f"{name}="):
            words[number] = f"{name}={value}"
            return " ".join(words)
        if word == name:
            words[number + 1 : number + 2] = [value]
            return " ".join(words)
    return f"{options} {name} {value}".strip()
