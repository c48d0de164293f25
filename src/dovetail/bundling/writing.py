"""Writing a bundle, as a directory or an archive: completely or not at all."""

import marshal
import os
import shutil
import tarfile
import zlib
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import MAGIC_NUMBER, cache_from_source
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import IO, BinaryIO, NamedTuple, Self, cast

from dovetail.bundling.bundled_file import BundledFile
from dovetail.bundling.contents import MANIFEST
from dovetail.errors import InputError, ToolMissing, UsageError
from dovetail.files import map_file
from dovetail.image.elf import is_elf, sections_named
from dovetail.processes.process import Processes
from dovetail.resources import LLVM_OBJCOPY, tool_path

ARCHIVE_SUFFIXES = (".tar.gz", ".tgz")

Progress = Callable[[int, int], None]
"""Receives the number of bytes that are done, and of all."""

_BYTECODE_HEADER = 16
# The flag that Python does not compare the file with its source, which is not in the bundle.
_UNCHECKED = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)

_CHUNK = 4 << 20
_LEVEL = 6
_GZIP = 16 + zlib.MAX_WBITS
"""Asks zlib for gzip's format."""

# Some tools reject archives with files of 1970.
_TIME = 315_532_800


class Written(NamedTuple):
    """A bundle."""

    files: int
    sizes: dict[str, int]
    """Bytes of each component, the largest first."""
    packed: int | None
    """The size of the archive, if it is one."""

    @property
    def size(self) -> int:
        return sum(self.sizes.values())


def write_bundle(entries: Sequence[BundledFile], output: Path, progress: Progress) -> Written:
    """Write the files to a directory, or an archive if `output` is named like one."""
    is_archive = output.name.endswith(ARCHIVE_SUFFIXES)
    contents = _Contents(entries, progress)
    # A link stays, and what it names is replaced.
    output = output.resolve()
    try:
        with _staged(output) as staged:
            if is_archive:
                sizes = _write_archive(contents, staged, _stem(output))
                packed = staged.stat().st_size
            else:
                sizes, packed = _write_directory(contents, staged), None
            _put_in_place(staged, output)
    except OSError as error:
        raise InputError(f"cannot write '{output}': {error.strerror or error}") from None
    return Written(len(entries), dict(sizes.most_common()), packed)


def _stem(output: Path) -> str:
    """Return the name of the folder in an archive."""
    suffix = next((each for each in ARCHIVE_SUFFIXES if output.name.endswith(each)), "")
    return output.name.removesuffix(suffix)


def require_replaceable(output: Path) -> None:
    """Raise `UsageError` if the output exists and may not be replaced: it is not a bundle."""
    is_archive = output.name.endswith(ARCHIVE_SUFFIXES)
    is_bundle = (output / MANIFEST).is_file()
    if is_archive and output.is_dir():
        raise UsageError(f"'{output}' is a directory", hint="choose another name with -o")
    if not is_archive and output.exists() and not is_bundle:
        raise UsageError(
            f"'{output}' exists, and is not a bundle",
            hint="remove it, or choose another name with -o",
        )


@contextmanager
def _staged(output: Path) -> Generator[Path]:
    """Yield a temporary name beside the output; at the end, remove what has that name."""
    staged = output.with_name(f".{output.name[:100]}.{os.urandom(8).hex()}")
    try:
        yield staged
    finally:
        if staged.is_dir():
            shutil.rmtree(staged)
        else:
            staged.unlink(missing_ok=True)


def _put_in_place(staged: Path, output: Path) -> None:
    if staged.is_dir() and output.is_dir():
        # An earlier bundle, which takes the staged name and is removed with it.
        previous = output.with_name(f"{staged.name}.old")
        output.rename(previous)
        try:
            staged.rename(output)
        except BaseException:
            previous.rename(output)
            raise
        previous.rename(staged)
    else:
        staged.replace(output)


class _Contents:
    """Reads the contents of entries, and reports progress."""

    def __init__(self, entries: Sequence[BundledFile], progress: Progress) -> None:
        self._entries = entries
        self._progress = progress
        self._processes = Processes()

    def __iter__(self) -> Generator[tuple[BundledFile, Path | bytes]]:
        total = sum(map(_size_of, self._entries))
        done = 0
        for entry in sorted(self._entries):
            self._progress(done, total)
            yield entry, self._content(entry)
            done += _size_of(entry)

    def _content(self, entry: BundledFile) -> Path | bytes:
        if entry.path.suffix == ".pyc":
            return _bytecode(entry.source, str(entry.path.with_suffix(".py")))
        if not isinstance(entry.source, Path):
            return entry.source
        # Vendors' libraries stay as they are: their licences may not allow changes.
        if entry.component == "Python" and ".so" in entry.path.name:
            return self._without_symbols(entry.source)
        return entry.source

    def _without_symbols(self, library: Path) -> Path | bytes:
        """Return a library without its symbol table, if it has one."""
        content = map_file(library)
        if not is_elf(content) or not sections_named(content, ".symtab"):
            return library
        try:
            tool = tool_path(LLVM_OBJCOPY)
        except ToolMissing:
            return library
        with TemporaryDirectory(prefix="dovetail-") as name:
            output = Path(name, library.name)
            command = [tool, "--strip-unneeded", str(library), str(output)]
            finished = self._processes.run(command, purpose="removing symbols")
            return output.read_bytes() if not finished.status else library


