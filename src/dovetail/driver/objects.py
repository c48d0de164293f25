"""Device code in object files: putting it there, and gathering it when programs are linked."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from dovetail import trust
from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import facts_of
from dovetail.driver.link_line import LinkedObject
from dovetail.errors import InputError, IRError
from dovetail.frontend import Dependencies, PrecompiledHeader, merged
from dovetail.image.device_section import DeviceCode, DeviceSection
from dovetail.ir import Context, Module, parse_untrusted
from dovetail.postlink import exported_functions, holds_code, undefined_functions
from dovetail.targets.coverage import ANY_DEVICE, covers

_FAMILY_OF_DEFAULT = "spirv64"

_READER = "LLVM 22 reads: "
"""Who survived the bitcode that is remembered."""

# DPC++ calls the same family by its older name.
_FAMILIES = {"spir64": "spirv64"}


def section_of(
    modules: Iterable[DeviceModule],
    headers: Iterable[PrecompiledHeader],
    targets: Sequence[str] = (),
) -> DeviceSection:
    """What the object of a source carries: its device code for each family, if it has any.

    `targets` are the names of those that it was compiled for.
    """
    code = tuple(
        DeviceCode(
            device.module.triple,
            _remembered(device.module.to_bitcode()),
            device.module.name,
            exported_functions(device.module),
            tuple(targets),
        )
        for device in modules
        if holds_code(device.module)
    )
    return DeviceSection(code, tuple(header.words for header in headers))


def _remembered(bitcode: bytes) -> bytes:
    """What LLVM wrote or read here need not be tried in a child process, which takes far longer."""
    trust.remember(bitcode, _READER)
    return bitcode


def merged_dependencies(files: Sequence[Path], wanted: Dependencies) -> bytes:
    """One dependency file of the host's and the device's."""
    host, *others = (file.read_text(errors="surrogateescape") for file in files)
    text = merged(host, others, phony="-MP" in wanted.others)
    return text.encode(errors="surrogateescape")


def gather(
    objects: Sequence[LinkedObject],
    taken: Iterable[str],
    sources: Sequence[DeviceModule],
    context: Context,
    targets: Sequence[str] = (),
) -> list[DeviceModule]:
    """The device code that is linked with the sources' own, for targets of these names.

    That is the code of objects, of members of archives that the host's linker took and, as linkers
    do, of those that define what is still missing.
    """
    names = {_identity(name) for name in taken}
    chosen = [o for o in objects if not o.archive or _identity(str(o)) in names]
    waiting = [o for o in objects if o not in chosen]
    modules = [device for each in chosen for device in _modules(each, context, targets)]
    while True:
        missing = undefined_functions(device.module for device in (*sources, *modules))
        needed = [o for o in waiting if missing & _exports(o)]
        if not needed:
            return modules
        # One at a time: the first that defines a function is the one that counts.
        waiting.remove(needed[0])
        modules += _modules(needed[0], context, targets)


def _identity(name: str) -> str:
    """The same for all names of a file or a member."""
    path, parenthesis, member = name.partition("(")
    return os.path.realpath(path) + parenthesis + member


def _exports(linked: LinkedObject) -> frozenset[str]:
    return frozenset(symbol for code in linked.section.code for symbol in code.exports)


def _modules(linked: LinkedObject, context: Context, targets: Sequence[str]) -> list[DeviceModule]:
    """The code of an object for the family that is asked for."""
    code = linked.section.code
    fitting = [each for each in code if _family(each) == _FAMILY_OF_DEFAULT]
    if code and not fitting:
        families = ", ".join(dict.fromkeys(map(_family, code)))
        raise InputError(
            f"'{linked}' has no device code for {_FAMILY_OF_DEFAULT}, only for {families}",
            hint="compile its source again, with the -fsycl-targets of the program",
        )
    for each in fitting:
        _refuse_other_targets(linked, each, targets)
    return [_module(linked, each, context) for each in fitting]


def _refuse_other_targets(linked: LinkedObject, code: DeviceCode, targets: Sequence[str]) -> None:
    """Sources can ask what their targets have, so code for some may be wrong for others."""
    if not code.targets:
        return
    for wanted in targets or (ANY_DEVICE,):
        if not any(covers(target, wanted) for target in code.targets):
            raise InputError(
                f"'{linked}' has no device code for '{wanted}', only for {', '.join(code.targets)}",
                hint="compile its source again, with the -fsycl-targets of the program",
            )


def _family(code: DeviceCode) -> str:
    return _FAMILIES.get(code.family, code.family)


def _module(linked: LinkedObject, code: DeviceCode, context: Context) -> DeviceModule:
    # A name is for messages: where the code came from, if it is known.
    name, bitcode = code.source or str(linked), bytes(code.bitcode)
    try:
        if trust.is_known(bitcode, _READER):
            module = Module.parse(context, bitcode, name)
        else:
            module = parse_untrusted(bitcode, name, context)
            _remembered(bitcode)
        return DeviceModule(module, facts_of(module))
    except IRError as error:
        raise IRError(f"'{linked}': {error.message}", hint=error.hint) from None
