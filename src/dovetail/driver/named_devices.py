"""GPUs that are named to ocloc alone, as targets of the table.

`-fsycl-targets=spir64_gen -Xs "-device skl,pvc"` says for which devices code is, but to ocloc.
Where the table knows all of them, the program is built for them as if they had been listed: what
depends on the device is then right for each. Families and ranges, such as `gen9`, stay ocloc's.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from dovetail.codegen import BuildTarget, generators_of
from dovetail.codegen.ocloc.generator import DEVICE, device_of
from dovetail.targets import Table, Target
from dovetail.targets.coverage import ANY_INTEL_GPU

Options = Mapping[str, tuple[str, ...]]
"""What the compilers of some targets are told, by the target's name."""


def by_device(
    targets: Sequence[Target], options: Options, table: Table
) -> tuple[tuple[Target, ...], Options]:
    """The targets with all GPUs by their names, if they have some in the table."""
    words = options.get(ANY_INTEL_GPU, ())
    named = _named(BuildTarget(table[ANY_INTEL_GPU], words), table) if words else ()
    if not named or all(target.name != ANY_INTEL_GPU for target in targets):
        return tuple(targets), options
    told = dict(options)
    del told[ANY_INTEL_GPU]
    # The driver tells the device by itself.
    others = _without_device(words)
    if others:
        told.update({target.name: others for target in named})
    listed: list[Target] = []
    for target in targets:
        listed += named if target.name == ANY_INTEL_GPU else [target]
    return tuple(listed), told


def _named(any_gpu: BuildTarget, table: Table) -> tuple[Target, ...]:
    """The targets that ocloc is told, each once; none if the table does not know all of them."""
    found = [_target_of(device, table) for device in device_of(any_gpu).split(",")]
    known = {target.name: target for target in found if target}
    return tuple(known.values()) if None not in found else ()


def _target_of(device: str, table: Table) -> Target | None:
    """Whose compiler is told this device: by its number or name, else by the entry's options."""
    spelled = _spelled(device)
    by_name = table.get(f"intel_gpu_{spelled}")
    of_ocloc = generators_of(table[ANY_INTEL_GPU].toolchain)
    candidates = ([by_name] if by_name else []) + [
        target for target in table if _spelled(device_of(BuildTarget(target))) == spelled
    ]
    return next((each for each in candidates if generators_of(each.toolchain) == of_ocloc), None)


def _spelled(device: str) -> str:
    """As in the names of targets: `acm-g10` is `acm_g10`, `12.60.7` is `12_60_7`."""
    return device.replace("-", "_").replace(".", "_")


def _without_device(words: Sequence[str]) -> tuple[str, ...]:
    values = [False, *(word == DEVICE for word, _ in pairwise(words))]
    return tuple(
        word
        for word, is_value in zip(words, values, strict=True)
        if not is_value and word != DEVICE
    )
