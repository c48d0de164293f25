"""Errors that users can fix.

All derive from `DovetailError`; their messages state what is wrong, where, and what to do next. The
command line prints them without a traceback and exits with `exit_status`. Any other exception that
reaches it is a bug in Dovetail.
"""

from errno import ENOMEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class DovetailError(Exception):
    """An error that the user can fix."""

    exit_status = 1
    names_place = False
    """Whether the message contains the place and the word `error`, as clang's messages do."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        """What to do next; may be empty."""

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(DovetailError):
    """The command line, or a call's arguments, are invalid."""

    exit_status = 2


class InputError(DovetailError):
    """A file cannot be read or written."""


class ToolMissing(DovetailError):
    """A required program or library is not installed."""


class ToolFailed(DovetailError):
    """An external program could not be started, failed, or exceeded its time limit."""


class CompileError(DovetailError):
    """The C++ compiler rejected a source; the message is the compiler's output."""

    names_place = True


class FormatError(DovetailError):
    """A file does not conform to its format; the message names the line or byte offset."""


class ConfigurationError(FormatError):
    """A device configuration file is invalid."""

    names_place = True


class IRError(DovetailError):
    """LLVM rejected a module: it does not parse, verify or link, or a pass or back-end failed."""


class DeviceError(DovetailError):
    """A device was not found, or failed."""


MEMORY_HINT = (
    "run fewer jobs at a time (-j1), provide more memory, or raise the limit of 'ulimit -v'"
)


_NO_ROOM = ("can't start new thread", "failed to map segment")


class OutOfMemory(DovetailError):
    """The system, or a limit set for the process, has too little memory."""

    def __init__(self, doing: str) -> None:
        super().__init__(f"out of memory while {doing}", hint=MEMORY_HINT)


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an exception is caused by a failed allocation."""
    if isinstance(error, OSError):
        return error.errno == ENOMEM
    if isinstance(error, RuntimeError | ImportError):
        # Thread creation and library loading raise general exceptions for this.
        return any(text in str(error) for text in _NO_ROOM)
    return isinstance(error, MemoryError)


class KernelNotFound(DovetailError, KeyError):
    """A program has no kernel with the requested name, or several."""


class ArgumentError(DovetailError):
    """A kernel argument or a launch range does not fit the kernel."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument has the wrong type, or the number of arguments is wrong."""


class ArgumentValueError(ArgumentError, ValueError):
    """An argument has the right type and a value that cannot be used."""


class VariableNotFound(ArgumentError, KeyError):
    """A program has no variable with the requested name, or several."""


class KernelAssertionFailed(DovetailError):
    """An assertion in a kernel failed; the message has the assertion, place and work-item."""


class ProgramBuildError(DovetailError):
    """A device's driver could not build a program; the message contains the build log."""


class NoImageForDevice(ProgramBuildError):
    """A program has no code for a kernel that the device can run."""


class MissingImport(ProgramBuildError):
    """A kernel needs a function that no loaded program defines."""


class DuplicateDefinition(ProgramBuildError):
    """A kernel needs a function that two loaded programs define."""


def nearest(name: str, known: "Iterable[str]") -> str:
    """Return a hint with the known name closest to `name`, or an empty string if none is close."""
    # Compare without C++ namespaces.
    names = nearest_names(name.rpartition("::")[2], known, 1)
    return f"did you mean '{names[0]}'?" if names else ""


def nearest_names(name: str, known: "Iterable[str]", count: int) -> list[str]:
    """Return at most `count` known names that are close to `name`, the closest first."""
    # Imported here: every command loads this module.
    from difflib import get_close_matches

    by_spelling = {each.casefold(): each for each in known}
    matches = get_close_matches(name.casefold(), list(by_spelling), n=count)
    return [by_spelling[match] for match in matches]
