"""Sets and files of names: kernels, exports and imports of an image, and targets.

In property sets a name is a key with the value 1; in the set that describes kernels for this
runtime, the value is JSON. A symbols file, listed in a file table, has one symbol per line.
"""

import re
from collections.abc import Iterable

from dovetail.errors import FormatError
from dovetail.image.typed_set import Codec, SetReader, SetWriter
from dovetail.kernel_info import KernelInfo, from_json, to_json

MAX_SYMBOLS_SIZE = 16 * 2**20
"""The largest symbols file that is accepted, in bytes."""

# A line break would end the name; any other control character indicates damage.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def encode_symbols(into: SetWriter, symbols: Iterable[str]) -> None:
    """Write each symbol with the value 1."""
    into.properties.update(dict.fromkeys(symbols, 1))


def decode_symbols(source: SetReader) -> tuple[str, ...]:
    """Return the symbols in a set of symbols."""
    for symbol in source:
        source.number(symbol)
    return tuple(source)


def _encode_symbol(into: SetWriter, symbol: str) -> None:
    encode_symbols(into, [symbol])


def _decode_symbol(source: SetReader) -> str:
    return next(iter(decode_symbols(source)), "")


SYMBOLS = Codec[tuple[str, ...]](encode_symbols, decode_symbols)
SYMBOL = Codec(_encode_symbol, _decode_symbol)
"""A set with at most one symbol."""


def _encode_kernels(into: SetWriter, kernels: tuple[KernelInfo, ...]) -> None:
    for kernel in kernels:
        if kernel.symbol in into.properties:
            raise FormatError(f"two kernels have the symbol '{kernel.symbol}'")
        into.properties[kernel.symbol] = to_json(kernel)


def _decode_kernels(source: SetReader) -> tuple[KernelInfo, ...]:
    return tuple(from_json(symbol, source.data(symbol)) for symbol in source)


KERNELS = Codec(_encode_kernels, _decode_kernels)


def format_symbols(symbols: Iterable[str]) -> bytes:
    """Serialize a symbols file."""
    collected: dict[str, None] = {}
    try:
        for symbol in symbols:
            _add(collected, symbol)
        text = "".join(f"{symbol}\n" for symbol in collected).encode()
    except ValueError as error:
        raise FormatError(f"symbols: {error}") from None
    _check_length(text)
    return text


def parse_symbols(data: bytes) -> tuple[str, ...]:
    """Parse a symbols file; `FormatError` names the line that is wrong."""
    _check_length(data)
    collected: dict[str, None] = {}
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    for number, line in enumerate(lines, start=1):
        try:
            _add(collected, line.decode())
        except UnicodeDecodeError:
            raise FormatError(f"symbols, line {number}: expected UTF-8 text") from None
        except ValueError as error:
            raise FormatError(f"symbols, line {number}: {error}") from None
    return tuple(collected)


def _add(symbols: dict[str, None], symbol: str) -> None:
    """Add a symbol; raise `ValueError` if it is invalid or present."""
    if not symbol:
        raise ValueError("an empty name")
    control = _CONTROL.search(symbol)
    if control:
        raise ValueError(f"unexpected control character {control[0]!r}")
    if symbol in symbols:
        raise ValueError(f"symbol '{symbol}' appears twice")
    symbols[symbol] = None


def _check_length(text: bytes) -> None:
    if len(text) > MAX_SYMBOLS_SIZE:
        raise FormatError(
            f"symbols: {len(text)} bytes are more than the {MAX_SYMBOLS_SIZE} allowed"
        )
