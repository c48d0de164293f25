"""Merge messages that clang writes in SARIF, with -fdiagnostics-format=sarif.

Each compilation writes one document. A document can have several runs, so the joined one has those
of all compilations, without results that an earlier run has.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

_DOCUMENT = "{"
_COUNT = re.compile(r"\d+ [a-z0-9 ]+ generated\.")


def join_sarif(outputs: Iterable[str]) -> str:
    """Return one document for those of several clang runs, after the lines that are not SARIF."""
    lines = [line for output in outputs for line in output.split("\n") if line]
    try:
        documents: list[Any] = [json.loads(line) for line in lines if line.startswith(_DOCUMENT)]
    except ValueError:
        # A clang that was killed may have written only a part.
        return "\n".join(lines)
    first, *others = documents
    seen: set[str] = set()
    first["runs"] = [_without_seen(run, seen) for each in (first, *others) for run in each["runs"]]
    rest = (each for each in lines if not each.startswith(_DOCUMENT) and not _COUNT.match(each))
    return "\n".join([*rest, json.dumps(first, separators=(",", ":"))])


def _without_seen(run: dict[str, Any], seen: set[str]) -> dict[str, Any]:
    """Return a run without the results in `seen`, and add its results there."""
    results: list[Any] = []
    for result in run["results"]:
        identity = json.dumps([result["message"], _places(result)])
        if identity not in seen:
            seen.add(identity)
            results.append(result)
    return {**run, "results": results}


def _places(result: dict[str, Any]) -> list[Any]:
    """Return the places of a result, without indices, which are those of one run."""
    found: list[Any] = []
    for location in result.get("locations", []):
        physical = location["physicalLocation"]
        found.append([physical["artifactLocation"]["uri"], physical.get("region")])
    return found
