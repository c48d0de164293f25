"""Facts written by hand."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from dovetail.facts import Facts
from dovetail.facts_json import parse_facts

Source = Callable[..., Facts]


@pytest.fixture(scope="session")
def source() -> Source:
    """Makes the facts of one source; see `_source`."""
    return _source


def _source(file: str, functions: Mapping[str, Mapping[str, Any]], unit: str = "") -> Facts:
    """Functions by symbol: the n-th stands in line 10 n, its calls and uses in the lines below.

    `calls` are symbols, or pairs of one and a condition, `uses` aspects, `violations` rules, or
    pairs of one and the number of the call that violates it, `declared` aspects; `kernel` is the
    name of the kernel that the function is, `object` the symbol of its object's operator. Other
    keys are as in the facts file.
    """
    symbols = list(functions)
    kernels = [
        _kernel(symbol, symbols, given, file)
        for symbol, given in functions.items()
        if "kernel" in given
    ]
    rows = [
        _function(symbol, symbols, given, 10 * number)
        for number, (symbol, given) in enumerate(functions.items(), start=1)
    ]
    document = {"version": 2, "files": [file], "kernels": kernels, "functions": rows}
    return parse_facts(json.dumps(document).encode(), unit)


def _function(
    symbol: str, symbols: list[str], given: Mapping[str, Any], line: int
) -> dict[str, Any]:
    row: dict[str, Any] = {"symbol": symbol, "name": symbol, "place": [0, line, 6], "defined": True}
    row |= {key: value for key, value in given.items() if key not in ("kernel", "object")}
    uses: list[int] = given.get("uses", [])
    calls: list[str | tuple[str, list[int]]] = given.get("calls", [])
    row["uses"] = [
        {"aspect": aspect, "what": f"use of {aspect}", "place": [0, line + 1, 1 + number]}
        for number, aspect in enumerate(uses)
    ]
    row["calls"] = [
        _call(call, symbols, [0, line + 2, 1 + number]) for number, call in enumerate(calls)
    ]
    row["violations"] = [_violation(each, line) for each in given.get("violations", [])]
    if "declared" in given:
        row["declared"] = {
            "attribute": "device_has",
            "aspects": given["declared"],
            "place": [0, line - 1, 3],
        }
    return row


def _violation(given: str | tuple[str, int], line: int) -> dict[str, Any]:
    if isinstance(given, str):
        return {"rule": given, "what": f"does {given}", "place": [0, line + 3, 1]}
    rule, call = given
    return {"rule": rule, "what": f"calls by {rule}", "place": [0, line + 2, 1 + call]}


def _call(
    call: str | tuple[str, list[int]], symbols: list[str], place: list[int]
) -> dict[str, Any]:
    callee, condition = (call, []) if isinstance(call, str) else call
    return {"callee": symbols.index(callee), "place": place, "condition": condition}


def _kernel(symbol: str, symbols: list[str], given: Mapping[str, Any], file: str) -> dict[str, Any]:
    kernel: dict[str, Any] = {
        "form": "entry",
        "symbol": symbol,
        "name": given["kernel"],
        "signature": given["kernel"],
        "file": file,
        "line": 10 * (symbols.index(symbol) + 1),
        "internal": False,
        "attributes": {},
        "parameters": [],
        "function": symbols.index(symbol),
    }
    if "object" in given:
        kernel["object_function"] = symbols.index(given["object"])
    return kernel
