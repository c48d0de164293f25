"""Commands for Python processes that import only what Dovetail and its dependencies installed.

Python searches the current directory, the directory of a script and `PYTHONPATH` before its own
modules, so a `json.py` in one of them would run in a child process. A process started with a
command from here imports the standard library from the interpreter, then this package and the named
dependencies from the directories in which this process finds them, then the interpreter's
site-packages, and nothing else.

Such a process runs this file as its script.
"""

import os
import sys

# Not from typing: importing it would slow down the start of the process.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RUNTIME_DEPENDENCIES = ("numpy", "pyopencl")
"""Dependencies of modules that use devices."""

_EXTENSION_MODULES = os.sep + "lib-dynload"
"""The end of the path of the standard library's second directory."""

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

    `dependencies` are other packages that the module imports. `memory` is a limit in bytes for the
    address space of the process, or 0.
    """
    found = (_directory_of(name) for name in dependencies)
    directories = dict.fromkeys([os.path.dirname(_PACKAGE), *filter(None, found)])
    numbers = (str(memory), str(len(directories)))
    return (sys.executable, *_flags(), _SCRIPT, *numbers, *directories, module, *words)


def limit_memory(size: int) -> None:
    """Limit the address space of this process to `size` bytes, and disable core files."""
    # Imported here: most processes have no limit.
    import resource

    for kind, wanted in ((resource.RLIMIT_AS, size), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (value, value))


def _flags() -> list[str]:
    # Variables of the environment add directories, and one starts an interactive prompt at the end.
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
        # A module of that name is loaded without a spec.
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return os.path.dirname(os.path.abspath(next(iter(spec.submodule_search_locations))))


def _run(memory: str, count: str, *arguments: str) -> None:
    """Run a module with a limit of `memory` bytes; 0 means no limit.

    `arguments` are `count` directories to import from, the module's name, and the module's own
    arguments.
    """
    from runpy import run_module

    if int(memory):
        limit_memory(int(memory))
    directories, (module, *words) = arguments[: int(count)], arguments[int(count) :]
    standard = (os.path.dirname(os.__file__), _EXTENSION_MODULES)
    places = [n for n, entry in enumerate(sys.path) if entry.endswith(standard)]
    # After the standard library, so files next to a package do not shadow its modules.
    after = max(places, default=-1) + 1
    sys.path[after:after] = directories
    sys.argv[1:] = words
    run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _run(*sys.argv[1:])
