"""The precompiled `sycl/sycl.hpp`: made on first use, kept for every later compilation.

One is kept for each set of flags that changes what the headers mean. It carries the sizes and times
of all files that went into it and is made again when one of them has changed.
"""

import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from dovetail.files import cache_directory, write_atomically
from dovetail.frontend.command import DeviceFlags, base_words

HEADER = "sycl/sycl.hpp"

# Macros that our headers or the standard library's may look at; no other changes what they mean.
_MACRO_THAT_MATTERS = re.compile(r"-[DU](_|SYCL|DOVETAIL|NDEBUG)")


@dataclass(frozen=True)
class PrecompiledHeader:
    """One precompiled header in the cache, and whether it can be used as it is."""

    path: Path
    current: bool

    @property
    def inputs_path(self) -> Path:
        """Beside it: which files went into it."""
        return self.path.with_suffix(".inputs.json")


def precompiled_header(flags: DeviceFlags) -> PrecompiledHeader:
    """The precompiled header for these flags, which may still have to be made."""
    command = base_words()
    plugin = Path(next(w for w in command if w.startswith("-fplugin=")).partition("=")[2])
    # Clang's own path stands for its version: a new one brings a new resource folder or a new time.
    key = repr((command, _stamp(Path(command[0])), _stamp(plugin), _words_that_matter(flags)))
    name = hashlib.sha256(key.encode()).hexdigest()[:32]
    header = PrecompiledHeader(cache_directory("headers") / f"device-{name}.pch", current=False)
    return PrecompiledHeader(header.path, current=_inputs_unchanged(header))


def precompile_command(flags: DeviceFlags, output: Path, dependencies: Path) -> tuple[str, ...]:
    """Make a precompiled header; its source, one include, comes on standard input."""
    return (
        *base_words(),
        *_words_that_matter(flags),
        "-Xclang",
        "-emit-pch",
        "-MD",
        "-MF",
        os.fspath(dependencies),
        "-c",
        "-x",
        "c++",
        "-",
        "-o",
        os.fspath(output),
    )


def precompile_input() -> bytes:
    """What `precompile_command` reads."""
    return f"#include <{HEADER}>\n".encode()


def store_precompiled(header: PrecompiledHeader, made: Path, dependencies: Path) -> None:
    """Put a header that was just made into the cache, with the state of what went into it."""
    inputs = {path: _stamp(Path(path)) for path in _dependency_paths(dependencies.read_text())}
    write_atomically(header.inputs_path, json.dumps(inputs).encode())
    write_atomically(header.path, made.read_bytes())


def includes_sycl_first(text: str) -> bool:
    """Whether the source includes our header before anything could change its meaning.

    Only then does a header compiled on its own mean the same. Other includes may come before it.
    """
    for line in text.splitlines():
        directive = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not directive:
            continue
        if directive[1] == "include":
            if re.match(rf'[<"]{re.escape(HEADER)}[>"]', directive[2]):
                return True
        elif directive[1] != "pragma":
            return False
    return False


def _words_that_matter(flags: DeviceFlags) -> tuple[str, ...]:
    macros = tuple(word for word in flags.macros if _MACRO_THAT_MATTERS.match(word))
    return (*flags.code_words(), *macros)


def _stamp(path: Path) -> list[int]:
    """A file's size and time of change; zeros if it is gone."""
    try:
        status = path.stat()
    except OSError:
        return [0, 0]
    return [status.st_size, status.st_mtime_ns]


def _inputs_unchanged(header: PrecompiledHeader) -> bool:
    if not header.path.exists():
        return False
    try:
        inputs: dict[str, list[int]] = json.loads(header.inputs_path.read_bytes())
        return all(_stamp(Path(path)) == stamp for path, stamp in inputs.items())
    except (OSError, ValueError, AttributeError):
        return False


def _dependency_paths(makefile: str) -> list[str]:
    """The prerequisites of a one-rule makefile, as clang's -MD writes it."""
    _, _, prerequisites = makefile.replace("\\\n", " ").partition(": ")
    words = re.split(r"(?<!\\)\s+", prerequisites.strip())
    return [word.replace("\\ ", " ").replace("$$", "$") for word in words if word not in ("", "-")]
