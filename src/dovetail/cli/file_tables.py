"""Read and write file tables and other files of commands; - is a standard stream."""

import sys

from dovetail.errors import FormatError, InputError
from dovetail.files import FILE_TABLE, STREAM, FileKind, read_bytes, read_input, write_atomically
from dovetail.image import FileTable, parse_file_table


def read_table_text(path: str) -> bytes:
    """Return the text of a file table, named on the command line."""
    return read_input(path, FILE_TABLE)


def read_named(path: str, where: str, kind: FileKind) -> bytes:
    """Return the content of a file named by a table; `where` is the table's name in errors."""
    try:
        return read_bytes(path, kind)
    except InputError as error:
        raise InputError(
            error.message,
            hint=f"{where} names it, relative to the working directory",
        ) from None


def parse_table(text: bytes, path: str) -> FileTable:
    """Parse a table or list; `path` is its name in errors."""
    try:
        return parse_file_table(text, titled=False)
    except FormatError as error:
        raise FormatError(
            f"'{path}' is not a file table: {error.message}",
            hint="a file table has titles such as [Code|Properties], then a line for each image",
        ) from None


def write_output(path: str, data: bytes) -> None:
    """Write a file atomically, or to standard output."""
    if path == STREAM:
        sys.stdout.flush()
        if sys.stdout.isatty():
            sys.stdout.write(data.decode(errors="surrogateescape"))
        else:
            sys.stdout.buffer.write(data)
    else:
        write_atomically(path, data)
