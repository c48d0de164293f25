"""What NVIDIA's driver reads from cubins, and how it compiles PTX: here with the real ptxas."""

import re
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from dovetail.compilers.ptxas import find_ptxas

_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_ATTRIBUTE = struct.Struct("<BBH")
_HAS_PAYLOAD = 4
_PARAMETER, _REQUIRED_SIZE = 0x17, 0x10
_SYMBOL = struct.Struct("<IBBHQQ")
_OBJECT = 1  # STT_OBJECT
_CONSTANT = ".nv.constant3"
_INFO, _SHARED, _TEXT = ".nv.info.", ".nv.shared.", ".text."

_DECLARATION = re.compile(r"^\.extern \.func.*?;", re.MULTILINE | re.DOTALL)
_PREAMBLE = re.compile(r"^\.(version|target|address_size).*$", re.MULTILINE)


class RefusedCode(Exception):
    """The code is not what the driver accepts; the message is its log."""


@dataclass
class FakeFunction:
    """A kernel in a cubin."""

    symbol: str
    places: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """Offset and size of each parameter."""
    required: tuple[int, ...] = ()
    """The work-group size that it requires."""
    static_local: int = 0
    """Bytes of local memory."""
    local_limit: int = 48 * 1024
    """Bytes of local memory that it and a launch may use together."""
    variables: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """Address and size of each constant variable of the module that it was loaded with."""

    @property
    def registers_limit(self) -> int:
        """The maximum number of work-items in a work-group."""
        return 512 if self.symbol.endswith("greedyPi") else 1024


def functions_of(cubin: bytes) -> dict[str, FakeFunction]:
    """Return the kernels of a cubin by symbol."""
    try:
        return _read(cubin)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise RefusedCode(f"invalid image: {error}") from None


def constants_of(cubin: bytes) -> dict[str, bytes]:
    """Return the initial content of the constant variables of a valid cubin, by symbol."""
    sections = _sections(cubin)
    memory = [number for number, (name, *_) in enumerate(sections) if name == _CONSTANT]
    tables = {name: content for name, _, content in sections}
    found: dict[str, bytes] = {}
    for name, kind, _, section, at, size in _SYMBOL.iter_unpack(tables[".symtab"]):
        if section in memory and kind & 15 == _OBJECT:
            symbol = tables[".strtab"][name:].split(b"\0")[0].decode()
            found[symbol] = sections[section][2][at : at + size]
    return found


def _sections(cubin: bytes) -> list[tuple[str, int, bytes]]:
    """Return name, size and content of each section."""
    header: tuple[int, ...] = _HEADER.unpack_from(cubin)
    table, count, names_number = header[5], header[11], header[12]
    sections: list[tuple[int, ...]] = [
        _SECTION.unpack_from(cubin, table + 64 * number) for number in range(count)
    ]
    names_at: int = sections[names_number][4]
    return [
        (
            cubin[names_at + section[0] :].split(b"\0")[0].decode(),
            section[5],
            cubin[section[4] : section[4] + section[5]],
        )
        for section in sections
    ]


def _read(cubin: bytes) -> dict[str, FakeFunction]:
    sections = _sections(cubin)
    functions: dict[str, FakeFunction] = {}
    for name, _, content in sections:
        if name.startswith(_INFO):
            functions[name.removeprefix(_INFO)] = _described(name.removeprefix(_INFO), content)
    for name, size, _ in sections:
        found = functions.get(name.removeprefix(_SHARED))
        if found:
            # The driver reserves the first 1 KiB on newer architectures, which is not counted.
            found.static_local = size % 1024 if size > 1024 else size
    return functions


def _described(symbol: str, attributes: bytes) -> FakeFunction:
    function, at = FakeFunction(symbol), 0
    while at < len(attributes):
        form, kind, size = _ATTRIBUTE.unpack_from(attributes, at)
        at += _ATTRIBUTE.size
        if form != _HAS_PAYLOAD:
            continue
        payload = attributes[at : at + size]
        at += size
        if kind == _PARAMETER:
            _, number, offset, packed = struct.unpack("<IHHI", payload)
            function.places[number] = offset, packed >> 18
        elif kind == _REQUIRED_SIZE:
            function.required = struct.unpack("<3I", payload)
    return function


def compiled(parts: Sequence[bytes], architecture: str) -> bytes:
    """Return the cubin of PTX modules, linked as text; raise `RefusedCode` with ptxas's log."""
    texts = [part.rstrip(b"\0").decode() for part in parts]
    rest = [_PREAMBLE.sub("", text) for text in texts[1:]]
    whole = "\n".join([texts[0], *rest])
    if len(texts) > 1:
        # Definitions have to come before their uses in one module.
        whole = "\n".join(
            [
                _preamble(texts[0]),
                *(_PREAMBLE.sub("", _DECLARATION.sub("", t)) for t in texts[::-1]),
            ]
        )
    with TemporaryDirectory() as name:
        source, target = Path(name) / "a.ptx", Path(name) / "a.cubin"
        source.write_text(whole)
        command = [find_ptxas()[0].path, f"-arch={architecture}", str(source), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RefusedCode(done.stderr)
        return target.read_bytes()


def _preamble(ptx: str) -> str:
    return "\n".join(match[0] for match in _PREAMBLE.finditer(ptx))
