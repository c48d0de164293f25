"""Read untrusted YAML as plain nodes with their positions.

Only plain data is accepted, and the size, the nesting and the expansion of aliases are bounded. The
pairs of the top level are composed one at a time from the parser's events.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

from dovetail.errors import ConfigurationError
from dovetail.files import CONFIGURATION, read_bytes
from dovetail.printable import visible

if TYPE_CHECKING:
    import yaml

# An entry is a mapping of lists; each merged mapping adds a level.
_MAX_DEPTH = 16
_MAX_VALUES_IN_ENTRY = 10_000
# Anchored values are retained, and every alias is expanded.
_MAX_SHARED_VALUES = 1_000_000
# Characters: no name or option is that long, and some parsers of text are slow.
_MAX_TEXT = 64 << 10
# libyaml compares each one with all others.
_MAX_TAG_DIRECTIVES = 100


def read_text(file: str | os.PathLike[str], shown: str) -> str:
    """Return a file's decoded text; `shown` is its name in messages."""
    data = read_bytes(file, CONFIGURATION)
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        name = encoding.upper().removesuffix("-SIG")
        raise ConfigurationError(f"{shown}:{line}: error: expected {name} text") from None
    unprintable = _UNPRINTABLE.search(text)
    if unprintable:
        line = text.count("\n", 0, unprintable.start()) + 1
        column = unprintable.start() - text.rfind("\n", 0, unprintable.start())
        code = ord(unprintable.group())
        raise ConfigurationError(
            f"{shown}:{line}:{column}: error: YAML does not allow the character U+{code:04X}"
        )
    if text.count("%TAG") > _MAX_TAG_DIRECTIVES:
        raise ConfigurationError(f"{shown}: error: more than {_MAX_TAG_DIRECTIVES} tag directives")
    return text


_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


class LocatedError(Exception):
    """An error at a position of the file."""

    def __init__(self, mark: "yaml.Mark | None", text: str, hint: str = "") -> None:
        super().__init__(text)
        self.mark = mark
        self.text = text
        self.hint = hint


@dataclass(slots=True)
class Scalar:
    """A text, number or Boolean, as written."""

    text: str
    plain: bool
    """Without quotes and tag, so that `~` is null and `<<` merges."""
    mark: "yaml.Mark"
    height: ClassVar[int] = 0

    @property
    def size(self) -> int:
        return 1 + len(self.text) // 64

    @property
    def is_null(self) -> bool:
        return self.plain and self.text in ("", "~", "null", "Null", "NULL")


@dataclass(slots=True)
class Branch:
    """The base of lists and mappings."""

    mark: "yaml.Mark"
    children: "list[Node]" = field(default_factory=list["Node"])
    size: int = 1
    """The number of values, with aliases expanded."""
    height: int = 1


class List(Branch):
    """A list of nodes."""

    __slots__ = ()


class Map(Branch):
    """A mapping; its children are alternating keys and values."""

    __slots__ = ()

    def pairs(self) -> "Iterator[tuple[Node, Node]]":
        children = iter(self.children)
        return zip(children, children, strict=True)


Node = Scalar | List | Map


class _EventSource(Protocol):
    """The typed part of PyYAML's loaders."""

    def get_event(self) -> "yaml.Event | None": ...


_TAG = "tag:yaml.org,2002:"
_TAGS = {None, "!", *(_TAG + name for name in ("str", "int", "bool", "null", "seq", "map"))}


