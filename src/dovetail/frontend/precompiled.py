"""The precompiled SYCL headers: made on first use, kept for every later compilation.

The host's comes with an object file: the bodies of its classes, compiled once instead of in every
source, and linked into every program that took the header.

One is kept for each set of flags that changes what the headers mean. The list of targets is not
among these: what depends on it stands in `sycl/sycl.hpp`, which every source reads for itself. A
precompiled header comes with a list of all that was read for it, and is made again when something
of that has changed.
"""

import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dovetail.cache import HEADERS, cache_directory, cache_path, note_use, own_directory, put_file
from dovetail.errors import FormatError, InputError
from dovetail.files import SOURCE, read_bytes
from dovetail.frontend.command import (
    BODIES_ELSEWHERE,
    BODIES_HERE,
    CXX,
    Flags,
    Side,
    Source,
    base_words,
)
from dovetail.frontend.dependencies import dependency_paths
from dovetail.frontend.header_options import (
    MACRO_THAT_MATTERS,
    are_listed,
    sifted,
    with_absolute_directories,
)
from dovetail.frontend.reads import Reads, places_of, sought_by
from dovetail.json_shape import parse_json
from dovetail.resources import LLVM_OBJCOPY, tool_path
from dovetail.targets.ir_family import IRFamily

HEADER = "sycl/sycl.hpp"
_PRECOMPILED = "sycl/detail/precompiled.hpp"

# Changes with what is done to headers and bodies beside compiling them.
_FORM = "weakened"

_INPUTS_SHAPE = {"identity": str, "bodies": str, "parts": {str: (int, int)}, "reads": list}


class PrecompiledHeader(NamedTuple):
    """One precompiled header in the cache, and whether it can be used as it is."""

    side: Side
    words: tuple[str, ...]
    """The words that it is compiled with, beside those that every compilation has."""
    path: Path
    current: bool
    family: IRFamily = IRFamily.SPIRV64
    """Of the device's."""
    identity: str = ""
    """The same for all that mean the same; known if it is current."""
    bodies_digest: str = ""
    """Of the bodies' content; known if it is current, and the host's."""

    @property
    def inputs_path(self) -> Path:
        """Beside it: which files went into it."""
        return self.path.with_suffix(".inputs.json")

    @property
    def bodies_path(self) -> Path:
        """Beside the host's: an object file with the bodies that its users leave out."""
        return self.path.with_suffix(".o")

    @property
    def parts(self) -> tuple[Path, ...]:
        """Everything that has to be there."""
        return (self.path, self.bodies_path) if self.side is Side.HOST else (self.path,)


def precompiled_header(
    side: Side, flags: Flags, family: IRFamily = IRFamily.SPIRV64
) -> PrecompiledHeader:
    """The precompiled header for these flags, which may still have to be made."""
    return _header(side, _words_that_matter(side, flags), family)


def header_of_object(words: Sequence[str]) -> tuple[PrecompiledHeader, tuple[str, ...]]:
    """Return the host's header that an object took, for its bodies, and the options it is denied.

    Nobody vouches for the object, so only options on the list are taken from it.
    """
    kept, dropped = sifted(words)
    return _header(Side.HOST, kept), dropped


def _header(
    side: Side, words: tuple[str, ...], family: IRFamily = IRFamily.SPIRV64
) -> PrecompiledHeader:
    header = PrecompiledHeader(side, words, Path(), False, family)
    command = precompile_command(header, Path("-"), Path("-"))
    plugin = Path(next(w for w in command if w.startswith("-fplugin=")).partition("=")[2])
    # Clang's own path stands for its version: a new one brings a new resource folder or a new time.
    key = repr((_FORM, command, _stamp(Path(command[0])), _stamp(plugin)))
    name = hashlib.sha256(key.encode()).hexdigest()[:32]
    return _looked_up(header._replace(path=cache_path(HEADERS.name) / f"{side}-{name}.pch"))


def precompile_command(
    header: PrecompiledHeader, output: Path, dependencies: Path
) -> tuple[str, ...]:
    """Make a precompiled header; its source, one include, comes on standard input."""
    bodies = (BODIES_ELSEWHERE,) if header.side is Side.HOST else ()
    # Instances of templates that every user would make are made once, here.
    kind = ("-Xclang", "-emit-pch", "-Xclang", "-fpch-instantiate-templates")
    words = (*base_words(header.side, header.family), *header.words, *bodies, *kind)
    return (*words, *_compile_include(output, dependencies))


def bodies_command(header: PrecompiledHeader, output: Path, dependencies: Path) -> tuple[str, ...]:
    """Compile the bodies of the host's classes; the source is the same as for the header."""
    words = (*base_words(Side.HOST), *header.words, BODIES_HERE)
    return (*words, *_compile_include(output, dependencies))


def weaken_command(bodies: Path) -> tuple[str, ...]:
    """Let the bodies stand back for others: objects of several sets of flags are linked together.

    Compiled as weak from the start, they could not be inlined into each other.
    """
    return (tool_path(LLVM_OBJCOPY), "--weaken", os.fspath(bodies))


