"""The precompiled SYCL headers: created on first use and cached for later compilations.

The host's header comes with an object file, its bodies: the member functions of its classes,
compiled once instead of in every source, and linked into every program that uses the header.

There is one header for each set of options that changes the meaning of the headers. The list of
targets is not among these: code that depends on it is in `sycl/sycl.hpp`, which every source
includes itself. The read set of a precompiled header is stored with it; when that changes, the
header is created again.
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
    DEFINE_BODIES,
    OMIT_BODIES,
    Flags,
    Side,
    common_options,
)
from dovetail.frontend.dependencies import dependency_paths
from dovetail.frontend.header_options import filter_options
from dovetail.frontend.header_use import header_options
from dovetail.frontend.read_set import ReadSet, folder_lookups, searched_names
from dovetail.json_shape import parse_json
from dovetail.resources import LLVM_OBJCOPY, tool_path
from dovetail.targets.ir_family import IRFamily

_PRECOMPILED = "sycl/detail/precompiled.hpp"

# What is done to headers and bodies after compilation; part of their cache keys.
_POSTPROCESSING = "weakened"

_INPUTS_SHAPE = {"identity": str, "bodies": str, "parts": {str: (int, int)}, "reads": list}


class PrecompiledHeader(NamedTuple):
    """A precompiled header in the cache, and whether it is up to date."""

    side: Side
    options: tuple[str, ...]
    """The options that it is compiled with, besides those of every compilation."""
    path: Path
    current: bool
    family: IRFamily = IRFamily.SPIRV64
    """The IR family that a device header is for."""
    identity: str = ""
    """Equal for headers of equal content; empty unless `current`."""
    bodies_digest: str = ""
    """The digest of the bodies; empty unless `current` and for the host."""

    @property
    def inputs_path(self) -> Path:
        """The file next to it that lists its parts and its read set."""
        return self.path.with_suffix(".inputs.json")

    @property
    def bodies_path(self) -> Path:
        """The object file next to a host header that contains the bodies."""
        return self.path.with_suffix(".o")

    @property
    def parts(self) -> tuple[Path, ...]:
        """All files of a complete header."""
        return (self.path, self.bodies_path) if self.side is Side.HOST else (self.path,)


def precompiled_header(
    side: Side, flags: Flags, family: IRFamily = IRFamily.SPIRV64
) -> PrecompiledHeader:
    """Return the precompiled header for these flags, which may not exist yet."""
    return _header(side, header_options(side, flags), family)


def header_of_object(options: Sequence[str]) -> tuple[PrecompiledHeader, tuple[str, ...]]:
    """Return the host header that an object was compiled with, and the options that are ignored.

    The object is untrusted, so only allowed options are accepted from it.
    """
    kept, dropped = filter_options(options)
    return _header(Side.HOST, kept), dropped


def _header(
    side: Side, options: tuple[str, ...], family: IRFamily = IRFamily.SPIRV64
) -> PrecompiledHeader:
    """Return the header with the path of its file, and whether that is up to date."""
    header = PrecompiledHeader(side, options, Path(), False, family)
    command = precompile_command(header, Path("-"), Path("-"))
    plugin = Path(next(w for w in command if w.startswith("-fplugin=")).partition("=")[2])
    # Clang's path and timestamp identify its version.
    key = repr((_POSTPROCESSING, command, _stamp(Path(command[0])), _stamp(plugin)))
    name = hashlib.sha256(key.encode()).hexdigest()[:32]
    return _with_state(header._replace(path=cache_path(HEADERS.name) / f"{side}-{name}.pch"))


def occurs_in(header: PrecompiledHeader, name: str) -> bool:
    """Return whether a macro's name occurs in the header's files, or might."""
    if not header.current:
        return True
    word = re.compile(rb"\b%b\b" % name.encode())
    try:
        files = parse_inputs(header.inputs_path.read_bytes()).reads.files
        return any(word.search(read_bytes(path, SOURCE)) for path in files)
    except (InputError, OSError, FormatError):
        return True


def precompile_command(
    header: PrecompiledHeader, output: Path, dependencies: Path
) -> tuple[str, ...]:
    """Return the command that creates a header from `precompile_input` on standard input."""
    bodies = (OMIT_BODIES,) if header.side is Side.HOST else ()
    # Templates that every source would instantiate are instantiated once, here.
    kind = ("-Xclang", "-emit-pch", "-Xclang", "-fpch-instantiate-templates")
    options = (*common_options(header.side, header.family), *header.options, *bodies, *kind)
    return (*options, *_compile_include(output, dependencies))


def bodies_command(header: PrecompiledHeader, output: Path, dependencies: Path) -> tuple[str, ...]:
    """Return the command that compiles the bodies of a host header from `precompile_input`."""
    options = (*common_options(Side.HOST), *header.options, DEFINE_BODIES)
    return (*options, *_compile_include(output, dependencies))


def weaken_command(bodies: Path) -> tuple[str, ...]:
    """Return the command that makes all symbols of the bodies weak.

    A program may link bodies for several sets of options, which define the same symbols. They are
    made weak after compilation, because clang does not inline weak functions into each other.
    """
    return (tool_path(LLVM_OBJCOPY), "--weaken", os.fspath(bodies))


def _compile_include(output: Path, dependencies: Path) -> tuple[str, ...]:
    listed = ("-MD", "-MF", os.fspath(dependencies))
    return (*listed, "-c", "-x", "c++", "-", "-o", os.fspath(output))


def precompile_input() -> bytes:
    """Return the source of the precompiled header: one include."""
    return f"#include <{_PRECOMPILED}>\n".encode()


def headers_can_be_stored() -> bool:
    """Return whether the cache is writable; otherwise sources are compiled without a header."""
    try:
        return os.access(cache_directory(HEADERS.name), os.W_OK)
    except InputError:
        return False


def header_read_set(
    dependencies: Sequence[Path], search: Sequence[str], since: int
) -> ReadSet | None:
    """Return the read set of a header or its bodies, or None if a file changed after `since`.

    `dependencies` are clang's dependency files, and `search` is the search path for headers.
    """
    listed = [dependency_paths(each.read_text(errors="surrogateescape")) for each in dependencies]
    files = list(dict.fromkeys(path for paths in listed for path in paths))
    try:
        names = searched_names(read_bytes(path, SOURCE) for path in files)
    except InputError:
        return None
    return ReadSet.record(files, folder_lookups(names, files, search), since)


def store_precompiled(header: PrecompiledHeader, made: Path, reads: ReadSet | None) -> bool:
    """Store a new header in the cache and return whether that succeeded.

    A device header is complete then; a host header needs its bodies as well.
    """
    if not put_file(HEADERS, header.path.name, made.read_bytes()):
        return False
    if header.side is Side.DEVICE and reads is not None:
        _store_inputs(header, reads.identity, "", reads)
    return True


def store_bodies(
    header: PrecompiledHeader, bodies: Path, identity: str, reads: ReadSet | None
) -> None:
    """Store the bodies of the host header in the cache, which completes the header.

    `identity` is the identity of the header without its bodies, or empty if the header is not
    stored. `reads` is the read set of both.
    """
    data = bodies.read_bytes()
    is_stored = put_file(HEADERS, header.bodies_path.name, data)
    if is_stored and identity and reads is not None:
        _store_inputs(header, identity, hashlib.sha256(data).hexdigest(), reads)


def _store_inputs(header: PrecompiledHeader, identity: str, bodies: str, reads: ReadSet) -> None:
    """Store the state of all inputs and parts of a header.

    This is the last step, so that an incomplete header never has a valid list.
    """
    parts = {os.fspath(part): _stamp(part) for part in header.parts}
    document = {
        "identity": identity,
        "bodies": bodies,
        "parts": parts,
        "reads": reads.fields(),
    }
    put_file(HEADERS, header.inputs_path.name, json.dumps(document).encode())


def _stamp(path: Path) -> list[int]:
    """Return a file's size and modification time; zeros if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return [0, 0]
    return [status.st_size, status.st_mtime_ns]


