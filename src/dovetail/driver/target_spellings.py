"""Targets as DPC++ spells them: triples, and GPUs whose architecture another option names.

`-fsycl-targets=nvptx64-nvidia-cuda -Xsycl-target-backend --cuda-gpu-arch=sm_80` is the target
`nvidia_gpu_sm_80`; so is `--offload-arch=sm_80`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dovetail.driver.backend_option import BackendOption
from dovetail.driver.native_targets import NATIVE, native_targets
from dovetail.errors import UsageError
from dovetail.targets import Table
from dovetail.targets.ir_family import IRFamily

_SUFFIXES = ("-sycldevice", "-unknown-unknown")
_OTHER_NAMES = {
    "spirv64": "spir64",
    "nvptx64": IRFamily.NVPTX64.triple,
    "amdgcn": IRFamily.AMDGCN.triple,
    # Native code for the host's processor, which needs no driver in DPC++.
    "native_cpu": "x86_64",
}

_ARCHITECTURE_OPTIONS = ("--offload-arch=", "--cuda-gpu-arch=")
_FOR_PTXAS = "-Xcuda-ptxas"
"""Precedes each option for ptxas, to which all remaining options go."""


class _Gpu(NamedTuple):
    """A triple for the GPUs of a vendor."""

    targets: str
    """How their targets begin."""
    architectures: str
    """How their architectures begin."""
    default: str
    """The architecture if none is named; empty if one has to be."""


_GPUS = {
    IRFamily.NVPTX64.triple: _Gpu("nvidia_gpu_", "sm_", "sm_75"),
    IRFamily.AMDGCN.triple: _Gpu("amd_gpu_", "gfx", ""),
}
_INTEL = "intel_gpu_"


class Spelled(NamedTuple):
    """What a command line says about targets."""

    names: tuple[str, ...]
    options: tuple[BackendOption, ...]
    """For ahead-of-time compilers, without those that name an architecture."""


def plain_name(name: str) -> str:
    """Return a target without the parts that all triples share: `spir64` for `spir64-…`."""
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return _OTHER_NAMES.get(name, name)


def family_of_triple(name: str) -> IRFamily | None:
    """Return the IR family of a triple for GPUs of a vendor; None for other names."""
    triple = plain_name(name)
    return next((family for family in IRFamily if family.triple == triple in _GPUS), None)


def resolve_spellings(
    names: Iterable[str],
    options: Iterable[BackendOption],
    architectures: Iterable[str],
    table: Table,
) -> Spelled:
    """Return the targets' own names, and the remaining options.

    `architectures` are the values of `--offload-arch=`.
    """
    listed = [each for name in names for each in _without_native(plain_name(name))]
    given = [each._replace(target=each.target and plain_name(each.target)) for each in options]
    wanted = [each for value in architectures for each in value.split(",")]
    for triple, gpu in _GPUS.items():
        if triple in listed:
            own, given = _taken_architectures(triple, gpu, given, is_only=len(set(listed)) == 1)
            own += [each for each in wanted if each.startswith(gpu.architectures)]
            wanted = [each for each in wanted if not each.startswith(gpu.architectures)]
            targets = [gpu.targets + each for each in own or _default(triple, gpu)]
            listed = [each for name in listed for each in (targets if name == triple else (name,))]
    added = [each for name in wanted for each in _targets_of_architecture(name, table)]
    names = (*listed, *added)
    return Spelled(names, tuple(each for option in given for each in _for_targets(option, names)))


def _without_native(name: str) -> Sequence[str]:
    return native_targets() if name == NATIVE else (name,)


def _taken_architectures(
    triple: str, gpu: _Gpu, options: Iterable[BackendOption], *, is_only: bool
) -> tuple[list[str], list[BackendOption]]:
    """Return the architectures that options name for a triple, and the options without them."""
    taken: list[str] = []
    rest: list[BackendOption] = []
    for option in options:
        is_for_triple = option.target in (triple, None) or (option.target == "" and is_only)
        words = option.split() if is_for_triple else ()
        named = [each for word in words for each in _architectures(word)]
        own = [
            each for each in named if each.startswith(gpu.architectures) or option.target == triple
        ]
        if not own:
            rest.append(option)
            continue
        taken += own
        kept = [word for word in words if not set(_architectures(word)) & set(own)]
        if kept:
            rest.append(option.with_words(kept))
    return list(dict.fromkeys(taken)), rest


def _architectures(word: str) -> list[str]:
    for option in _ARCHITECTURE_OPTIONS:
        if word.startswith(option):
            return word.removeprefix(option).split(",")
    return []


def _default(triple: str, gpu: _Gpu) -> list[str]:
    """Return the default architecture of a triple; raise `UsageError` if it has none."""
    if not gpu.default:
        raise UsageError(
            f"missing architecture for the target '{triple}'",
            hint=f"add -Xsycl-target-backend={triple} --offload-arch={gpu.architectures}…, or name"
            f" the target {gpu.targets}{gpu.architectures}…",
        )
    return [gpu.default]


def _targets_of_architecture(name: str, table: Table) -> Sequence[str]:
    """Return the targets that a value of `--offload-arch=` means."""
    if name == NATIVE:
        return native_targets()
    for gpu in _GPUS.values():
        if name.startswith(gpu.architectures):
            return (gpu.targets + name,)
    intel = _INTEL + name.replace("-", "_")
    return (intel if intel in table else name,)


def _for_targets(option: BackendOption, names: Sequence[str]) -> Iterator[BackendOption]:
    """Yield the option for each target that its triple names."""
    gpu = _GPUS.get(option.target or "")
    if gpu is None:
        yield option
        return
    words = [word for word in option.split() if word != _FOR_PTXAS]
    for name in names:
        if name.startswith(gpu.targets) and words:
            yield option.with_words(words)._replace(target=name)
