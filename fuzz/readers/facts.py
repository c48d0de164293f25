"""Facts of the front-end as JSON, from files and from the metadata of modules."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from dovetail.analysis import Analysis
from dovetail.errors import FormatError
from dovetail.facts import join_facts
from dovetail.facts_json import facts_text, parse_facts
from fuzz.edits import edited_json
from fuzz.reader import Reader

_KERNEL: dict[str, Any] = {
    "symbol": "_ZTS1k",
    "name": "k",
    "signature": "k(float *)",
    "file": "a.cpp",
    "line": 3,
    "form": "function",
    "attributes": {"sycl-nd-range-kernel": "1"},
    "function": 0,
    "object_function": 1,
    "parameters": [
        {
            "name": "a",
            "type": "S",
            "kind": "object",
            "size": 16,
            "align": 8,
            "attributes": {"sycl-alignment": "16"},
            "fields": [{"name": "x", "offset": 0, "encoding": "f4"}],
            "members": [{"kind": "pointer", "offset": 0, "size": 8, "type": "int *"}],
        },
        {"name": "b", "type": "float *", "kind": "pointer", "size": 8, "align": 8},
    ],
}
_FUNCTIONS: list[dict[str, Any]] = [
    {
        "symbol": "k",
        "name": "k",
        "place": [0, 3, 5],
        "defined": True,
        "external": True,
        "attributes": {"sycl-work-group-size": "8,4", "sycl-device-has": "6,5"},
        "reqd_work_group_size": [8, 4],
        "reqd_sub_group_size": 16,
        "work_group_size_hint": [8],
        "uses": [{"aspect": 6, "what": "type 'double'", "place": [0, 4, 1]}],
        "calls": [{"callee": 1, "place": [1, 5, 2], "condition": [-1, 6]}],
        "violations": [{"rule": "recursion", "what": "calls itself", "place": [0, 6, 1]}],
    },
    {
        "symbol": "f",
        "name": "f(int)",
        "place": [1, 1, 1],
        "internal": True,
        "declared": {"attribute": "device_has", "aspects": [5, 6], "place": [1, 1, 1]},
    },
]
_DOCUMENT: dict[str, Any] = {
    "files": ["a.cpp", "b.hpp"],
    "kernels": [_KERNEL],
    "functions": _FUNCTIONS,
    "variables": [
        {"symbol": "v", "name": "v", "place": [0, 1, 1], "attributes": {"sycl-unique-id": "v"}}
    ],
}


def _seeds() -> list[bytes]:
    whole = json.dumps(_DOCUMENT).encode()
    return [whole, facts_text(parse_facts(whole)).encode(), *_parts()]


def _parts() -> list[bytes]:
    """Return small documents, which are processed faster."""
    functions = [{"symbol": "k", "name": "k", "place": [0, 3, 5]}] * 2
    empty: dict[str, Any] = {"files": ["a.cpp"], "kernels": [], "functions": functions}
    kernel: dict[str, Any] = {**_KERNEL, "parameters": []}
    one_kernel: dict[str, Any] = {**empty, "kernels": [kernel]}
    no_kernel: dict[str, Any] = {**_DOCUMENT, "kernels": []}
    return [json.dumps(document).encode() for document in (one_kernel, no_kernel, empty)]


def _read(data: bytes) -> None:
    facts = parse_facts(data, "unit")
    again = parse_facts(facts_text(facts).encode(), "unit")
    assert len(again.functions) == len(facts.functions)
    join_facts([facts, again])
    Analysis.of([facts])


def _edit(data: bytes, random: Random) -> bytes:
    try:
        document: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise FormatError("invalid JSON") from None
    return json.dumps(edited_json(document, random)).encode()


READER = Reader("facts of the front-end as JSON", _seeds, _read, _edit, max_size=8 << 10)