def _with_state(header: PrecompiledHeader) -> PrecompiledHeader:
    """Return the header with its state in the cache; a current one is marked as used."""
    try:
        own_directory(HEADERS.name)
        status = header.inputs_path.stat()
        inputs = parse_inputs(header.inputs_path.read_bytes())
        if not _is_current(header, inputs):
            return header
    except (InputError, OSError, FormatError):
        return header
    # Only the list is touched: it contains the timestamps of the other files.
    note_use(header.inputs_path, status)
    return header._replace(current=True, identity=inputs.identity, bodies_digest=inputs.bodies)


class Inputs(NamedTuple):
    """The contents of a header's list."""

    identity: str
    bodies: str
    """The digest of the bodies; empty if there are none."""
    parts: dict[str, list[int]]
    """The size and modification time of each file of the header."""
    reads: ReadSet


def parse_inputs(data: bytes) -> Inputs:
    """Return the list in `data`; raise `FormatError` if it is malformed."""
    fields = parse_json(data, _INPUTS_SHAPE)
    reads = ReadSet.from_fields(fields["reads"])
    return Inputs(fields["identity"], fields["bodies"], fields["parts"], reads)


def _is_current(header: PrecompiledHeader, inputs: Inputs) -> bool:
    parts = {os.fspath(part): _stamp(part) for part in header.parts}
    return inputs.parts == parts and inputs.reads.is_current(exact_time=True)
