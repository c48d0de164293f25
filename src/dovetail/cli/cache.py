"""`dovetail cache`: show or clear the cache."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from dovetail.cache.contents import cached_items, clear
from dovetail.cache.folder import cache_root, own_directory
from dovetail.cache.kinds import KINDS, CacheKind
from dovetail.cache.size_limit import configured_limit
from dovetail.cache.store import is_on
from dovetail.cli.arguments import Parser
from dovetail.cli.output import print_table
from dovetail.errors import InputError, UsageError, nearest
from dovetail.settings import CACHE, CACHE_DIR, CACHE_SIZE

_KINDS = "\n".join(f"  {kind.name:<20} {kind.description}" for kind in KINDS)

_DESCRIPTION = f"""\
Show or clear the cache, which contains:

{_KINDS}

Everything in it can be removed at any time. When the cache exceeds its size
limit, the least recently used entries are removed.

  {CACHE_DIR.variable:<20} the folder; other users must not have write access
  {CACHE_SIZE.variable:<20} the size limit, such as 500M or 2G (default: {CACHE_SIZE.default})
  {f"{CACHE.variable}=off":<20} do not cache built programs and build steps

examples:
  dovetail cache
  dovetail cache --json
  dovetail cache clear
  dovetail cache clear programs
  dovetail cache clear --older-than 30d
"""

_ACTIONS = ("show", "clear")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def run(args: Sequence[str]) -> int:
    """See `dovetail cache --help`."""
    parser = Parser("cache", _DESCRIPTION)
    parser.add_argument(
        "action", nargs="?", default="show", metavar="ACTION", help="show (default) or clear"
    )
    parser.add_argument(
        "kinds", nargs="*", metavar="KIND", help="the kinds of entries (default: all)"
    )
    parser.add_argument(
        "--older-than",
        metavar="AGE",
        help="clear only entries that were not used for this long: a number with s, m, h, d or w",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    options = parser.parse_args(args)
    kinds = [_kind(name) for name in dict.fromkeys(options.kinds)] or list(KINDS)
    if options.action == "clear":
        age = 0 if options.older_than is None else _age(options.older_than)
        _clear(kinds, age, as_json=options.json)
    elif options.action != "show":
        hint = nearest(options.action, _ACTIONS) or f"actions: {', '.join(_ACTIONS)}"
        raise UsageError(f"unknown action '{options.action}'", hint=hint)
    elif options.older_than is not None:
        raise UsageError(
            "'--older-than' requires the action 'clear'",
            hint="write dovetail cache clear --older-than AGE",
        )
    else:
        _show(kinds, as_json=options.json)
    return 0


def _kind(name: str) -> CacheKind:
    by_name = {kind.name: kind for kind in KINDS}
    if name not in by_name:
        hint = nearest(name, by_name) or f"kinds: {', '.join(by_name)}"
        raise UsageError(f"unknown kind '{name}'", hint=hint)
    return by_name[name]


def _age(text: str) -> float:
    """Return an age in seconds."""
    match = re.fullmatch(r"(\d{1,9})([smhdw])", text, re.ASCII)
    if not match:
        raise UsageError(
            f"expected an age, got '{text}'",
            hint="an age is a number with s, m, h, d or w, such as 30d",
        )
    return int(match[1]) * _SECONDS[match[2]]


@dataclass(frozen=True)
class _Row:
    """The entries of a kind."""

    kind: CacheKind
    entries: int
    size: int
    oldest: datetime | None
    newest: datetime | None


def _row(kind: CacheKind) -> _Row:
    found = cached_items([kind])
    uses = [datetime.fromtimestamp(item.last_use, UTC) for item in found]
    size = sum(item.size for item in found)
    return _Row(kind, len(found), size, min(uses, default=None), max(uses, default=None))


def _show(kinds: Sequence[CacheKind], *, as_json: bool) -> None:
    root, limit = cache_root(), configured_limit()
    rows = [_row(kind) for kind in kinds]
    problem = _problem(kinds)
    if as_json:
        report = {
            "folder": str(root),
            "bound": limit,
            "size": sum(row.size for row in rows),
            "keeps_programs": is_on(),
            "problem": problem or None,
            "kinds": [_description(row) for row in rows],
        }
        print(json.dumps(report, indent=2))
        return
    print_table(
        ["kind", "entries", "size", "oldest use", "newest use", "description"],
        [
            [
                row.kind.name,
                str(row.entries),
                _size(row.size),
                _time(row.oldest),
                _time(row.newest),
                row.kind.description,
            ]
            for row in rows
        ],
    )
    print(f"folder: {root}")
    print(f"size: {_size(sum(row.size for row in rows))}, at most {_size(limit)}")
    if problem:
        print(f"not in use: {problem}")
    if not is_on():
        print(f"{CACHE.variable} is off: built programs and build steps are not cached")


def _problem(kinds: Sequence[CacheKind]) -> str:
    """Return why an existing cache cannot be used; empty if it can."""
    for kind in kinds:
        try:
            own_directory(kind.name)
        except InputError as error:
            return f"{error.message}; {error.hint}"
        except OSError:
            continue
    return ""


def _description(row: _Row) -> dict[str, object]:
    return {
        "kind": row.kind.name,
        "entries": row.entries,
        "size": row.size,
        "oldest_use": row.oldest and row.oldest.isoformat(timespec="seconds"),
        "newest_use": row.newest and row.newest.isoformat(timespec="seconds"),
    }


def _time(when: datetime | None) -> str:
    return f"{when.astimezone():%Y-%m-%d %H:%M}" if when else "-"


def _size(count: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def _clear(kinds: Sequence[CacheKind], age: float, *, as_json: bool) -> None:
    removed = clear(kinds, age)
    size = sum(item.size for item in removed)
    if as_json:
        print(json.dumps({"removed": len(removed), "size": size}))
        return
    entries = "1 entry" if len(removed) == 1 else f"{len(removed)} entries"
    names = ", ".join(kind.name for kind in kinds)
    print(f"removed {entries} of {names}: {_size(size)} in '{cache_root()}'")
