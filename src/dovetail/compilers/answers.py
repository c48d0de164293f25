"""What programs say of themselves: asked once and kept, for planning a build must cost nothing.

An answer holds for as long as the program's file stays what it is.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dovetail.cache import COMPILERS, get_parsed, key_of, put
from dovetail.json_shape import Shape, parse_json

_FORMAT = "1"
"""Of what is kept; another one is another key."""

_asked: dict[str, Any] = {}
"""By key, what this process knows already."""


def identity_of(path: str) -> str:
    """Tells a file from others, and from what it was before: path, size, time of the last change.

    A file that is not there has no size.
    """
    try:
        status = Path(path).stat()
    except OSError:
        return repr((path,))
    return repr((path, status.st_size, status.st_mtime_ns))


def variables_like(beginning: str) -> tuple[str, ...]:
    """The environment's variables whose names begin so, by which a compiler is told things."""
    # Names alone are gone through: Python decodes every value that it is asked for.
    names = sorted(name for name in os.environ if name.startswith(beginning))
    return tuple(f"{name}={os.environ[name]}" for name in names)


def answer_of(program: str, question: str, ask: Callable[[], Any], shape: Shape) -> Any:
    """What `ask` returns, something that JSON can hold, for the program of that identity.

    Answers have the shape that is given, see `json_shape`; if that changes, so must the question.
    None is no answer: it is asked for again by the next process.
    """
    key = key_of(("format", _FORMAT), ("question", question), ("program", program))
    if key in _asked:
        return _asked[key]
    answer = get_parsed(COMPILERS, key, lambda data: parse_json(data, shape))
    if answer is None:
        answer = ask()
        if answer is not None:
            put(COMPILERS, key, json.dumps(answer).encode())
    _asked[key] = answer
    return answer
