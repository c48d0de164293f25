"""Device configuration files: YAML that adds or changes targets of a table.

intel_gpu_new:
  aspects: [gpu, fp16, 27]
  sub-group-sizes: [16, 32]
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
from dovetail.targets.user_entry import Entry, entry_target, entry_toolchain, option_words
from dovetail.targets.yaml_document import (
    Document,
    List,
    LocatedError,
    Map,
    Node,
    Scalar,
    file_name,
    node_text,
    read_text,
    shown_name,
)

if TYPE_CHECKING:
    import yaml

_MAX_ERRORS = 20
_MAX_NAME_LENGTH = 200
"""Of targets and keys; it also bounds the search for similar names."""


class ConfiguredTable(NamedTuple):
    """A table extended by device configuration files."""

    table: Table
    warnings: tuple[str, ...]
    """Each as `FILE:LINE:COLUMN: warning: ...`, for the caller to print."""
    configured: tuple[Target, ...] = ()
    """The targets that the files define or change."""


def read_user_files(files: Iterable[str | os.PathLike[str]], table: Table) -> ConfiguredTable:
    """Extend a table by device configuration files; later ones take precedence.

    Raise `InputError` if a file cannot be read, `ConfigurationError` with all errors of the first
    invalid file.
    """
    reader = _Reader(table)
    for file in files:
        reader.read(file)
    configured = tuple(reader.targets())
    return ConfiguredTable(table.with_targets(configured), reader.warnings(), configured)


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
# DPC++'s documents mix dashes and underscores, so both are accepted.
_SPELLINGS = {key.replace("_", "-"): key for key in _KEYS} | {"ocloc-device": _DEVICE_OPTION}
_TRUE = ("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON")
_FALSE = ("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_TARGET_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:+-]*")
_TOOL_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_OPTION_NAME = re.compile(r"-?[A-Za-z0-9_][A-Za-z0-9_-]*")


class _Reader:
    """Merges the entries of several files; for each key, the last one counts."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._entries: dict[str, Entry] = {}
        self._places: dict[str, str] = {}
        self._warnings: dict[object, tuple[str, int]] = {}

    def read(self, file: str | os.PathLike[str]) -> None:
        _File(self, file).read()

    def warn(self, place: str, text: str, once: object) -> None:
        """Add a warning; further ones with the same key are only counted."""
        first, count = self._warnings.get(once, (f"{place}: warning: {text}", 0))
        self._warnings[once] = first, count + 1

    def warnings(self) -> tuple[str, ...]:
        return tuple(
            text + (f" (and {count - 1} more like this)" if count > 1 else "")
            for text, count in self._warnings.values()
        )

    def toolchain(self, name: str) -> str:
        """Return the toolchain of a target, from what has been read so far; may be empty."""
        return entry_toolchain(name, self._entries.get(name, {}), self.table)[0]

    def add(self, name: str, written: str, place: str, entry: Entry) -> None:
        """Merge an entry: its keys replace earlier ones, 'options' also all named options."""
        before = self._entries.get(name)
        if before is not None:
            alias = f" (an alias of '{name}')" if written != name else ""
            text = (
                f"target '{written}'{alias} is already defined at {self._places[name]};"
                " this entry takes precedence"
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
    """Reads one file into a reader."""

    def __init__(self, reader: _Reader, file: str | os.PathLike[str]) -> None:
        self._reader = reader
        self._file = file
        self._name = file_name(file)
        self._errors: dict[str, tuple[str, str]] = {}
        """Message and hint, by place."""
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
        """Add all entries to the reader; raise `ConfigurationError` with all errors."""
        text = read_text(self._file, self._name)
        try:
            for key, value in Document(text).pairs():
                self._read_pair(key, value)
        except LocatedError as error:
            self._context = ""
            self._collect(error)
        if self._errors:
            raise self._combined_error()

    def _place(self, mark: "yaml.Mark | None") -> str:
        return f"{self._name}:{mark.line + 1}:{mark.column + 1}" if mark else self._name

    def _warn(self, node: Scalar, text: str) -> None:
        """Warn, once for each text and file."""
        whole = f"{self._context}{text}"
        self._reader.warn(self._place(node.mark), whole, once=(self._name, text))

    def _collect(self, error: LocatedError) -> None:
        """Collect an error; only one for each place, since aliases lead there repeatedly."""
        place = self._place(error.mark)
        text = f"{place}: error: {self._context}{error.text}"
        self._errors.setdefault(place, (text, error.hint))
        if len(self._errors) >= _MAX_ERRORS:
            raise self._combined_error(f"{self._name}: error: too many errors, stopping now")

    def _combined_error(self, last: str = "") -> ConfigurationError:
        """Return all errors as one with the last one's hint; the other hints become notes."""
        lines: list[str] = []
        for place, (text, hint) in self._errors.items():
            lines += [text, *([f"{place}: note: {hint}"] if hint else [])]
        if last:
            return ConfigurationError("\n".join([*lines, last]))
        _, last_hint = next(reversed(self._errors.values()))
        return ConfigurationError("\n".join(lines[: -1 if last_hint else None]), hint=last_hint)

    def _read_pair(self, key: Node, value: Node) -> None:
        """Read one target into the reader; collect its errors instead of raising them."""
        self._context = ""
        try:
            written = _target_name(key)
            self._context = f"target '{written}': "
            table = self._reader.table
            name = table.canonical(written) if written in table else written
            entry = self._entry(name, written, value)
        except LocatedError as error:
            self._collect(error)
            return
        self._reader.add(name, written, self._place(key.mark), entry)

    def _entry(self, name: str, written: str, value: Node) -> Entry:
        """Return the valid keys of an entry; collect the errors of the others."""
        entry: Entry = {}
        keys = self._keys(_as_entry(value))
        for key, (spelling, content) in keys.items():
            self._context = f"target '{written}', key '{shown_name(spelling.text)}': "
            try:
                if key in self._readers:
                    self._readers[key](content, entry)
                else:
                    _read_named_option(key.removeprefix(_OPTION_PREFIX), content, entry)
            except LocatedError as error:
                self._collect(error)
        self._context = f"target '{written}': "
        _check_options(keys, entry)
        self._check_toolchain(name, keys, entry)
        return entry

    def _keys(self, entry: Map) -> "_Keys":
        """Return the keys of an entry by canonical spelling, with key and value as written."""
        merged: _Keys = {}
        keys: _Keys = {}
        for written, value in entry.pairs():
            if not isinstance(written, Scalar):
                raise LocatedError(written.mark, f"expected a key, got {node_text(written)}")
            if written.plain and written.text == "<<":
                merged = {**self._merged(value), **merged}
                continue
            try:
                key = _SPELLINGS.get(written.text.replace("_", "-")) or _option_key(written)
                if key in keys:
                    line = keys[key][0].mark.line + 1
                    text = f"duplicate key '{shown_name(written.text)}'; first given in line {line}"
                    raise LocatedError(written.mark, text)
                keys[key] = written, value
            except LocatedError as error:
                self._collect(error)
        return {**merged, **keys}

    def _merged(self, value: Node) -> "_Keys":
        """Return the keys that `<<` merges: of an entry, or of a list, where earlier ones win."""
        keys: _Keys = {}
        for entry in value.children if isinstance(value, List) else [value]:
            if not isinstance(entry, Map):
                text = "expected an entry, such as *name, or a list of entries after '<<'"
                raise LocatedError(entry.mark, f"{text}, got {node_text(entry)}")
            keys = {**self._keys(entry), **keys}
        return keys

    def _read_aspects(self, value: Node, entry: Entry) -> None:
        """Set the aspects, without retired ones, and warn about those and deprecated ones."""
        names: dict[str, None] = {}
        for item in _scalars(value, "aspects"):
            found = self._aspects.get(item.text)
            if found is None:
                found = self._aspects[item.text] = _aspect(item)
            name, warning = found
            if warning:
                self._warn(item, warning)
            if name:
                names[name] = None
        entry["aspects"] = tuple(names)

    def _read_sub_group_sizes(self, value: Node, entry: Entry) -> None:
        """Set the sizes, ascending, and warn about unusual ones."""
        sizes: set[int] = set()
        for item in _scalars(value, "sub-group sizes"):
            size = _integer(item.text) if item.plain else 0
            if size < 1:
                got = node_text(item, expects_plain=True)
                raise LocatedError(item.mark, f"expected an integer from 1 to 999999999, got {got}")
            if size & (size - 1):
                self._warn(item, f"{size} is not a power of two")
            sizes.add(size)
        entry["sub_group_sizes"] = tuple(sorted(sizes))

    def _read_toolchain(self, value: Node, entry: Entry) -> None:
        """Set the toolchain, and clear the compiler id unless the entry has set it."""
        name = _text(value)
        if not _TOOL_NAME.fullmatch(name) or not isinstance(value, Scalar):
            text = f"expected the name of a toolchain, such as ocloc, got {node_text(value)}"
            raise LocatedError(value.mark, text)
        if name not in TOOLCHAINS and (hint := nearest(name[:_MAX_NAME_LENGTH], TOOLCHAINS)):
            self._warn(value, f"unknown toolchain '{shown_name(name)}'; {hint}")
        entry["toolchain"] = name
        entry.setdefault("compiler_id", "")

    def _check_toolchain(self, name: str, keys: "_Keys", entry: Entry) -> None:
        """Raise `LocatedError` if two keys imply different toolchains.

        If 'ocloc-device' is given, set the entry's toolchain to ocloc.
        """
        toolchain, compiler_id = entry.get("toolchain", ""), entry.get("compiler_id")
        if compiler_id and COMPILER_IDS[compiler_id] != toolchain:
            raise LocatedError(
                keys["aot-compiler-id"][0].mark,
                f"'aot-compiler-id' implies {COMPILER_IDS[compiler_id]},"
                f" but 'aot-toolchain' is {toolchain}",
                "remove one of the two keys",
            )
        # 'aot-toolchain-device', the other spelling of this key, applies to every toolchain.
        device = keys.get(_DEVICE_OPTION)
        if device is None or device[0].text.startswith(_OPTION_PREFIX):
            return
        toolchain = toolchain or self._reader.toolchain(name) or "ocloc"
        if toolchain != "ocloc":
            raise LocatedError(
                device[0].mark,
                f"'ocloc-device' applies only to ocloc, and this target's toolchain is {toolchain}",
                f"use '{_DEVICE_OPTION}'",
            )
        entry["toolchain"] = toolchain


_Keys = dict[str, tuple[Scalar, Node]]


def _target_name(key: Node) -> str:
    name = key.text if isinstance(key, Scalar) else ""
    if not _TARGET_NAME.fullmatch(name) or len(name) > _MAX_NAME_LENGTH:
        raise LocatedError(
            key.mark,
            f"expected the name of a target, got {node_text(key)}",
            "a name consists of letters, digits and _ . : + -",
        )
    return name


def _as_entry(value: Node) -> Map:
    if isinstance(value, Map):
        return value
    if isinstance(value, Scalar) and value.is_null:
        return Map(value.mark)
    text = f"expected a mapping of keys, such as 'aspects', got {node_text(value)}"
    raise LocatedError(value.mark, text)


def _option_key(written: Scalar) -> str:
    """Return the key of a toolchain option; raise `LocatedError` if it is not one."""
    key = written.text[:_MAX_NAME_LENGTH]
    start = len(_OPTION_PREFIX)
    key = key[:start].replace("_", "-") + key[start:]
    option = key.removeprefix(_OPTION_PREFIX)
    # A name close to 'options' is a misspelling, not the name of an option.
    misspelled = get_close_matches(option, ["options"], cutoff=0.8)
    if option != key and _OPTION_NAME.fullmatch(option) and not misspelled:
        return key
    hint = nearest(key, _KEYS) or "the keys are " + ", ".join((*_KEYS, "aot-toolchain-NAME"))
    raise LocatedError(written.mark, f"unknown key '{shown_name(written.text)}'", hint)


def _scalars(value: Node, what: str) -> Iterator[Scalar]:
    if not isinstance(value, List):
        text = f"expected a list of {what}, got {node_text(value)}"
        raise LocatedError(value.mark, text, "an empty list is written []")
    for item in value.children:
        if not isinstance(item, Scalar) or item.is_null:
            text = f"expected text in the list of {what}, got {node_text(item)}"
            raise LocatedError(item.mark, text)
        yield item


def _text(value: Node) -> str:
    """Return a scalar as written, even if YAML would read it as a number or Boolean."""
    if not isinstance(value, Scalar):
        raise LocatedError(value.mark, f"expected text, got {node_text(value)}")
    return "" if value.is_null else value.text.strip()


def _integer(text: str) -> int:
    """Return a decimal integer, or -1; YAML readers disagree on `010` and `1_0`."""
    return int(text) if _NUMBER.fullmatch(text) else -1


def _aspect(item: Scalar) -> tuple[str, str]:
    """Return an aspect's name, empty if it is to be ignored, and a warning, which may be empty."""
    text = item.text
    if is_retired(text):
        return "", f"aspect '{text}' does not exist in current SYCL runtimes; ignored"
    try:
        name = aspect_name(_integer(text) if text.isdigit() else text[:_MAX_NAME_LENGTH])
    except UsageError as error:
        unknown = f"unknown aspect '{shown_name(text)}'"
        raise LocatedError(item.mark, unknown, error.hint) from None
    deprecated = deprecated_aspects()
    old = text if text in deprecated else name
    if old not in deprecated:
        return name, ""
    number = f" ({text})" if text != old else ""
    instead = f"; use '{deprecated[old]}'" if deprecated[old] else ""
    return name, f"aspect '{old}'{number} is deprecated{instead}"


def _read_may_support_other_aspects(value: Node, entry: Entry) -> None:
    text = value.text if isinstance(value, Scalar) and value.plain else ""
    if text not in _TRUE and text not in _FALSE:
        got = node_text(value, expects_plain=True)
        raise LocatedError(value.mark, f"expected true or false, got {got}")
    entry["may_support_other_aspects"] = text in _TRUE


def _read_compiler_id(value: Node, entry: Entry) -> None:
    """Set the compiler id and, unless it is given, the toolchain that it implies."""
    compiler_id = _text(value)
    if compiler_id not in COMPILER_IDS:
        known = " and ".join(f"'{known}'" for known in COMPILER_IDS)
        raise LocatedError(
            value.mark,
            f"unknown compiler id '{shown_name(compiler_id)}'",
            f"the ids are {known}; for other compilers use 'aot-toolchain'",
        )
    entry["compiler_id"] = compiler_id
    entry.setdefault("toolchain", COMPILER_IDS[compiler_id])


def _read_options(value: Node, entry: Entry) -> None:
    """Set the options; raise `LocatedError` if their quotation marks do not match."""
    is_list = isinstance(value, List)
    options = " ".join(map(_text, _scalars(value, "options"))) if is_list else _text(value)
    if any(character in options for character in "'\"\\"):
        try:
            shlex.split(options)
        except ValueError as error:
            raise LocatedError(value.mark, f"{str(error).lower()} in the options") from None
    entry["options"] = " ".join(option_words(options))


def _read_named_option(name: str, value: Node, entry: Entry) -> None:
    text = _text(value)
    if not text:
        hint = "put an option without a value into 'aot-toolchain-options'"
        raise LocatedError(value.mark, "expected a value, got nothing", hint)
    entry.setdefault("named_options", {})[name] = text


def _check_options(keys: _Keys, entry: Entry) -> None:
    """Check that no option is given twice."""
    words = {word.partition("=")[0] for word in option_words(entry.get("options", ""))}
    for name in entry.get("named_options", {}):
        if f"-{name}" in words:
            written = keys[_OPTION_PREFIX + name][0]
            raise LocatedError(
                written.mark,
                f"'aot-toolchain-options' and '{shown_name(written.text)}' both set '-{name}'",
                "remove one of the two",
            )
