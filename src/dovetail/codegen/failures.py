"""What compilers refused, told once: images and targets that draw the same log share it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from dovetail.errors import DovetailError

_MOST_PLACES = 5

_Names = tuple[tuple[str, ...], tuple[str, ...]]
"""What images are told from each other by: kernels, and functions."""


class CodeFailure(NamedTuple):
    """An image that a compiler refused."""

    kernels: tuple[str, ...]
    functions: tuple[str, ...]
    """Its entry points, if it has no kernels."""
    targets: tuple[str, ...]
    """None if it was for any device."""
    log: str
    hint: str = ""
    places: tuple[str, ...] = ()
    """Where its kernels are defined, as `FILE:LINE: note: ...`."""


class CodeRefused(DovetailError):
    """All that compilers refused in a build."""

    def __init__(self, failures: Iterable[CodeFailure], *, advice: str) -> None:
        self.failures = tuple(failures)
        self.advice = advice
        """What to do about all of them."""
        hints = dict.fromkeys([*(failure.hint for failure in self.failures), advice])
        super().__init__(_message(self.failures), hint="\n".join(filter(None, hints)))

    @classmethod
    def joined(cls, errors: "Sequence[CodeRefused]") -> Self:
        """Several as one; all of a build have the same advice."""
        return cls((each for error in errors for each in error.failures), advice=errors[0].advice)


def _message(failures: Sequence[CodeFailure]) -> str:
    by_log: dict[str, list[CodeFailure]] = {}
    for failure in failures:
        by_log.setdefault(failure.log, []).append(failure)
    return "\n".join(
        "\n".join([f"{_sentences(alike)}:\n{log}", *_places(alike)])
        for log, alike in by_log.items()
    )


def _places(alike: Sequence[CodeFailure]) -> Iterable[str]:
    """Of the first kernels, each once; their names are all in the sentence."""
    return [*dict.fromkeys(place for failure in alike for place in failure.places)][:_MOST_PLACES]


def _sentences(alike: Sequence[CodeFailure]) -> str:
    """Which images are concerned, those for the same targets together."""
    targets: dict[_Names, dict[str, None]] = {}
    for each in alike:
        image = (each.kernels, each.functions)
        targets.setdefault(image, {}).update(dict.fromkeys(each.targets))
    images: dict[tuple[str, ...], list[_Names]] = {}
    for image, names in targets.items():
        images.setdefault(tuple(names), []).append(image)
    return ";\n".join(
        f"the code of {_in_words(of_these)} cannot be made for {_quoted(names) or 'any device'}"
        for names, of_these in images.items()
    )


def _in_words(images: Sequence[_Names]) -> str:
    kernels = dict.fromkeys(name for named, _ in images for name in named)
    functions = dict.fromkeys(name for _, named in images for name in named)
    kinds = (("kernel", kernels), ("function", functions))
    return " and ".join(
        f"{kind}{'' if len(names) == 1 else 's'} {_quoted(names)}" for kind, names in kinds if names
    )


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
