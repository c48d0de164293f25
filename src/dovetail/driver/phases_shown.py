"""Print a plan: `-ccc-print-phases`.

Each step has a line, after those of its inputs: its number, its title, the numbers of its inputs,
the kind of its result, and its side, family and target.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dovetail.driver.step import AnyStep


def phases_text(root: AnyStep) -> str:
    """Return the graph that leads to `root`, as text."""
    return "\n".join(_Graph().lines(root))


@dataclass(frozen=True)
class _Place:
    """The position of a line in the tree, as clang draws it: branches before the root."""

    indent: str = ""
    branch: str = ""
    """The text before the number."""

    def below(self, number: int) -> "_Place":
        """Return the place of a step's input."""
        own = {"": "", "+- ": "   ", "|- ": "|  "}[self.branch]
        return _Place(self.indent + own, "|- " if number else "+- ")


class _Graph:
    """Prints and numbers steps and input files, each once."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._printed: list[str] = []

    def lines(self, root: AnyStep) -> list[str]:
        self._number_of(root, _Place())
        return self._printed

    def _number_of(self, step: AnyStep, place: _Place) -> int:
        """Return the number of a step; print it, after its inputs, if it has none yet."""
        if step in self._numbers:
            return self._numbers[step]
        numbers: list[int] = []
        # Each side reads a source separately; a file to link is shown once.
        about = step.about() if step.reads_source else ()
        for name, kind in step.input_files():
            numbers.append(self._input(name, kind, about, place.below(len(numbers))))
        for needed in step.inputs():
            numbers.append(self._number_of(needed, place.below(len(numbers))))
        taken = ", ".join(map(str, numbers))
        text = f"{step.title}, {{{taken}}}, {step.result_kind()}"
        return self._print(step, text, step.about(), place)

    def _input(self, name: str, kind: str, about: Sequence[str], place: _Place) -> int:
        key = (name, *about)
        if key in self._numbers:
            return self._numbers[key]
        return self._print(key, f'input, "{name}", {kind}', about, place)

    def _print(self, key: object, text: str, about: Sequence[str], place: _Place) -> int:
        """Print a line with the next number, record the number, and return it."""
        number = len(self._numbers)
        self._numbers[key] = number
        line = f"{place.indent}{place.branch}{number}: {text}"
        self._printed.append(f"{line}, ({', '.join(about)})" if about else line)
        return number
