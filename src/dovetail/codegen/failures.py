"""Errors of compilers, grouped: images and targets with the same log share one message."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from dovetail.errors import DovetailError

_MAX_PLACES = 5

_ImageNames = tuple[tuple[str, ...], tuple[str, ...]]
"""The kernels and the functions of an image, which identify it in messages."""


class CodeFailure(NamedTuple):
    """A compiler's error for an image."""

    kernels: tuple[str, ...]
    functions: tuple[str, ...]
    """The image's entry points, if it has no kernels."""
    targets: tuple[str, ...]
    """Empty for code for any device."""
    log: str
    hint: str = ""
    places: tuple[str, ...] = ()
    """Where the kernels are defined, as `FILE:LINE: note: ...`."""


class CodeRefused(DovetailError):
    """All errors of compilers in a build."""

    def __init__(self, failures: Iterable[CodeFailure], *, advice: str) -> None:
        self.failures = tuple(failures)
        self.advice = advice
        """What to do about any of the failures."""
        hints = dict.fromkeys([*(failure.hint for failure in self.failures), advice])
        super().__init__(_message(self.failures), hint="\n".join(filter(None, hints)))

    @classmethod
    def joined(cls, errors: "Sequence[CodeRefused]") -> Self:
        """Merge several errors of a build, which all have the same advice."""
        return cls((each for error in errors for each in error.failures), advice=errors[0].advice)


def _message(failures: Sequence[CodeFailure]) -> str:
    by_log: dict[str, list[CodeFailure]] = {}
    for failure in failures:
        by_log.setdefault(failure.log, []).append(failure)
    return "\n".join(
        "\n".join([f"{_sentences(failures)}:\n{log}", *_places(failures)])
        for log, failures in by_log.items()
    )


def _places(failures: Sequence[CodeFailure]) -> Iterable[str]:
    """Return the places of the first kernels; the sentences name all kernels."""
    return [*dict.fromkeys(place for each in failures for place in each.places)][:_MAX_PLACES]


def _sentences(failures: Sequence[CodeFailure]) -> str:
    """Return which images failed, one clause for each set of targets."""
    targets: dict[_ImageNames, dict[str, None]] = {}
    for each in failures:
        image = (each.kernels, each.functions)
        targets.setdefault(image, {}).update(dict.fromkeys(each.targets))
    images: dict[tuple[str, ...], list[_ImageNames]] = {}
    for image, names in targets.items():
        images.setdefault(tuple(names), []).append(image)
    return ";\n".join(
        f"cannot compile {_described(failed)} for {_quoted(names) or 'any device'}"
        for names, failed in images.items()
    )


def _described(images: Sequence[_ImageNames]) -> str:
    kernels = dict.fromkeys(name for named, _ in images for name in named)
    functions = dict.fromkeys(name for _, named in images for name in named)
    kinds = (("kernel", kernels), ("function", functions))
    return " and ".join(
        f"{kind}{'' if len(names) == 1 else 's'} {_quoted(names)}" for kind, names in kinds if names
    )


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