class Document:
    """The pairs of a document's top level, composed from the parser's events one by one.

    PyYAML's own composer recurses in C without a limit and resolves types, which is not needed.
    """

    def __init__(self, text: str) -> None:
        import yaml

        loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
        self._events: _EventSource = loader(text)
        self._yaml = yaml
        self._text = text
        self._anchors: dict[str, Node | None] = {}
        """None while the node is not complete."""
        self._values = 0
        """The number of values in the current entry."""
        self._shared = 0
        """The number of values in all aliases, which is limited too."""

    def pairs(self) -> Iterator[tuple[Node, Node]]:
        """Yield each key with its value; raise `LocatedError` if the text is invalid."""
        try:
            yield from self._pairs()
        except self._yaml.MarkedYAMLError as error:
            raise self._syntax_error(error) from None
        except self._yaml.YAMLError as error:
            raise LocatedError(None, str(error)) from None

    def _pairs(self) -> Iterator[tuple[Node, Node]]:
        """Yield the targets and their entries; raise `LocatedError` for other documents."""
        self._next()
        if isinstance(self._next(), self._yaml.StreamEndEvent):
            return
        event = self._next()
        if isinstance(event, self._yaml.MappingStartEvent):
            self._check_tag(event)
            if event.anchor is not None:
                self._anchors[event.anchor] = None
            while not isinstance(event := self._next(), self._yaml.MappingEndEvent):
                self._values = 0
                yield self._node(event, 1), self._node(self._next(), 1)
        else:
            node = self._node(event, 0) if isinstance(event, self._yaml.ScalarEvent) else None
            if not (isinstance(node, Scalar) and node.is_null):
                got = node_text(node) if node else "a list"
                raise LocatedError(
                    event.start_mark, f"expected a mapping from target names to entries, got {got}"
                )
        self._next()
        event = self._next()
        if not isinstance(event, self._yaml.StreamEndEvent):
            raise LocatedError(event.start_mark, "expected one YAML document, got several")

    def _next(self) -> "yaml.Event":
        event = self._events.get_event()
        assert event, "the end of the stream has been read"
        return event

    def _node(self, event: "yaml.Event", depth: int) -> Node:
        """Return the node that begins with `event`, at that depth."""
        if isinstance(event, self._yaml.AliasEvent):
            return self._aliased(event, depth)
        assert isinstance(event, self._yaml.NodeEvent)
        self._values += 1
        if self._values > _MAX_VALUES_IN_ENTRY:
            text = f"more than {_MAX_VALUES_IN_ENTRY} values in an entry"
            raise LocatedError(event.start_mark, text)
        self._check_tag(event)
        if isinstance(event, self._yaml.ScalarEvent):
            if len(event.value) > _MAX_TEXT:
                raise LocatedError(event.start_mark, f"text of more than {_MAX_TEXT} characters")
            node = Scalar(event.value, event.implicit[0] and event.tag is None, event.start_mark)
        else:
            node = self._branch(event, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
            self._share(node, event)
        return node

    def _branch(self, event: "yaml.NodeEvent", depth: int) -> List | Map:
        """Read a list or mapping, and compute its size and height."""
        if depth >= _MAX_DEPTH:
            raise LocatedError(event.start_mark, f"nested more than {_MAX_DEPTH} levels deep")
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        is_map = isinstance(event, self._yaml.MappingStartEvent)
        branch = (Map if is_map else List)(event.start_mark)
        end = self._yaml.CollectionEndEvent
        while not isinstance(child := self._next(), end):
            node = self._node(child, depth + 1)
            branch.children.append(node)
            branch.size += node.size
            branch.height = max(branch.height, node.height + 1)
        return branch

    def _aliased(self, event: "yaml.AliasEvent", depth: int) -> Node:
        """Return the node that an alias refers to, and count its size again."""
        name: str = event.anchor
        if name not in self._anchors:
            text = f"undefined anchor '{shown_name(name)}'"
            raise LocatedError(event.start_mark, text, "define it with & before its first use")
        node = self._anchors[name]
        if node is None:
            raise LocatedError(event.start_mark, f"'{shown_name(name)}' contains itself")
        if depth + node.height > _MAX_DEPTH:
            raise LocatedError(event.start_mark, f"nested more than {_MAX_DEPTH} levels deep")
        self._share(node, event)
        return node

    def _share(self, node: Node, event: "yaml.NodeEvent") -> None:
        """Count the values of an alias; raise `LocatedError` if there are too many."""
        self._shared += node.size
        if self._shared > _MAX_SHARED_VALUES:
            text = f"anchors and aliases expand to more than {_MAX_SHARED_VALUES} values"
            raise LocatedError(event.start_mark, text)

    def _check_tag(self, event: "yaml.NodeEvent") -> None:
        tag: str | None = getattr(event, "tag", None)
        if tag not in _TAGS:
            raise LocatedError(event.start_mark, f"the tag '{shown_name(str(tag))}' is not allowed")

    def _syntax_error(self, error: "yaml.MarkedYAMLError") -> LocatedError:
        mark, begin = error.problem_mark or error.context_mark, error.context_mark
        text = " ".join(part for part in (error.problem, error.context) if part)
        if mark and begin and begin.line < mark.line:
            text += f" that begins in line {begin.line + 1}"
        is_tab = mark is not None and self._text.startswith("\t", mark.index)
        return LocatedError(mark, text, "indent with spaces, not with tabs" if is_tab else "")


def node_text(node: Node, *, expects_plain: bool = False) -> str:
    """Return a short description of a node for "expected ..., got ...".

    With `expects_plain`, it mentions that a scalar is quoted.
    """
    if isinstance(node, Scalar):
        if node.is_null:
            return "nothing"
        return f"{'the text ' if expects_plain and not node.plain else ''}'{shown_name(node.text)}'"
    return "a list" if isinstance(node, List) else "a mapping"


def file_name(file: str | os.PathLike[str]) -> str:
    """Return a file's name, printable in a message."""
    return visible(os.fspath(file))


def shown_name(text: str) -> str:
    """Return text from the file, shortened and printable on one line of a message."""
    return visible(text if len(text) <= 60 else text[:57] + "...")
