"""Builds ELF files and archives."""

import struct


def elf(*sections: tuple[bytes, bytes], names_row: int | None = None) -> bytes:
    """Return a file with these sections, by name and content, after the null section."""
    content = bytearray(64)
    names = bytearray(b"\0")
    rows = [bytes(64)]
    for name, data in (*sections, (b".shstrtab", b"")):
        at = len(names)
        names += name + b"\0"
        body = bytes(names) if name == b".shstrtab" else data
        rows.append(struct.pack("<IIQQQQIIQQ", at, 1, 0, 0, len(content), len(body), 0, 0, 1, 0))
        content += body
    content += bytes(-len(content) % 8)
    last = len(rows) - 1 if names_row is None else names_row
    header = b"\x7fELF\2\1\1" + bytes(9)
    header += struct.pack("<HHIQQQIHHHHHH", 1, 62, 1, 0, 0, len(content), 0, 64, 0, 0, 64, 0, 0)
    header = header[:60] + struct.pack("<HH", len(rows), last)
    return bytes(header + content[64:] + b"".join(rows))


def member(name: str, content: bytes, size: int | None = None) -> bytes:
    length = len(content) if size is None else size
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{length:<10}`\n".encode()
    return header + content + b"\n" * (len(content) % 2)


def archive(*members: bytes) -> bytes:
    return b"!<arch>\n" + b"".join(members)
