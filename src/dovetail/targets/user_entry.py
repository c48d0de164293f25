"""What user files say of one target, and what that makes of it."""

import re
import shlex
from typing import TypedDict

from dovetail.targets import Table, Target
from dovetail.targets.inference import compiler_id_options, infer

_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""", re.DOTALL)


class Entry(TypedDict, total=False):
    """What user files say of one target; what they do not say is not in it."""

    aspects: tuple[str, ...]
    sub_group_sizes: tuple[int, ...]
    may_support_other_aspects: bool
    toolchain: str
    compiler_id: str
    """Empty if the toolchain was given by its name."""
    options: str
    named_options: dict[str, str]


def entry_target(name: str, entry: Entry, table: Table) -> Target:
    """What the table and the entry say of a target, and what its name tells beyond that."""
    known = table.get(name)
    toolchain, options = entry_tool(name, entry, table)
    # A list that is new and says nothing of others is complete; nothing is known without a list.
    may_support_others = known.may_support_other_aspects if known else "aspects" not in entry
    aspects = entry.get("aspects", known.aspects if known else ())
    # Who says that there may be others means all others.
    opened = entry.get("may_support_other_aspects", False)
    absent = known.absent_aspects if known and not opened else ()
    return Target(
        name,
        aspects=aspects,
        absent_aspects=tuple(aspect for aspect in absent if aspect not in aspects),
        may_support_other_aspects=entry.get("may_support_other_aspects", may_support_others),
        sub_group_sizes=entry.get("sub_group_sizes", known.sub_group_sizes if known else ()),
        toolchain=toolchain,
        options=options,
    )


def entry_tool(name: str, entry: Entry, table: Table) -> tuple[str, str]:
    """The toolchain and its options: as given, else as known, else as the name tells.

    Options that are known are those of the known toolchain, and mean nothing to another.
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
    """The words of some options, quoted as they are."""
    return _WORD.findall(options)


def _with_option(options: str, name: str, value: str) -> str:
    """The options with one of them set, in its place if it is there already."""
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
