"""User files: YAML that adds targets to a table, or says more of those that are known.

    intel_gpu_new:
      aspects: [gpu, fp16, 27]
      sub-group-sizes: [16, 32]

Comes in: files and a table. Goes out: another table, and warnings as text.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from dovetail.errors import ConfigurationError, UsageError, nearest
from dovetail.targets import Table, Target
from dovetail.targets.aspects import aspect_name, deprecated_aspects, is_retired
from dovetail.targets.inference import COMPILER_IDS, TOOLCHAINS
from dovetail.targets.user_entry import Entry, entry_target, entry_tool, option_words
from dovetail.targets.yaml_document import (
    Document,
    List,
    Map,
    Mistake,
    Node,
    Scalar,
    file_name,
    read_text,
    shown_name,
)

if TYPE_CHECKING:
    import yaml

_MAX_PROBLEMS = 20
# Longer names are no names, and the search for the nearest must not take long.
_LONG = 200


class Loaded(NamedTuple):
    """What reading user files gives."""

    table: Table
    warnings: tuple[str, ...]
    """Each as `FILE:LINE:COLUMN: warning: ...`, for the caller to print."""
    configured: tuple[Target, ...] = ()
    """Those of the table that the files speak of."""


def read_user_files(files: Iterable[str | os.PathLike[str]], table: Table) -> Loaded:
    """`table` with what the files say, the later ones last.

    `InputError` if a file cannot be read; `ConfigurationError` with all that is wrong in the first
    file that is not as it should be.
    """
    reader = _Reader(table)
    for file in files:
        reader.read(file)
    configured = tuple(reader.targets())
    return Loaded(table.with_targets(configured), reader.warnings(), configured)


_OPTION_PREFIX = "aot-toolchain-"
_DEVICE_OPTION = "aot-toolchain-device"
_KEYS = (
    "aspects",
    "sub-group-sizes",
    "may_support_other_aspects",
    "aot-toolchain",
    "aot-toolchain-options",
    "aot-compiler-id",
    "ocloc-device",
)
# The documents mix dashes and underscores, and so do people.
_SPELLINGS = {key.replace("_", "-"): key for key in _KEYS} | {"ocloc-device": _DEVICE_OPTION}
_TRUE = ("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON")
_FALSE = ("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_TARGET_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:+-]*")
_TOOL_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_OPTION_NAME = re.compile(r"-?[A-Za-z0-9_][A-Za-z0-9_-]*")


class _Reader:
    """Gathers what the files say, each fact as its last mention has it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._entries: dict[str, Entry] = {}
        self._places: dict[str, str] = {}
        self._warnings: dict[object, tuple[str, int]] = {}

    def read(self, file: str | os.PathLike[str]) -> None:
        _File(self, file).read()

    def warn(self, place: str, text: str, once: object) -> None:
        """Warn, counting those that say the same of the same thing instead of repeating them."""
        first, count = self._warnings.get(once, (f"{place}: warning: {text}", 0))
        self._warnings[once] = first, count + 1

    def warnings(self) -> tuple[str, ...]:
        return tuple(
            text + (f" (and {count - 1} more like this)" if count > 1 else "")
            for text, count in self._warnings.values()
        )

    def toolchain(self, name: str) -> str:
        """What compiles for a target, as far as is known by now; may be empty."""
        return entry_tool(name, self._entries.get(name, {}), self.table)[0]

    def add(self, name: str, written: str, place: str, entry: Entry) -> None:
        """What is given replaces what an earlier entry gave; options replace all options."""
        before = self._entries.get(name)
        if before is not None:
            also = f", another name of '{name}'," if written != name else ""
            text = (
                f"target '{written}'{also} has an entry already, at {self._places[name]};"
                " what this one says counts"
            )
            self.warn(place, text, once=name)
            named = {} if "options" in entry else before.get("named_options", {})
            named = named | entry.get("named_options", {})
            entry = {**before, **entry, "named_options": named}
        self._entries[name] = entry
        self._places[name] = place

    def targets(self) -> list[Target]:
        return [entry_target(name, entry, self.table) for name, entry in self._entries.items()]


