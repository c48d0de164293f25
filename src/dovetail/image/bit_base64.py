"""The base64 of property sets: least significant bits first, no padding.

The usual base64 reads its input most significant bit first. Read backwards, one is the other: the
last byte's highest bit comes first in both. So the standard library does the work on reversed
bytes, at its own speed.
"""

from binascii import a2b_base64, b2a_base64

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def encode(data: bytes) -> bytes:
    """The text of `data`."""
    # Whole groups of three bytes, so that the standard encoder adds no padding at the wrong end.
    groups = data + bytes(-len(data) % 3)
    text = b2a_base64(groups[::-1], newline=False)[::-1]
    return text[: (len(data) * 8 + 5) // 6]


def decode(text: bytes) -> bytes:
    """The bytes that `text` stands for; `ValueError` if no bytes encode to it."""
    strange = text.translate(None, _ALPHABET)
    if strange:
        raise ValueError(f"{chr(strange[0])!r} is not a base64 character")
    if len(text) % 4 == 1:
        raise ValueError(f"no byte array has a text of {len(text)} characters")
    groups = text + b"A" * (-len(text) % 4)
    data = a2b_base64(groups[::-1])[::-1]
    size = len(text) * 6 // 8
    if any(data[size:]):
        raise ValueError("there are bits after the last byte")
    return data[:size]