def _compile_include(output: Path, dependencies: Path) -> tuple[str, ...]:
    made = ("-MD", "-MF", os.fspath(dependencies))
    return (*made, "-c", "-x", "c++", "-", "-o", os.fspath(output))


def precompile_input() -> bytes:
    """What `precompile_command` reads."""
    return f"#include <{_PRECOMPILED}>\n".encode()


def headers_can_be_stored() -> bool:
    """Whether there is a cache that can be written; without one, sources go without a header."""
    try:
        return os.access(cache_directory(HEADERS.name), os.W_OK)
    except InputError:
        return False


def header_reads(dependencies: Sequence[Path], search: Sequence[str], since: int) -> Reads | None:
    """What was read for a header, or for its bodies, since a moment; None if that has changed.

    `search` is the search path for headers.
    """
    listed = [dependency_paths(each.read_text(errors="surrogateescape")) for each in dependencies]
    files = list(dict.fromkeys(path for paths in listed for path in paths))
    try:
        sought = sought_by(read_bytes(path, SOURCE) for path in files)
    except InputError:
        return None
    return Reads.observed(files, places_of(sought, files, search), since)


def store_precompiled(header: PrecompiledHeader, made: Path, reads: Reads | None) -> bool:
    """Put a header that was just made into the cache; return whether that was possible.

    With it, the device's is complete.
    """
    if not put_file(HEADERS, header.path.name, made.read_bytes()):
        return False
    if header.side is Side.DEVICE and reads is not None:
        _store_inputs(header, reads.identity, "", reads)
    return True


def store_bodies(header: PrecompiledHeader, made: Path, identity: str, reads: Reads | None) -> None:
    """Put the bodies that belong to the host's header into the cache, which completes it.

    `identity` is that of only the header, empty if it was not put there; `reads` is what was read
    for both.
    """
    data = made.read_bytes()
    is_stored = put_file(HEADERS, header.bodies_path.name, data)
    if is_stored and identity and reads is not None:
        _store_inputs(header, identity, hashlib.sha256(data).hexdigest(), reads)


def _store_inputs(header: PrecompiledHeader, identity: str, bodies: str, reads: Reads) -> None:
    """Write down the state of everything that went in and came out.

    This comes last: whatever happens before, a list never vouches for what it was not made for.
    """
    parts = {os.fspath(part): _stamp(part) for part in header.parts}
    document = {
        "identity": identity,
        "bodies": bodies,
        "parts": parts,
        "reads": reads.fields(),
    }
    put_file(HEADERS, header.inputs_path.name, json.dumps(document).encode())


def can_take_header(source: Source, flags: Flags) -> bool:
    """Whether our header means the same compiled on its own as where this source includes it.

    It does if nothing before it can define a macro: only headers of the system may come first.
    """
    sides = (_words_that_matter(side, flags) for side in Side)
    if source.language != CXX or not all(map(are_listed, sides)):
        return False
    for line in source.text.splitlines():
        directive = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not directive:
            continue
        if directive[1] == "include":
            if re.match(rf'[<"]{re.escape(HEADER)}[>"]', directive[2]):
                return True
            if not re.match(r"<[\w./]+>", directive[2]):
                return False
        elif directive[1] != "pragma":
            return False
    return False


def _words_that_matter(side: Side, flags: Flags) -> tuple[str, ...]:
    macros = (word for word in flags.macros if re.match(f"-[DU]{MACRO_THAT_MATTERS}", word))
    # A folder of the user's may hold headers that stand before the system's.
    words = (*flags.given_words(side), *macros, *flags.include_directories)
    return (*flags.code_words(side), *with_absolute_directories(words))


def _stamp(path: Path) -> list[int]:
    """A file's size and time of change; zeros if it is gone."""
    try:
        status = path.stat()
    except OSError:
        return [0, 0]
    return [status.st_size, status.st_mtime_ns]


def _looked_up(header: PrecompiledHeader) -> PrecompiledHeader:
    """With whether it is there, up to date and nobody else's work; if so, its use is noted."""
    try:
        own_directory(HEADERS.name)
        status = header.inputs_path.stat()
        inputs = parse_inputs(header.inputs_path.read_bytes())
        if not _is_current(header, inputs):
            return header
    except (InputError, OSError, FormatError):
        return header
    # The other files must keep the times that the list says.
    note_use(header.inputs_path, status)
    return header._replace(current=True, identity=inputs.identity, bodies_digest=inputs.bodies)


class Inputs(NamedTuple):
    """What a list says of the header that it belongs to."""

    identity: str
    bodies: str
    """The digest of the bodies; empty if there are none."""
    parts: dict[str, list[int]]
    """By file of the header, its size and time of change."""
    reads: Reads


def parse_inputs(data: bytes) -> Inputs:
    """Return the list in `data`; `FormatError` if it is not one of ours."""
    fields = parse_json(data, _INPUTS_SHAPE)
    reads = Reads.of_fields(fields["reads"])
    return Inputs(fields["identity"], fields["bodies"], fields["parts"], reads)


def _is_current(header: PrecompiledHeader, inputs: Inputs) -> bool:
    parts = {os.fspath(part): _stamp(part) for part in header.parts}
    return inputs.parts == parts and inputs.reads.hold(to_the_time=True)
