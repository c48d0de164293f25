"""The names of entries: digests of everything that an entry was made from."""

import struct
from hashlib import sha256

VERSION = 1
"""Of the format of entries. Part of every key, so that versions that differ in it do not meet."""

_LENGTHS = struct.Struct("<QQ")


def key_of(*parts: tuple[str, str | bytes]) -> str:
    """A key for a list of labelled parts; another list, however alike, has another key.

    Each label and value comes after its length, so that nothing can pass from one to the next.
    """
    digest = sha256(VERSION.to_bytes(4, "little"))
    for label, value in parts:
        name = label.encode()
        data = value.encode(errors="surrogateescape") if isinstance(value, str) else value
        digest.update(_LENGTHS.pack(len(name), len(data)))
        digest.update(name)
        digest.update(data)
    return digest.hexdigest()
