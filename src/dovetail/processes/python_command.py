"""Commands for Python processes that import only what Dovetail and its dependencies installed.

Python puts the current directory, the directory of a script and `PYTHONPATH` in front of its own
modules, so a `json.py` that lies in one of them would run in a child process. A process started
with a command from here takes its standard library from the interpreter, then this package and the
named dependencies from the directories in which this process finds them, then the interpreter's
site-packages, and nothing else.

This file is also the script that such a process runs.
"""

import os
import sys

# Not typing's: builds wait for processes that start here, and loading it takes long.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RUNTIME_DEPENDENCIES = ("numpy", "pyopencl")
"""What modules that use devices import."""

_EXTENSION_MODULES = os.sep + "lib-dynload"
"""How the second directory of the standard library ends."""

_SCRIPT = os.path.abspath(__file__)
_PACKAGE = os.path.dirname(os.path.dirname(_SCRIPT))


def python_command(
    module: str,
    words: "Sequence[str]" = (),
    dependencies: "Iterable[str]" = (),
    *,
    memory: int = 0,
) -> tuple[str, ...]:
    """Return the command that runs a module of this package with `words` as its arguments.

    `dependencies` are the packages beside this one that the module imports, `memory` the bytes of
    address space that the process may use, if there is a limit.
    """
    found = (_directory_of(name) for name in dependencies)
    directories = dict.fromkeys([os.path.dirname(_PACKAGE), *filter(None, found)])
    numbers = (str(memory), str(len(directories)))
    return (sys.executable, *_flags(), _SCRIPT, *numbers, *directories, module, *words)


def limit_memory(size: int) -> None:
    """Let this process use at most so many bytes of address space, and write no core file."""
    # Most processes have no limit.
    import resource

    for kind, wanted in ((resource.RLIMIT_AS, size), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (value, value))


def _flags() -> list[str]:
    # The environment's variables add directories, and one has Python wait for commands at the end.
    flags = ["-E", "-P"]
    if sys.flags.no_user_site:
        flags.append("-s")
    if sys.dont_write_bytecode:
        flags.append("-B")
    return flags


def _directory_of(name: str) -> str | None:
    """Return the directory from which this process imports a package; None if it cannot."""
    from importlib.util import find_spec

    try:
        spec = find_spec(name)
    except ValueError:
        # Whatever is loaded under that name was not imported from anywhere.
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return os.path.dirname(os.path.abspath(next(iter(spec.submodule_search_locations))))


def _run(memory: str, count: str, *arguments: str) -> None:
    """Run a module: `count` directories come first, then its name and its arguments."""
    from runpy import run_module

    if int(memory):
        limit_memory(int(memory))
    directories, (module, *words) = arguments[: int(count)], arguments[int(count) :]
    standard = (os.path.dirname(os.__file__), _EXTENSION_MODULES)
    places = [n for n, entry in enumerate(sys.path) if entry.endswith(standard)]
    # After the standard library: nothing that lies beside a package takes the place of its modules.
    after = max(places, default=-1) + 1
    sys.path[after:after] = directories
    sys.argv[1:] = words
    run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _run(*sys.argv[1:])
