"""`dovetail targets`: list the targets and their features."""

import json
from argparse import Namespace
from collections.abc import Iterable, Sequence

from dovetail.cli.arguments import Parser, add_configuration, read_configuration
from dovetail.cli.output import print_table
from dovetail.errors import UsageError
from dovetail.targets import Table, Target, aspect_name, groups_of
from dovetail.targets.aspects import aspect_names, aspect_number, deprecated_aspects

_DESCRIPTION = """\
List the targets of -fsycl-targets, with their aspects, sub-group sizes and
ahead-of-time compilers. With NAME, show these targets in full.

'dovetail targets probe' checks the list against the real compilers.

examples:
  dovetail targets --family intel_gpu --lacks fp64
  dovetail targets intel_gpu_pvc
  dovetail targets --has fp64 --has atomic64 --json
  dovetail targets --device-config-file mine.yaml my_gpu
  dovetail targets probe intel_gpu_skl
"""

_MAX_DIGITS = 9
"""Of an aspect's number."""

# Aspects that affect a kernel's code; the others are about memory, tools and queries.
_CODE_ASPECTS = ("cpu", "gpu", "accelerator", "fp16", "fp64", "atomic64", "image")


def run(args: Sequence[str]) -> int:
    """See `dovetail targets --help`."""
    if args and args[0] == "probe":
        from dovetail.cli.targets_probe import run as run_probe

        return run_probe(args[1:])
    parser = Parser("targets", _DESCRIPTION)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a target, an alias or a group")
    parser.add_argument(
        "--has",
        action="append",
        default=[],
        metavar="ASPECT",
        help="only targets with this aspect; may be repeated",
    )
    parser.add_argument(
        "--lacks",
        action="append",
        default=[],
        metavar="ASPECT",
        help="only targets that are known to lack this aspect; may be repeated",
    )
    parser.add_argument(
        "--family",
        metavar="FAMILY",
        help="only targets of a device family: intel_gpu, amd_gpu, ...",
    )
    parser.add_argument("--long", action="store_true", help="show all aspects in the table")
    parser.add_argument("--aspects", action="store_true", help="list aspects instead of targets")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    add_configuration(parser)
    options = parser.parse_args(args)
    if options.aspects:
        if options.names or options.has or options.lacks or options.family:
            raise UsageError(
                "'--aspects' cannot be combined with targets or filters",
                hint="remove the other arguments",
            )
        _show_aspects(as_json=options.json)
        return 0
    table = read_configuration(options.configuration)
    names = dict.fromkeys(table.canonical(name) for name in table.expand(options.names))
    chosen = _chosen(table, [table[name] for name in names] or table, options)
    if options.json:
        print(json.dumps({"targets": [_description(table, target) for target in chosen]}, indent=2))
    elif options.names:
        _show_in_full(table, chosen)
    else:
        _show_list(table, chosen, long=options.long)
    return 0


def _chosen(table: Table, targets: Iterable[Target], options: Namespace) -> list[Target]:
    """Return the targets that match the filters."""
    present = [aspect_name(_number_or_name(aspect)) for aspect in options.has]
    absent = [aspect_name(_number_or_name(aspect)) for aspect in options.lacks]
    families = dict.fromkeys(target.family for target in table)
    if options.family and options.family not in families:
        raise UsageError(
            f"unknown family '{options.family}'", hint=f"families: {', '.join(families)}"
        )
    return [
        target
        for target in targets
        if all(target.has(aspect) for aspect in present)
        and all(target.verdict(aspect) == "no" for aspect in absent)
        and options.family in (None, target.family)
    ]


def _number_or_name(text: str) -> str | int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS
    return int(text) if is_number else text


def _description(table: Table, target: Target) -> dict[str, object]:
    return {
        "name": target.name,
        "aliases": list(table.aliases(target.name)),
        "groups": list(groups_of(target.name)),
        "family": target.family,
        "aspects": list(target.aspects),
        "may_support_other_aspects": target.may_support_other_aspects,
        "absent_aspects": list(target.absent_aspects),
        "sub_group_sizes": list(target.sub_group_sizes),
        "toolchain": target.toolchain,
        "options": target.options,
        "architecture": table.architecture(target.name),
        "macro": table.macro(target.name),
    }


def _show_list(table: Table, targets: Sequence[Target], *, long: bool) -> None:
    if not targets:
        print("no matching targets")
        return
    print_table(
        ["target", "aliases", "aspects", "sub-groups", "compiler"],
        [
            [
                target.name,
                " ".join(table.aliases(target.name)),
                _aspects(target, long=long),
                _sizes(target),
                target.toolchain or "the device's driver",
            ]
            for target in targets
        ],
    )
    print("'+ 9': nine more aspects; '?': unknown; 'dovetail targets NAME' shows a target in full")


def _aspects(target: Target, *, long: bool) -> str:
    shown = [aspect for aspect in target.aspects if long or aspect in _CODE_ASPECTS]
    hidden = len(target.aspects) - len(shown)
    if hidden:
        shown.append(f"+ {hidden}")
    if target.may_support_other_aspects:
        shown.append("?")
    return " ".join(shown)


def _sizes(target: Target) -> str:
    return ", ".join(map(str, target.sub_group_sizes)) or "?"


def _show_in_full(table: Table, targets: Sequence[Target]) -> None:
    if not targets:
        print("no matching targets")
    for target in targets:
        print(target.name)
        for title, text in _facts(table, target):
            print(f"  {title:<18} {text}")


def _facts(table: Table, target: Target) -> list[tuple[str, str]]:
    architecture = table.architecture(target.name)
    others = "unknown" if target.may_support_other_aspects else "absent"
    return [
        ("aliases", ", ".join(table.aliases(target.name)) or "none"),
        ("groups", ", ".join(groups_of(target.name)) or "none"),
        ("aspects", ", ".join(target.aspects) or "none listed"),
        ("absent aspects", ", ".join(target.absent_aspects) or "none listed"),
        ("other aspects", others),
        ("sub-group sizes", _sizes(target).replace("?", "unknown")),
        ("compiler", f"{target.toolchain} {target.options}".strip() or "the device's driver"),
        ("architecture", "none" if architecture is None else str(architecture)),
        ("macro", table.macro(target.name) or "none"),
    ]


def _show_aspects(*, as_json: bool) -> None:
    deprecated = deprecated_aspects()
    rows = [(aspect_number(name), name, deprecated.get(name)) for name in aspect_names()]
    rows += [(aspect_number(name), name, instead) for name, instead in deprecated.items()]
    rows.sort(key=lambda row: row[0])
    if as_json:
        aspects = [
            {"name": name, "number": number, "deprecated": instead is not None}
            for number, name, instead in rows
        ]
        print(json.dumps({"aspects": aspects}, indent=2))
        return
    notes = {None: "", "": "deprecated"}
    print_table(
        ["number", "aspect", "note"],
        [
            [str(number), name, notes.get(instead, f"deprecated: use {instead}")]
            for number, name, instead in rows
        ],
    )
