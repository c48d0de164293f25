"""Replace devices that are named in options for ocloc with the table's targets.

`-fsycl-targets=spir64_gen -Xs "-device skl,pvc"` names the devices only to ocloc. If the table has
all of them, the program is built as if they were listed as targets, so that code which depends on
the device is right for each. Families and ranges, such as `gen9`, are left to ocloc.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from dovetail.codegen import BuildTarget, generators_of
from dovetail.codegen.ocloc.generator import DEVICE, device_of
from dovetail.targets import Table, Target
from dovetail.targets.coverage import ANY_INTEL_GPU

Options = Mapping[str, tuple[str, ...]]
"""Options for the compilers of targets, by the target's name."""


def by_device(
    targets: Sequence[Target], options: Options, table: Table
) -> tuple[tuple[Target, ...], Options]:
    """Return targets and options with `ANY_INTEL_GPU` replaced by the devices its options name.

    Both are unchanged if a device is not in the table.
    """
    words = options.get(ANY_INTEL_GPU, ())
    named = _named(BuildTarget(table[ANY_INTEL_GPU], words), table) if words else ()
    if not named or all(target.name != ANY_INTEL_GPU for target in targets):
        return tuple(targets), options
    by_target = dict(options)
    del by_target[ANY_INTEL_GPU]
    # The driver passes `-device` itself.
    others = _without_device(words)
    if others:
        by_target.update({target.name: others for target in named})
    listed: list[Target] = []
    for target in targets:
        listed += named if target.name == ANY_INTEL_GPU else [target]
    return tuple(listed), by_target


def _named(any_gpu: BuildTarget, table: Table) -> tuple[Target, ...]:
    """Return the targets that `-device` names, each once; none if the table lacks one of them."""
    found = [_target_of(device, table) for device in device_of(any_gpu).split(",")]
    known = {target.name: target for target in found if target}
    return tuple(known.values()) if None not in found else ()


def _target_of(device: str, table: Table) -> Target | None:
    """Return the target for a device of ocloc: by name or number, else by the entry's options."""
    spelled = _spelled(device)
    by_name = table.get(f"intel_gpu_{spelled}")
    of_ocloc = generators_of(table[ANY_INTEL_GPU].toolchain)
    candidates = ([by_name] if by_name else []) + [
        target for target in table if _spelled(device_of(BuildTarget(target))) == spelled
    ]
    return next((each for each in candidates if generators_of(each.toolchain) == of_ocloc), None)


def _spelled(device: str) -> str:
    """Return a device as target names spell it: `acm-g10` as `acm_g10`."""
    return device.replace("-", "_").replace(".", "_")


def _without_device(words: Sequence[str]) -> tuple[str, ...]:
    values = [False, *(word == DEVICE for word, _ in pairwise(words))]
    return tuple(
        word
        for word, is_value in zip(words, values, strict=True)
        if not is_value and word != DEVICE
    )
