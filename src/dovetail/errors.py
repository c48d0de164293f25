"""The errors a user can cause and mend.

Every one of them derives from `DovetailError` and says what is wrong, where, and what to do next.
The command line prints them without a traceback and exits with `exit_status`. Anything else that
escapes is a bug of ours.
"""

from errno import ENOMEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class DovetailError(Exception):
    """Something the user can mend."""

    exit_status = 1
    names_place = False
    """Whether the message says where and that it is an error by itself, as clang's do."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        """What to do next, as a sentence; may be empty."""

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(DovetailError):
    """The command line, or a call's arguments, make no sense."""

    exit_status = 2


class InputError(DovetailError):
    """A file that was named cannot be read or written."""


class ToolMissing(DovetailError):
    """A program or library that the step needs is not installed."""


class ToolFailed(DovetailError):
    """A program that a step needs could not be started, did not end, or did not do its work."""


class CompileError(DovetailError):
    """The C++ compiler refused a source; its own message is the message."""

    names_place = True


class FormatError(DovetailError):
    """A file is not what its format says, at a line or byte offset that the message names."""


class ConfigurationError(FormatError):
    """A device configuration file says something that makes no sense."""

    names_place = True


class IRError(DovetailError):
    """LLVM refused a module: it does not parse, verify, link, or a pass or back-end gave up."""


class DeviceError(DovetailError):
    """No such device, or the device failed."""


MEMORY_HINT = (
    "do fewer things at a time (-j1), give the build more memory, or raise the limit that"
    " 'ulimit -v' shows"
)


_NO_ROOM = ("can't start new thread", "failed to map segment")


class OutOfMemory(DovetailError):
    """The memory, or the limit that is set for it, was not enough."""

    def __init__(self, doing: str) -> None:
        super().__init__(f"out of memory while {doing}", hint=MEMORY_HINT)


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an exception says that memory could not be had."""
    if isinstance(error, OSError):
        return error.errno == ENOMEM
    if isinstance(error, RuntimeError | ImportError):
        # Neither threads nor libraries have an exception of their own for this.
        return any(text in str(error) for text in _NO_ROOM)
    return isinstance(error, MemoryError)


class KernelNotFound(DovetailError):
    """A program has no kernel of that name, or several."""


class ArgumentError(DovetailError):
    """A kernel argument or a launch range does not fit the kernel."""


class KernelAssertionFailed(DovetailError):
    """An assertion in a kernel failed; the message says which, where and in which work-item."""


class ProgramBuildError(DovetailError):
    """A device's driver refused to build a program; the message holds its log."""


class NoImageForDevice(ProgramBuildError):
    """A program has no code for a kernel that the device can take."""


class MissingImport(ProgramBuildError):
    """A kernel needs a function that no loaded program has."""


class DuplicateDefinition(ProgramBuildError):
    """A kernel needs a function that two loaded programs have."""


def nearest(name: str, known: "Iterable[str]") -> str:
    """A hint that names the known name closest to `name`; empty if none is close."""
    # Names may come with the namespaces that C++ has around them.
    names = nearest_names(name.rpartition("::")[2], known, 1)
    return f"did you mean '{names[0]}'?" if names else ""


def nearest_names(name: str, known: "Iterable[str]", count: int) -> list[str]:
    """The known names that are close to `name`, the closest first, at most so many."""
    # Only who errs pays for this import, as every command imports this module.
    from difflib import get_close_matches

    by_spelling = {each.casefold(): each for each in known}
    matches = get_close_matches(name.casefold(), list(by_spelling), n=count)
    return [by_spelling[match] for match in matches]
