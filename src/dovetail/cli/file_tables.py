"""File tables and other bytes as commands take and give them: by file name, or - for a stream."""

import sys

from dovetail.errors import FormatError, InputError
from dovetail.files import FILE_TABLE, STREAM, FileKind, read_bytes, read_input, write_atomically
from dovetail.image import FileTable, parse_file_table


def read_table_text(path: str) -> bytes:
    """The text of a file table that a command names."""
    return read_input(path, FILE_TABLE)


def read_named(path: str, where: str, kind: FileKind) -> bytes:
    """The content of a file that a table names; `where` says which table and row."""
    try:
        return read_bytes(path, kind)
    except InputError as error:
        raise InputError(
            error.message,
            hint=f"{where} names it; names in file tables count from the working directory",
        ) from None


def parse_table(text: bytes, path: str) -> FileTable:
    """The table or list in `text`, which came from `path`."""
    try:
        return parse_file_table(text, titled=False)
    except FormatError as error:
        raise FormatError(
            f"'{path}' is no file table: {error.message}",
            hint="a file table has a line such as [Code|Properties], then a line for each image",
        ) from None


def write_output(path: str, data: bytes) -> None:
    """Write a file, whole or not at all; or to standard output."""
    if path == STREAM:
        sys.stdout.flush()
        if sys.stdout.isatty():
            sys.stdout.write(data.decode(errors="surrogateescape"))
        else:
            sys.stdout.buffer.write(data)
    else:
        write_atomically(path, data)
