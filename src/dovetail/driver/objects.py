"""Device code in object files: putting it there, and gathering it when programs are linked."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from dovetail import trust
from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import facts_of
from dovetail.driver.inputs import LinkedObject
from dovetail.errors import InputError, IRError
from dovetail.frontend import Dependencies, PrecompiledHeader, merged
from dovetail.image.device_section import DeviceCode, DeviceSection
from dovetail.ir import Context, Module, parse_untrusted
from dovetail.postlink import exported_functions, holds_code, undefined_functions
from dovetail.targets import Target
from dovetail.targets.coverage import ANY_DEVICE, decides_for
from dovetail.targets.ir_family import IRFamily, family_name, ir_family

_READER = "LLVM 22 reads: "
"""Who survived the bitcode that is remembered."""


class WantedCode(NamedTuple):
    """Which device code of objects is linked."""

    family: IRFamily = IRFamily.SPIRV64
    targets: tuple[str, ...] = ()
    """The names of what the program is built for, in the family; none for any device."""


def section_of(
    modules: Iterable[tuple[DeviceModule, Sequence[Target]]], headers: Iterable[PrecompiledHeader]
) -> DeviceSection:
    """What the object of a source carries: its device code for each family, if it has any.

    With each module come the targets that it was compiled for. If only some families have code, the
    others' empty modules stay: they tell that the source was compiled for these too.
    """
    compiled = [(device.module, targets) for device, targets in modules]
    has_code = any(holds_code(module) for module, _ in compiled)
    code = tuple(_code(module, targets) for module, targets in compiled) if has_code else ()
    return DeviceSection(code, tuple(header.words for header in headers))


def _code(module: Module, targets: Sequence[Target]) -> DeviceCode:
    family = family_name(module.triple)
    return DeviceCode(
        module.triple,
        _remembered(module.to_bitcode()),
        module.name,
        exported_functions(module),
        tuple(target.name for target in targets if ir_family(target) == family),
    )


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
    wanted: WantedCode,
) -> list[DeviceModule]:
    """The device code that is linked with the sources' own.

    That is the code of objects, of members of archives that the host's linker took and, as linkers
    do, of those that define what is still missing.
    """
    names = {_identity(name) for name in taken}
    chosen = [o for o in objects if not o.archive or _identity(str(o)) in names]
    waiting = [o for o in objects if o not in chosen]
    modules = [device for each in chosen for device in _modules(each, context, wanted)]
    while True:
        missing = undefined_functions(device.module for device in (*sources, *modules))
        needed = [o for o in waiting if missing & _exports(o, wanted.family)]
        if not needed:
            return modules
        # One at a time: the first that defines a function is the one that counts. One that does so
        # for other families alone is an error, unless there is another.
        first = min(needed, key=lambda o: not _of_family(o, wanted.family))
        waiting.remove(first)
        modules += _modules(first, context, wanted)


def _identity(name: str) -> str:
    """The same for all names of a file or a member."""
    path, parenthesis, member = name.partition("(")
    return os.path.realpath(path) + parenthesis + member


def _exports(linked: LinkedObject, family: IRFamily) -> frozenset[str]:
    """What it defines for the family; for any, if it has no code for that one."""
    codes = _of_family(linked, family) or linked.section.code
    return frozenset(symbol for code in codes for symbol in code.exports)


def _of_family(linked: LinkedObject, family: IRFamily) -> list[DeviceCode]:
    return [code for code in linked.section.code if family_name(code.triple) == family]


def _modules(linked: LinkedObject, context: Context, wanted: WantedCode) -> list[DeviceModule]:
    """The code of an object for the family that is asked for."""
    code = linked.section.code
    fitting = _of_family(linked, wanted.family)
    if code and not fitting:
        families = ", ".join(dict.fromkeys(family_name(each.triple) for each in code))
        raise InputError(
            f"'{linked}' has no device code for {wanted.family}, only for {families}",
            hint="compile its source again, with the -fsycl-targets of the program",
        )
    # A source may have been compiled for each target apart.
    by_source: dict[str, list[DeviceCode]] = {}
    for each in fitting:
        by_source.setdefault(each.source, []).append(each)
    chosen = (_chosen(linked, codes, wanted.targets) for codes in by_source.values())
    return [_module(linked, each, context) for codes in chosen for each in codes]


def _chosen(
    linked: LinkedObject, codes: Sequence[DeviceCode], targets: Sequence[str]
) -> list[DeviceCode]:
    """Sources can ask what their targets have, so code for some may be wrong for others."""
    wanted = targets or (ANY_DEVICE,)
    chosen = [code for code in codes if all(_is_for(code, name) for name in wanted)]
    if chosen:
        return chosen
    missing = next((n for n in wanted if not any(_is_for(code, n) for code in codes)), wanted[0])
    known = ", ".join(dict.fromkeys(name for code in codes for name in code.targets))
    apart = f" together with {wanted[-1]}" if len(wanted) > 1 and len(codes) > 1 else ""
    raise InputError(
        f"'{linked}' has no device code for '{missing}'{apart}, only for {known}",
        hint="compile its source again, with the -fsycl-targets of the program",
    )


def _is_for(code: DeviceCode, target: str) -> bool:
    return not code.targets or any(decides_for(name, target) for name in code.targets)


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
