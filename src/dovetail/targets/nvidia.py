"""NVIDIA's architectures by the names of targets: which code runs on which device.

Native code runs on its architecture and on later ones of the same major version. PTX can be
compiled for its architecture and for all later ones. Code for an architecture whose name ends in a
letter, such as sm_90a, is only for devices of that very version.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from dovetail.targets import default_table

_NAME = re.compile(r"nvidia_gpu_sm_(\d+)(\d)([a-z]?)")


class NvidiaArchitecture(NamedTuple):
    """An architecture of NVIDIA."""

    major: int
    minor: int
    variant: str
    """`a` for code that only devices of that version run; usually empty."""

    @classmethod
    @lru_cache(256)
    def of(cls, target: str) -> "NvidiaArchitecture | None":
        """Return the architecture of a target, which the table may lack; None for other targets."""
        name = _NAME.fullmatch(target)
        return cls(int(name[1]), int(name[2]), name[3]) if name else None

    @property
    def version(self) -> tuple[int, int]:
        return self.major, self.minor


def target_name(capability: tuple[int, int]) -> str:
    """Return the target of devices with a compute capability, which the table may lack."""
    major, minor = capability
    return f"nvidia_gpu_sm_{major}{minor}"


def newest_up_to(capability: tuple[int, int]) -> str:
    """Return the table's newest target whose code a device can run; empty if there is none."""
    known = ((NvidiaArchitecture.of(target.name), target.name) for target in default_table())
    older = [
        (each.version, name)
        for each, name in known
        if each and not each.variant and each.version <= capability
    ]
    return max(older, default=((0, 0), ""))[1]


def native_distance(code: str, device: str) -> int | None:
    """Return how far a device is above native code; None if it cannot run the code.

    0 means that the code is for exactly that device.
    """
    ours, its = NvidiaArchitecture.of(code), NvidiaArchitecture.of(device)
    if ours is None or its is None or ours.major != its.major or ours.minor > its.minor:
        return None
    if ours.variant and ours.version != its.version:
        return None
    return its.minor - ours.minor


def ptx_distance(targets: Iterable[str], device: str) -> int | None:
    """Return how far a device is above PTX; None if its driver cannot compile the PTX for it.

    `targets` are the architecture that the PTX is for and known later ones.
    """
    its = NvidiaArchitecture.of(device)
    known = [each for each in map(NvidiaArchitecture.of, targets) if each is not None]
    # That of the PTX is the oldest.
    ours = min(known, default=None)
    if its is None or ours is None or ours.version > its.version:
        return None
    if ours.variant and ours.version != its.version:
        return None
    return 10 * (its.major - ours.major) + its.minor - ours.minor
