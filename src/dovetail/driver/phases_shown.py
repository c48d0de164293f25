"""The graph of actions as text, in the manner of clang's `-ccc-print-phases`.

A line for each action, after those that it needs: its number, what is done, the numbers of what it
takes, the kind of what comes out, and for which side and which targets.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dovetail.driver.actions import Action, BuildRequest, Phase, Request, RunRequest
from dovetail.frontend import Side, Source

_MADE = {
    Phase.PRECOMPILE: "precompiled header",
    Phase.BODIES: "object",
    Phase.COMPILE: "bitcode and facts",
    Phase.COMPILE_HOST: "object",
    Phase.SYNTAX: "none",
    Phase.SYNTAX_HOST: "none",
    Phase.OBJECT: "object",
    Phase.FILES: "files",
    Phase.LINK_HOST: "shared object",
    Phase.RESOLVE: "list of members",
    Phase.GATHER: "bitcode and facts",
    Phase.APART: "none",
    Phase.READ: "bitcode",
    Phase.CHECK: "facts",
    Phase.ANALYZE: "findings",
    Phase.PASSES: "bitcode",
    Phase.POST_LINK: "images",
    Phase.FILTER: "images",
    Phase.GENERATE: "code of images",
    Phase.PACKAGE: "syclbin",
    Phase.EMBED: "object",
    Phase.EXECUTABLE: "program",
    Phase.START: "exit status",
}
"""By phase, the kind of what comes out."""

_READING_SOURCES = (
    Phase.COMPILE,
    Phase.COMPILE_HOST,
    Phase.SYNTAX,
    Phase.SYNTAX_HOST,
    Phase.CHECK,
)
_OF_HOST = (
    Phase.COMPILE_HOST,
    Phase.SYNTAX_HOST,
    Phase.BODIES,
    Phase.EMBED,
    Phase.LINK_HOST,
    Phase.RESOLVE,
)
_OF_FAMILY = (
    Phase.COMPILE,
    Phase.SYNTAX,
    Phase.CHECK,
    Phase.PASSES,
    Phase.GATHER,
    Phase.APART,
    Phase.POST_LINK,
    Phase.GENERATE,
)
_LINKING = (Phase.LINK_HOST, Phase.RESOLVE)

_KINDS_OF_LINKED = {".a": "archive", ".so": "library"}


def phases_text(root: Action, request: Request) -> str:
    """The graph up to `root`, whose request tells what is linked beside sources."""
    return "\n".join(_Graph(request).lines(root))


@dataclass(frozen=True)
class _Place:
    """Where a line stands: clang draws a tree, whose branches come before what they join."""

    indent: str = ""
    branch: str = ""
    """What stands before the number."""

    def below(self, number: int) -> "_Place":
        """The place of an action's input."""
        own = {"": "", "+- ": "   ", "|- ": "|  "}[self.branch]
        return _Place(self.indent + own, "|- " if number else "+- ")


class _Graph:
    """Numbers what was printed already, which is not printed again."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._numbers: dict[object, int] = {}
        self._printed: list[str] = []

    def lines(self, root: Action) -> list[str]:
        self._number_of(root, _Place())
        return self._printed

    def _number_of(self, action: Action, place: _Place) -> int:
        if action in self._numbers:
            return self._numbers[action]
        numbers: list[int] = []
        # Each side reads a source for itself; what is linked is there once, for both.
        about = _about(action) if action.source else ()
        for name, kind in self._files_read_by(action):
            numbers.append(self._input(name, kind, about, place.below(len(numbers))))
        for needed in action.inputs:
            numbers.append(self._number_of(needed, place.below(len(numbers))))
        taken = ", ".join(map(str, numbers))
        text = f"{action.phase}, {{{taken}}}, {_made(action)}"
        return self._print(action, text, _about(action), place)

    def _input(self, name: str, kind: str, about: Sequence[str], place: _Place) -> int:
        key = (name, *about)
        if key in self._numbers:
            return self._numbers[key]
        return self._print(key, f'input, "{name}", {kind}', about, place)

    def _print(self, key: object, text: str, about: Sequence[str], place: _Place) -> int:
        number = len(self._numbers)
        self._numbers[key] = number
        line = f"{place.indent}{place.branch}{number}: {text}"
        self._printed.append(f"{line}, ({', '.join(about)})" if about else line)
        return number

    def _files_read_by(self, action: Action) -> Iterator[tuple[str, str]]:
        """Each file that the user named, with its kind."""
        if action.source and action.phase in _READING_SOURCES:
            yield action.source.path, action.source.language
        elif action.phase is Phase.GATHER:
            names = dict.fromkeys(linked.archive or linked.path for linked in action.objects)
            yield from ((name, _kind_of_linked(name)) for name in names)
        elif action.phase in _LINKING and isinstance(self._request, RunRequest | BuildRequest):
            yield from _linked_files(self._request.line.words)


def _linked_files(words: Iterable[Source | str]) -> Iterator[tuple[str, str]]:
    for word in words:
        if isinstance(word, str) and not word.startswith("-") and Path(word).is_file():
            yield word, _kind_of_linked(word)


def _kind_of_linked(name: str) -> str:
    return _KINDS_OF_LINKED.get(Path(name).suffix, "object")


def _made(action: Action) -> str:
    is_nothing = action.phase is Phase.FILES and not any(a.output for a in action.inputs)
    return "none" if is_nothing else _MADE[action.phase]


def _side(action: Action) -> str:
    if action.header and action.phase is Phase.PRECOMPILE:
        return action.header.side
    if action.phase in (*_OF_FAMILY, Phase.FILTER, Phase.PACKAGE):
        return Side.DEVICE
    return Side.HOST if action.phase in _OF_HOST else ""


def _about(action: Action) -> list[str]:
    """The side, and the family of device code or the target."""
    side = _side(action)
    if action.target:
        return [side, action.family, action.target.name]
    if action.phase in _OF_FAMILY:
        return [side, action.family]
    return [side] if side else []
