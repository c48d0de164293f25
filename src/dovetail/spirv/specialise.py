"""Specializes conditional SPIR-V for one device: removes conditions, and all code that is off."""

from collections.abc import Mapping

from dovetail.spirv.annotations import attach_annotations, dangling_annotations, shrunk_groups
from dovetail.spirv.booleans import evaluate_booleans
from dovetail.spirv.decorations import decorations_of
from dovetail.spirv.edit import Edit
from dovetail.spirv.entry_points import EntryPoints
from dovetail.spirv.grammar import opcode_name, operand_kinds
from dovetail.spirv.module import SpirvModule, error, find_string
from dovetail.spirv.opcodes import (
    CAPABILITY,
    CONDITIONAL_CAPABILITY,
    CONDITIONAL_COPY_OBJECT,
    CONDITIONAL_EXTENSION,
    CONSTANT_FALSE,
    CONSTANT_TRUE,
    ENTRY_POINT,
    EXTENSION,
    FUNCTION_CALL,
    SPEC_CONSTANT_ARCHITECTURE,
    SPEC_CONSTANT_CAPABILITIES,
    SPEC_CONSTANT_FALSE,
    SPEC_CONSTANT_TARGET,
    SPEC_CONSTANT_TRUE,
)
from dovetail.spirv.removal import Removal, is_effectless, runs
from dovetail.spirv.structure import module_structure

_CAPABILITIES = (6245, 6246)
"""`SpecConditionalINTEL` and `FunctionVariantsINTEL`."""
_EXTENSIONS = ("SPV_INTEL_function_variants", "SPV_INTEL_spec_conditional")
"""The extension for conditions, by its current and its former name."""

_DEVICE_ONLY = (
    SPEC_CONSTANT_TARGET,
    SPEC_CONSTANT_ARCHITECTURE,
    SPEC_CONSTANT_CAPABILITIES,
    CONDITIONAL_COPY_OBJECT,
)
"""Instructions of the same extension that only a device's compiler can evaluate."""


def specialised(module: SpirvModule, values: Mapping[int, bool]) -> SpirvModule:
    """Return the module as plain SPIR-V, with boolean specialization constants set by `SpecId`.

    Code that is off is removed, with everything that only it uses. Specialization constants
    without a value are unchanged. Raises `FormatError` if remaining code uses code that is off, if
    a condition depends on constants without a value, or if the module is malformed.
    """
    return _Specialisation(module, values).result()