def _size_of(entry: BundledFile) -> int:
    source = entry.source
    return len(source) if isinstance(source, bytes) else source.stat().st_size


def _bytecode(source: Path | bytes, shown: str) -> bytes:
    """Return a module's bytecode, from Python's cache or compiled now."""
    code = _cached_code(source) if isinstance(source, Path) else None
    if code is None:
        text = source.read_bytes() if isinstance(source, Path) else source
        code = compile(text, shown, "exec", dont_inherit=True)
    return _UNCHECKED + marshal.dumps(_with_name(code, shown))


def _cached_code(source: Path) -> CodeType | None:
    status = source.stat()
    stamp = b"".join(
        (int(number) & 0xFFFFFFFF).to_bytes(4, "little")
        for number in (status.st_mtime, status.st_size)
    )
    try:
        cached = Path(cache_from_source(str(source), optimization="")).read_bytes()
    except OSError:
        return None
    # Without flags, which would mean a digest in place of time and size.
    if cached[:_BYTECODE_HEADER] != MAGIC_NUMBER + bytes(4) + stamp:
        return None
    return marshal.loads(cached[_BYTECODE_HEADER:])


def _with_name(code: CodeType, name: str) -> CodeType:
    """Return code whose source has this name, for messages with places."""
    constants = tuple(
        _with_name(each, name) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return code.replace(co_filename=name, co_consts=constants)


def _write_directory(contents: _Contents, folder: Path) -> Counter[str]:
    sizes: Counter[str] = Counter()
    for entry, content in contents:
        target = folder / entry.path
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.link_to:
            target.symlink_to(entry.link_to)
            continue
        if isinstance(content, Path):
            shutil.copyfile(content, target)
        else:
            target.write_bytes(content)
        if _is_executable(entry):
            target.chmod(target.stat().st_mode | 0o111)
        sizes[entry.component] += target.stat().st_size
    return sizes


def _is_executable(entry: BundledFile) -> bool:
    return entry.is_executable or ".so" in entry.path.name


def _write_archive(contents: _Contents, file: Path, stem: str) -> Counter[str]:
    sizes: Counter[str] = Counter()
    with file.open("xb") as opened, _Compressor(opened) as packed, _archive(packed) as archive:
        for entry, content in contents:
            member = tarfile.TarInfo(f"{stem}/{entry.path}")
            member.mtime = _TIME
            member.mode = 0o755 if _is_executable(entry) else 0o644
            if entry.link_to:
                member.type, member.linkname = tarfile.SYMTYPE, entry.link_to
                archive.addfile(member)
                continue
            member.size = _size_of(entry._replace(source=content))
            with content.open("rb") if isinstance(content, Path) else BytesIO(content) as read:
                archive.addfile(member, read)
            sizes[entry.component] += member.size
    return sizes


def _archive(packed: "_Compressor") -> tarfile.TarFile:
    # A stream needs no other methods.
    return tarfile.open(fileobj=cast(IO[bytes], packed), mode="w|", format=tarfile.PAX_FORMAT)


class _Compressor:
    """A gzip stream whose members, which gzip concatenates, are compressed in parallel."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1)
        self._buffer = bytearray()
        self._waiting: deque[Future[bytes]] = deque()

    def write(self, data: bytes) -> int:
        self._buffer += data
        while len(self._buffer) >= _CHUNK:
            self._submit(bytes(self._buffer[:_CHUNK]))
            del self._buffer[:_CHUNK]
        return len(data)

    def _submit(self, chunk: bytes) -> None:
        self._waiting.append(self._pool.submit(_compressed, chunk))
        while len(self._waiting) > 2 * (os.cpu_count() or 1):
            self._file.write(self._waiting.popleft().result())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *unused: object) -> None:
        if kind is None:
            self._submit(bytes(self._buffer))
            for each in self._waiting:
                self._file.write(each.result())
        self._pool.shutdown(cancel_futures=True)


def _compressed(data: bytes) -> bytes:
    compressor = zlib.compressobj(_LEVEL, wbits=_GZIP)
    return compressor.compress(data) + compressor.flush()