class _File:
    """Reads one file for a reader."""

    def __init__(self, reader: _Reader, file: str | os.PathLike[str]) -> None:
        self._reader = reader
        self._file = file
        self._name = file_name(file)
        self._problems: dict[str, tuple[str, str]] = {}
        self._context = ""
        self._aspects: dict[str, tuple[str, str]] = {}
        self._readers: dict[str, Callable[[Node, Entry], None]] = {
            "aspects": self._read_aspects,
            "sub-group-sizes": self._read_sub_group_sizes,
            "may_support_other_aspects": _read_may_support_other_aspects,
            "aot-toolchain": self._read_toolchain,
            "aot-toolchain-options": _read_options,
            "aot-compiler-id": _read_compiler_id,
        }

    def read(self) -> None:
        """Hand all entries to the reader; `ConfigurationError` with all that is wrong."""
        text = read_text(self._file, self._name)
        try:
            for key, value in Document(text).pairs():
                self._read_pair(key, value)
        except Mistake as mistake:
            self._context = ""
            self._note(mistake)
        if self._problems:
            raise self._error()

    def _place(self, mark: "yaml.Mark | None") -> str:
        return f"{self._name}:{mark.line + 1}:{mark.column + 1}" if mark else self._name

    def _warn(self, node: Scalar, text: str) -> None:
        """Warn, once for each text and file."""
        whole = f"{self._context}{text}"
        self._reader.warn(self._place(node.mark), whole, once=(self._name, text))

    def _note(self, mistake: Mistake) -> None:
        """Keep a mistake for the error; one for each place, since aliases lead there repeatedly."""
        place = self._place(mistake.mark)
        text = f"{place}: error: {self._context}{mistake.text}"
        self._problems.setdefault(place, (text, mistake.hint))
        if len(self._problems) >= _MAX_PROBLEMS:
            raise self._error(f"{self._name}: error: too many errors; the rest is not read")

    def _error(self, last: str = "") -> ConfigurationError:
        """All mistakes as one error, whose hint is that of the last."""
        *others, (text, hint) = [*self._problems.values(), *([(last, "")] if last else [])]
        lines = [line for problem in others for line in problem if line]
        return ConfigurationError("\n".join([*lines, text]), hint=hint)

    def _read_pair(self, key: Node, value: Node) -> None:
        self._context = ""
        try:
            written = _target_name(key)
            self._context = f"target '{written}': "
            table = self._reader.table
            name = table.canonical(written) if written in table else written
            entry = self._entry(name, written, value)
        except Mistake as mistake:
            self._note(mistake)
            return
        self._reader.add(name, written, self._place(key.mark), entry)

    def _entry(self, name: str, written: str, value: Node) -> Entry:
        """What the keys of an entry say, as far as they are right."""
        entry: Entry = {}
        keys = self._keys(_as_entry(value))
        for key, (spelling, content) in keys.items():
            self._context = f"target '{written}', key '{shown_name(spelling.text)}': "
            try:
                if key in self._readers:
                    self._readers[key](content, entry)
                else:
                    _read_named_option(key.removeprefix(_OPTION_PREFIX), content, entry)
            except Mistake as mistake:
                self._note(mistake)
        self._context = f"target '{written}': "
        _check_options(keys, entry)
        self._check_tools(name, keys, entry)
        return entry

    def _keys(self, entry: Map) -> "_Keys":
        """The keys, by one spelling each: as they are written, and their values."""
        merged: _Keys = {}
        keys: _Keys = {}
        for written, value in entry.pairs():
            if not isinstance(written, Scalar):
                raise Mistake(written.mark, "a key must be text")
            if written.plain and written.text == "<<":
                merged = {**self._merged(value), **merged}
                continue
            try:
                key = _SPELLINGS.get(written.text.replace("_", "-")) or _option_key(written)
                if key in keys:
                    line = keys[key][0].mark.line + 1
                    text = f"key '{shown_name(written.text)}' was given already, in line {line}"
                    raise Mistake(written.mark, text)
                keys[key] = written, value
            except Mistake as mistake:
                self._note(mistake)
        return {**merged, **keys}

    def _merged(self, value: Node) -> "_Keys":
        """The keys of what `<<` names: an entry, or a list of them, of which earlier ones win."""
        keys: _Keys = {}
        for entry in value.children if isinstance(value, List) else [value]:
            if not isinstance(entry, Map):
                raise Mistake(entry.mark, "'<<' takes an entry, such as *name, or a list of them")
            keys = {**self._keys(entry), **keys}
        return keys

    def _read_aspects(self, value: Node, entry: Entry) -> None:
        names: dict[str, None] = {}
        for item in _scalars(value, "aspects, by name or number"):
            found = self._aspects.get(item.text)
            if found is None:
                found = self._aspects[item.text] = _aspect(item)
            name, remark = found
            if remark:
                self._warn(item, remark)
            if name:
                names[name] = None
        entry["aspects"] = tuple(names)

    def _read_sub_group_sizes(self, value: Node, entry: Entry) -> None:
        sizes: set[int] = set()
        for item in _scalars(value, "sub-group sizes"):
            size = _whole_number(item.text) if item.plain else 0
            if size < 1:
                what = f"'{shown_name(item.text)}' is not a whole number from 1 to 999999999"
                raise Mistake(item.mark, what)
            if size & (size - 1):
                self._warn(item, f"{size} is not a power of two")
            sizes.add(size)
        entry["sub_group_sizes"] = tuple(sorted(sizes))

    def _read_toolchain(self, value: Node, entry: Entry) -> None:
        name = _text(value)
        if not _TOOL_NAME.fullmatch(name) or not isinstance(value, Scalar):
            raise Mistake(value.mark, "must be the name of a tool, such as ocloc")
        if name not in TOOLCHAINS and (hint := nearest(name[:_LONG], TOOLCHAINS)):
            self._warn(value, f"there is no toolchain '{shown_name(name)}'; {hint}")
        entry["toolchain"] = name
        entry.setdefault("compiler_id", "")

    def _check_tools(self, name: str, keys: "_Keys", entry: Entry) -> None:
        """That all keys mean the same tool."""
        toolchain, compiler_id = entry.get("toolchain", ""), entry.get("compiler_id")
        if compiler_id and COMPILER_IDS[compiler_id] != toolchain:
            raise Mistake(
                keys["aot-compiler-id"][0].mark,
                f"'aot-compiler-id' means {COMPILER_IDS[compiler_id]},"
                f" but 'aot-toolchain' says {toolchain}",
            )
        device = keys.get(_DEVICE_OPTION)
        if device is None or device[0].text.startswith(_OPTION_PREFIX):
            return
        toolchain = toolchain or self._reader.toolchain(name) or "ocloc"
        if toolchain != "ocloc":
            raise Mistake(
                device[0].mark, f"'ocloc-device' is for ocloc; this target's tool is {toolchain}"
            )
        entry["toolchain"] = toolchain


