"""Queries of compilers, such as their version. Results are cached, so that planning is fast.

A result is valid while the compiler's file does not change.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from dovetail.cache import COMPILERS, get_parsed, key_of, put
from dovetail.json_shape import Shape, parse_json

_Result = TypeVar("_Result")

_FORMAT = "1"
"""The format of cache entries; part of their key."""

_results: dict[str, Any] = {}
"""Results of this process, by cache key."""


def file_identity(path: str) -> str:
    """Return a text that identifies a file and its content: path, size, modification time.

    Only the path, if the file does not exist.
    """
    try:
        status = Path(path).stat()
    except OSError:
        return repr((path,))
    return repr((path, status.st_size, status.st_mtime_ns))


def environment_settings(prefix: str) -> tuple[str, ...]:
    """Return the environment variables with a prefix as `NAME=VALUE`; they configure a compiler."""
    # Iterates over names only: Python decodes every value that is accessed.
    names = sorted(name for name in os.environ if name.startswith(prefix))
    return tuple(f"{name}={os.environ[name]}" for name in names)


def cached_query(
    program: str, question: str, query: Callable[[], _Result], shape: Shape
) -> _Result:
    """Return the JSON value that `query` returns for a program, from the cache if possible.

    `program` is a `file_identity`. Cached values must have the given shape (`json_shape`); a new
    shape needs a new question. None means that the query failed; the next process repeats it.
    """
    key = key_of(("format", _FORMAT), ("question", question), ("program", program))
    if key not in _results:
        result = get_parsed(COMPILERS, key, lambda data: parse_json(data, shape))
        if result is None:
            result = query()
            if result is not None:
                put(COMPILERS, key, json.dumps(result).encode())
        _results[key] = result
    return _results[key]