class _Specialisation:
    def __init__(self, module: SpirvModule, values: Mapping[int, bool]) -> None:
        self._module = module
        self._values = values
        self._structure = module_structure(module)
        self._decorations = decorations_of(self._structure)
        self._booleans = evaluate_booleans(self._structure, self._spec_ids(), values)
        self._removal = Removal(self._structure, self._decorations.exported)
        self._rewritten: dict[int, tuple[int, ...]] = {}
        """By instruction, its new opcode and operands, which apply if it is not removed."""

    def result(self) -> SpirvModule:
        self._set_constants()
        self._discard()
        self._choose(CONDITIONAL_CAPABILITY, CAPABILITY)
        self._choose(CONDITIONAL_EXTENSION, EXTENSION)
        self._drop_declarations()
        entry_points = EntryPoints(self._structure, self._booleans, self._removal)
        attach_annotations(self._structure, self._removal)
        self._removal.finish()
        removed = self._removal.removed_ids()
        for number in dangling_annotations(self._structure, removed):
            self._removal.removed[number] = 1
        self._rewrite_constants(removed)
        for number, operands in entry_points.rewritten(removed):
            self._rewritten[number] = ENTRY_POINT, *operands
        for number, operands in shrunk_groups(self._structure, removed):
            opcode = self._module.opcode(self._module.starts[number])
            self._rewritten[number] = opcode, *operands
        self._check(removed)
        return self._edited()

    def _spec_ids(self) -> dict[int, int]:
        """Return the `SpecId` of constants, by id."""
        by_target = {target: spec_id for _, target, spec_id in self._decorations.spec_ids}
        return {
            member: spec_id
            for target, spec_id in by_target.items()
            for member in self._decorations.members(target)
        }

    def _set_constants(self) -> None:
        """Remove SpecIds with a given value; constants that depend on them keep only their type."""
        words, starts = self._module.words, self._module.starts
        definitions = self._structure.index.definitions
        for number, target, spec_id in self._decorations.spec_ids:
            if spec_id not in self._values:
                continue
            defined = definitions.get(target)
            opcode = 0 if defined is None else words[starts[defined]] & 0xFFFF
            if opcode not in (SPEC_CONSTANT_TRUE, SPEC_CONSTANT_FALSE):
                raise error(
                    starts[number], f"the specialization constant {spec_id} is not a boolean"
                )
            self._removal.remove_only(number)
        for identifier in self._booleans.specialised:
            offset = starts[definitions[identifier]]
            self._removal.shrink(identifier, {words[offset + 1]})

    def _discard(self) -> None:
        """Remove all code that is off, and all conditions."""
        off: dict[int, int] = {}
        for number, target, condition in self._decorations.conditions:
            self._removal.remove_only(number)
            self._removal.drop_uses((condition,))
            if not self._booleans.value_of(condition):
                off[target] = self._module.starts[number]
        # After all conditions: a group can have several conditions, and many members.
        for target, offset in off.items():
            for member in self._decorations.members(target):
                if not self._removal.is_removed(member):
                    self._turn_off(member, offset)

    def _turn_off(self, target: int, decorated_at: int) -> None:
        """Remove an instruction or function that is off; raise an error if it has an effect."""
        module, numbers = self._module, self._structure.span(target)
        if numbers is None:
            raise error(decorated_at, f"%{target}, which is off, is defined by an unknown opcode")
        if target not in self._structure.outside:
            offset = module.starts[numbers.start]
            opcode = module.opcode(offset)
            if opcode != FUNCTION_CALL and not is_effectless(module, offset):
                raise error(offset, f"{opcode_name(opcode)} cannot be conditional")
        self._removal.remove(numbers)

    def _choose(self, conditional: int, plain: int) -> None:
        """Replace conditional declarations that are on with plain ones; drop duplicates."""
        words, end = self._module.words, self._module.end
        known = {
            tuple(words[offset + 1 : end(offset)])
            for _, offset in self._structure.with_opcode(plain)
        }
        for number, offset in self._structure.with_opcode(conditional):
            condition, operands = words[offset + 1], tuple(words[offset + 2 : end(offset)])
            self._removal.drop_uses((condition,))
            if self._booleans.value_of(condition) and operands not in known:
                known.add(operands)
                self._removal.ignore_uses(number)
                self._rewritten[number] = plain, *operands
            else:
                self._removal.remove_only(number)

    def _drop_declarations(self) -> None:
        """Remove the capabilities and extension for conditions."""
        for number, offset in self._structure.with_opcode(CAPABILITY):
            if self._module.words[offset + 1] in _CAPABILITIES:
                self._removal.remove_only(number)
        for number, offset in self._structure.with_opcode(EXTENSION):
            name, _ = find_string(self._module.words, offset + 1, self._module.end(offset))
            if name.decode(errors="replace") in _EXTENSIONS:
                self._removal.remove_only(number)

    def _rewrite_constants(self, removed: set[int]) -> None:
        """Replace specialized constants that are still used by plain ones."""
        for identifier in self._booleans.specialised - removed:
            number = self._structure.index.definitions[identifier]
            type_id = self._module.words[self._module.starts[number] + 1]
            opcode = CONSTANT_TRUE if self._booleans.values[identifier] else CONSTANT_FALSE
            self._rewritten[number] = opcode, type_id, identifier

    def _check(self, removed: set[int]) -> None:
        """Raise `FormatError` for instructions that are not plain, or that use removed ids."""
        module, marks = self._module, self._removal.removed
        for number, offset in self._structure.with_opcode(*_DEVICE_ONLY):
            if not marks[number]:
                raise error(offset, f"{opcode_name(module.opcode(offset))} is not supported")
        missing = removed & self._removal.needed
        users = [
            number
            for number, is_removed in enumerate(marks if missing else ())
            if not is_removed and not missing.isdisjoint(self._may_use(number))
        ]
        if users:
            # Prefer instructions that are not rewritten: a rewritten one may not use all ids.
            user = min(users, key=lambda number: (number in self._rewritten, number))
            opcode, used = module.opcode(module.starts[user]), missing & self._may_use(user)
            verb = "uses" if operand_kinds(opcode) is not None else "is unknown and may use"
            problem = f"{opcode_name(opcode)} {verb} %{min(used)}, which is off"
            raise error(module.starts[user], problem)

    def _may_use(self, number: int) -> set[int]:
        offset = self._module.starts[number]
        if operand_kinds(self._module.opcode(offset)) is not None:
            return set(self._structure.index.uses(number))
        return set(self._module.words[offset + 1 : self._module.end(offset)])

    def _edited(self) -> SpirvModule:
        """Return the module with all removals and rewritten instructions."""
        starts, marks = self._module.starts, self._removal.removed
        edit = Edit(self._module)
        for run in runs(marks, 1, range(len(marks))):
            end = starts[run.stop] if run.stop < len(starts) else len(self._module.words)
            edit.remove(starts[run.start], end)
        for number, (opcode, *operands) in self._rewritten.items():
            if not marks[number]:
                edit.replace(starts[number], opcode, *operands)
        return edit.apply()