_Keys = dict[str, tuple[Scalar, Node]]


def _target_name(key: Node) -> str:
    name = key.text if isinstance(key, Scalar) else ""
    if not _TARGET_NAME.fullmatch(name) or len(name) > _LONG:
        raise Mistake(
            key.mark,
            f"'{shown_name(name)}' cannot be a target's name" if name else "a target needs a name",
            "a name has letters, digits and any of _ . : + -",
        )
    return name


def _as_entry(value: Node) -> Map:
    if isinstance(value, Map):
        return value
    if isinstance(value, Scalar) and value.is_null:
        return Map(value.mark)
    raise Mistake(value.mark, "an entry must be a mapping of keys, such as 'aspects'")


def _option_key(written: Scalar) -> str:
    """A key that names an option of the toolchain; `Mistake` if it does not."""
    key = written.text[:_LONG]
    start = len(_OPTION_PREFIX)
    key = key[:start].replace("_", "-") + key[start:]
    option = key.removeprefix(_OPTION_PREFIX)
    # What looks like 'options' is a slip, not the name of an option.
    slip = get_close_matches(option, ["options"], cutoff=0.8)
    if option != key and _OPTION_NAME.fullmatch(option) and not slip:
        return key
    hint = nearest(key, _KEYS) or "there are " + ", ".join((*_KEYS, "aot-toolchain-NAME"))
    raise Mistake(written.mark, f"there is no key '{shown_name(written.text)}'", hint)


