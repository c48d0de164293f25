"""Options for ahead-of-time compilers and compilations of one target, as given."""

import shlex
from collections.abc import Iterable
from typing import NamedTuple, Self

from dovetail.errors import UsageError

XS = "-Xs"
BACKEND = "-Xsycl-target-backend"


def split_words(text: str, option: str) -> tuple[str, ...]:
    """Split the value of an option as a shell does."""
    try:
        return tuple(shlex.split(text))
    except ValueError:
        raise UsageError(
            f"cannot split the value of {option}: [{text}] has an unbalanced quotation"
            " mark or a trailing backslash",
            hint="quote them as for a shell",
        ) from None


class BackendOption(NamedTuple):
    """Options for a target, as given on the command line."""

    words: str
    """Quoted as for a shell."""
    target: str | None = ""
    """The target's name; "" for the only target; None for all targets (`-Xs`)."""
    spelling: str = BACKEND
    """The option, if it is not for all targets."""

    def __str__(self) -> str:
        return f"{self._option()} {shlex.quote(self.words)}"

    def _option(self) -> str:
        if self.target is None:
            return XS
        return f"{self.spelling}={self.target}" if self.target else self.spelling

    def split(self) -> tuple[str, ...]:
        """Return the options as a list of words."""
        return split_words(self.words, self._option())

    def with_words(self, words: Iterable[str]) -> Self:
        """Return an option with other words for the same target."""
        return self._replace(words=shlex.join(words))
