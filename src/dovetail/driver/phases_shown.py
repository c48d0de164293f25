"""The graph of actions as text, in the manner of clang's `-ccc-print-phases`.

A line for each action, after those that it needs: its number, what is done, the numbers of what it
takes, the kind of what comes out, and for which side and which targets.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dovetail.driver.actions import Action, BuildRequest, Phase, Request, RunRequest
from dovetail.frontend import Side, Source
from dovetail.targets.ir_family import IRFamily, ir_family

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
        for name, kind in self._files_read_by(action):
            # Each side reads a source for itself; what is linked is there once.
            key = (name, _side(action) if action.source else "")
            numbers.append(self._input(key, name, kind, action, place.below(len(numbers))))
        for needed in action.inputs:
            numbers.append(self._number_of(needed, place.below(len(numbers))))
        taken = ", ".join(map(str, numbers))
        return self._print(action, place, f"{action.phase}, {{{taken}}}, {_made(action)}", action)

    def _input(self, key: object, name: str, kind: str, reader: Action, place: _Place) -> int:
        if key in self._numbers:
            return self._numbers[key]
        return self._print(key, place, f'input, "{name}", {kind}', reader)

    def _print(self, key: object, place: _Place, text: str, action: Action) -> int:
        number = len(self._numbers)
        self._numbers[key] = number
        about = ", ".join(_about(action))
        line = f"{place.indent}{place.branch}{number}: {text}"
        self._printed.append(f"{line}, ({about})" if about else line)
        return number

    def _files_read_by(self, action: Action) -> Iterator[tuple[str, str]]:
        """Each file that the user named, with its kind."""
        if action.source and action.phase in _READING_SOURCES:
            yield action.source.path, action.source.language
        elif action.phase is Phase.GATHER:
            yield from ((linked.archive or linked.path, "object") for linked in action.objects)
        elif action.phase in _LINKING and isinstance(self._request, RunRequest | BuildRequest):
            yield from _linked_files(self._request.line.words)


def _linked_files(words: Iterable[Source | str]) -> Iterator[tuple[str, str]]:
    for word in words:
        if isinstance(word, str) and not word.startswith("-") and Path(word).is_file():
            yield word, _KINDS_OF_LINKED.get(Path(word).suffix, "object")


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
        return [side, ir_family(action.target.target), action.target.name]
    if action.phase in _OF_FAMILY:
        return [side, IRFamily.SPIRV64]
    return [side] if side else []