def _scalars(value: Node, what: str) -> Iterator[Scalar]:
    if not isinstance(value, List):
        raise Mistake(value.mark, f"must be a list of {what}; an empty one is []")
    for item in value.children:
        if not isinstance(item, Scalar) or item.is_null:
            raise Mistake(item.mark, f"must be a list of {what}, and nothing else")
        yield item


def _text(value: Node) -> str:
    """As it is written: what looks like a number or a truth value is text where text belongs."""
    if not isinstance(value, Scalar):
        raise Mistake(value.mark, "must be text")
    return "" if value.is_null else value.text.strip()


def _whole_number(text: str) -> int:
    """A decimal number, or -1; `010` and `1_0` mean different numbers to different readers."""
    return int(text) if _NUMBER.fullmatch(text) else -1


def _aspect(item: Scalar) -> tuple[str, str]:
    """An aspect's name, empty if it means nothing any more; and what to warn of, if anything."""
    text = item.text
    if is_retired(text):
        return "", f"today's SYCL runtimes have no aspect '{text}'; it is left out"
    try:
        name = aspect_name(_whole_number(text) if text.isdigit() else text[:_LONG])
    except UsageError as error:
        raise Mistake(item.mark, f"there is no aspect '{shown_name(text)}'", error.hint) from None
    deprecated = deprecated_aspects()
    old = text if text in deprecated else name
    if old not in deprecated:
        return name, ""
    number = f" ({text})" if text != old else ""
    instead = f"; use '{deprecated[old]}'" if deprecated[old] else ""
    return name, f"the aspect '{old}'{number} is deprecated{instead}"


def _read_may_support_other_aspects(value: Node, entry: Entry) -> None:
    text = value.text if isinstance(value, Scalar) and value.plain else ""
    if text not in _TRUE and text not in _FALSE:
        raise Mistake(value.mark, "must be true or false")
    entry["may_support_other_aspects"] = text in _TRUE


def _read_compiler_id(value: Node, entry: Entry) -> None:
    compiler_id = _text(value)
    if compiler_id not in COMPILER_IDS:
        known = " and ".join(f"'{known}'" for known in COMPILER_IDS)
        raise Mistake(
            value.mark,
            f"there is no AOT compiler '{shown_name(compiler_id)}'",
            f"there are {known}; 'aot-toolchain' names other tools",
        )
    entry["compiler_id"] = compiler_id
    entry.setdefault("toolchain", COMPILER_IDS[compiler_id])


def _read_options(value: Node, entry: Entry) -> None:
    is_list = isinstance(value, List)
    options = " ".join(map(_text, _scalars(value, "options"))) if is_list else _text(value)
    if any(character in options for character in "'\"\\"):
        try:
            shlex.split(options)
        except ValueError as error:
            raise Mistake(value.mark, f"{str(error).lower()} in the options") from None
    entry["options"] = " ".join(option_words(options))


def _read_named_option(name: str, value: Node, entry: Entry) -> None:
    text = _text(value)
    if not text:
        hint = "an option without a value belongs into 'aot-toolchain-options'"
        raise Mistake(value.mark, "must have a value", hint)
    entry.setdefault("named_options", {})[name] = text


def _check_options(keys: _Keys, entry: Entry) -> None:
    """That no option is given twice."""
    words = {word.partition("=")[0] for word in option_words(entry.get("options", ""))}
    for name in entry.get("named_options", {}):
        if f"-{name}" in words:
            written = keys[_OPTION_PREFIX + name][0]
            raise Mistake(
                written.mark,
                f"'aot-toolchain-options' and '{shown_name(written.text)}' both give '-{name}'",
            )
