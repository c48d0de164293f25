"""Device code in object files: write it when compiling, gather it when linking."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from dovetail import trust
from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import facts_of
from dovetail.driver.inputs import LinkedObject
from dovetail.errors import InputError, IRError
from dovetail.frontend import Dependencies, PrecompiledHeader, merge_dependencies
from dovetail.image.device_section import DeviceCode, DeviceSection
from dovetail.ir import Context, Module, parse_untrusted
from dovetail.postlink import exported_functions, has_code, undefined_functions
from dovetail.targets import Target
from dovetail.targets.coverage import ANY_DEVICE, decides_for
from dovetail.targets.ir_family import IRFamily, family_name, ir_family

_READER = "LLVM 22 reads: "
"""The key under which bitcode is remembered that LLVM reads without crashing."""


class WantedCode(NamedTuple):
    """The device code to take from objects."""

    family: IRFamily = IRFamily.SPIRV64
    targets: tuple[str, ...] = ()
    """The names of the program's targets in the IR family; none for any device."""


def section_of(
    modules: Iterable[tuple[DeviceModule, Sequence[Target]]], headers: Iterable[PrecompiledHeader]
) -> DeviceSection:
    """Return the device code section of a source's object: the code for each IR family, if any.

    Each module comes with the targets that it was compiled for. If only some families have code,
    the empty modules of the others stay: they record that the source was compiled for them too.
    """
    compiled = [(device.module, targets) for device, targets in modules]
    has_any_code = any(has_code(module) for module, _ in compiled)
    code = tuple(_code(module, targets) for module, targets in compiled) if has_any_code else ()
    return DeviceSection(code, tuple(header.options for header in headers))


def _code(module: Module, targets: Sequence[Target]) -> DeviceCode:
    """Return the device code section's entry for a module, and remember that it can be trusted."""
    family = family_name(module.triple)
    return DeviceCode(
        module.triple,
        _remembered(module.to_bitcode()),
        module.name,
        exported_functions(module),
        tuple(target.name for target in targets if ir_family(target) == family),
    )


def _remembered(bitcode: bytes) -> bytes:
    """Remember bitcode that LLVM wrote or read here: no child process has to validate it."""
    trust.remember(bitcode, _READER)
    return bitcode


def merged_dependencies(files: Sequence[Path], wanted: Dependencies) -> bytes:
    """Return the host's and the devices' dependency files as one."""
    host, *others = (file.read_text(errors="surrogateescape") for file in files)
    text = merge_dependencies(host, others, phony="-MP" in wanted.others)
    return text.encode(errors="surrogateescape")


def gather(
    objects: Sequence[LinkedObject],
    taken: Iterable[str],
    sources: Sequence[DeviceModule],
    context: Context,
    wanted: WantedCode,
) -> list[DeviceModule]:
    """Return the device code of objects that is linked with that of the sources.

    This is the code of objects, of archive members that the host's linker has linked and, as in
    linkers, of members that define functions which are still undefined.
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
        # One at a time: the first definition of a function counts. A member that defines it only
        # for other families comes last, and is an error.
        first = min(needed, key=lambda o: not _of_family(o, wanted.family))
        waiting.remove(first)
        modules += _modules(first, context, wanted)


def _identity(name: str) -> str:
    """Return a canonical name, equal for all names of a file or a member."""
    path, parenthesis, member = name.partition("(")
    return os.path.realpath(path) + parenthesis + member


def _exports(linked: LinkedObject, family: IRFamily) -> frozenset[str]:
    """Return the functions that an object defines for the family or, without such code, for any."""
    codes = _of_family(linked, family) or linked.section.code
    return frozenset(symbol for code in codes for symbol in code.exports)


def _of_family(linked: LinkedObject, family: IRFamily) -> list[DeviceCode]:
    return [code for code in linked.section.code if family_name(code.triple) == family]


def _modules(linked: LinkedObject, context: Context, wanted: WantedCode) -> list[DeviceModule]:
    """Return the modules of an object for the wanted IR family and targets."""
    code = linked.section.code
    fitting = _of_family(linked, wanted.family)
    if code and not fitting:
        families = ", ".join(dict.fromkeys(family_name(each.triple) for each in code))
        raise InputError(
            f"'{linked}' has no device code for {wanted.family}, only for {families}",
            hint="recompile its source with the program's -fsycl-targets",
        )
        # A source may have been compiled separately for each target.
    by_source: dict[str, list[DeviceCode]] = {}
    for each in fitting:
        by_source.setdefault(each.source, []).append(each)
    chosen = (_chosen(linked, codes, wanted.targets) for codes in by_source.values())
    return [_module(linked, each, context) for codes in chosen for each in codes]


def _chosen(
    linked: LinkedObject, codes: Sequence[DeviceCode], targets: Sequence[str]
) -> list[DeviceCode]:
    """Return the code that is for all wanted targets: code for others may differ."""
    wanted = targets or (ANY_DEVICE,)
    chosen = [code for code in codes if all(_is_for(code, name) for name in wanted)]
    if chosen:
        return chosen
    missing = next((n for n in wanted if not any(_is_for(code, n) for code in codes)), wanted[0])
    known = ", ".join(dict.fromkeys(name for code in codes for name in code.targets))
    together = f" together with {wanted[-1]}" if len(wanted) > 1 and len(codes) > 1 else ""
    raise InputError(
        f"'{linked}' has no device code for '{missing}'{together}, only for {known}",
        hint="recompile its source with the program's -fsycl-targets",
    )


def _is_for(code: DeviceCode, target: str) -> bool:
    return not code.targets or any(decides_for(name, target) for name in code.targets)


def _module(linked: LinkedObject, code: DeviceCode, context: Context) -> DeviceModule:
    """Parse a module of an object; modules that this user has compiled skip the sandbox."""
    # The name is for messages.
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
