"""Findings as SARIF 2.1.0, for code-scanning services."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

from dovetail.analysis.finding import Finding, Note
from dovetail.analysis.rendering import SourceLines
from dovetail.analysis.rules import RULES, Level, Rule
from dovetail.facts import Place
from dovetail.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

# The name that services expect for the root of the checkout.
_ROOT = "%SRCROOT%"


def sarif_log(
    results: Sequence[tuple[Finding, Level]], lines: SourceLines, *, root: Path, complete: bool
) -> dict[str, object]:
    """Return one run as a JSON document; names of files below `root` are relative to it.

    `complete` states whether every source was analyzed.
    """
    rules = {**RULES, **{finding.rule.name: finding.rule for finding, _ in results}}
    numbers = {name: number for number, name in enumerate(rules)}
    places = _Places(root.resolve(), lines)
    driver = {
        "name": "dovetail",
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in rules.values()],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": complete}],
        "originalUriBaseIds": {_ROOT: {"uri": f"{places.root.as_uri().removesuffix('/')}/"}},
        "columnKind": "utf16CodeUnits",
        "results": [
            _result(finding, level, numbers[finding.rule.name], places)
            for finding, level in results
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


class _Places:
    """Converts places to SARIF locations."""

    def __init__(self, root: Path, lines: SourceLines) -> None:
        self.root = root
        self._lines = lines
        self._files: dict[str, dict[str, str]] = {}

    def location(self, place: Place, message: str = "") -> dict[str, object]:
        location: dict[str, object] = {
            "physicalLocation": {
                "artifactLocation": self._file(place.file),
                "region": {
                    "startLine": max(place.line, 1),
                    "startColumn": self._column(place),
                },
            }
        }
        return {**location, "message": {"text": message}} if message else location

    def _column(self, place: Place) -> int:
        """Return the column in UTF-16 units; clang counts bytes."""
        line = self._lines.line(place)
        if line is None:
            return max(place.column, 1)
        before = line[: max(place.column - 1, 0)].decode(errors="replace")
        return len(before.encode("utf-16-le")) // 2 + 1

    def _file(self, name: str) -> dict[str, str]:
        """Return the location of a file, relative to the root if it is inside."""
        if name not in self._files:
            path = Path(name).resolve()
            if path.is_relative_to(self.root):
                relative = path.relative_to(self.root).as_posix()
                self._files[name] = {"uri": quote(relative), "uriBaseId": _ROOT}
            else:
                self._files[name] = {"uri": path.as_uri()}
        return self._files[name]


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{rule.summary}. {rule.help}"},
        "help": {"text": rule.help},
        "defaultConfiguration": {"level": rule.level},
    }


def _result(finding: Finding, level: Level, rule_index: int, places: _Places) -> dict[str, object]:
    """Return the SARIF result for a finding; the calls that lead to it are its code flow."""
    result: dict[str, object] = {
        "ruleId": finding.rule.name,
        "ruleIndex": rule_index,
        "level": level,
        "message": {"text": finding.message},
        "locations": [places.location(finding.place)],
    }
    if finding.notes:
        result["relatedLocations"] = [
            {"id": number, **places.location(note.place, note.message)}
            for number, note in enumerate(finding.notes, start=1)
        ]
    steps = [note for note in finding.notes if note.is_step]
    if steps:
        start = Note(finding.message, finding.place)
        result["codeFlows"] = [{"threadFlows": [_flow([start, *steps], places)]}]
    return result


def _flow(notes: Iterable[Note], places: _Places) -> dict[str, object]:
    return {
        "locations": [{"location": places.location(note.place, note.message)} for note in notes]
    }
