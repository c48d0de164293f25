"""Conditional SPIR-V for one device: without what is off, and without conditions."""

from collections.abc import Mapping

from dovetail.spirv.annotations import about_less, about_nothing, attach
from dovetail.spirv.booleans import evaluated
from dovetail.spirv.decorations import decorations_of
from dovetail.spirv.edit import Edit
from dovetail.spirv.entry_points import EntryPoints
from dovetail.spirv.grammar import name_of, spelled
from dovetail.spirv.module import Module, error, find_string
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
from dovetail.spirv.survey import survey

_CAPABILITIES = (6245, 6246)
"""`SpecConditionalINTEL` and `FunctionVariantsINTEL`."""
_EXTENSIONS = ("SPV_INTEL_function_variants", "SPV_INTEL_spec_conditional")
"""What conditions are an extension of, by its name and by the one that it had first."""

_FOR_DEVICES = (
    SPEC_CONSTANT_TARGET,
    SPEC_CONSTANT_ARCHITECTURE,
    SPEC_CONSTANT_CAPABILITIES,
    CONDITIONAL_COPY_OBJECT,
)
"""Instructions of the same extension that only a device's compiler can carry out."""


def specialised(module: Module, values: Mapping[int, bool]) -> Module:
    """The module with boolean specialization constants set, `values` by `SpecId`, in plain SPIR-V.

    What is off leaves, with everything that only it uses. Specialization constants that have no
    value here stay as they are. Raises `FormatError` if what stays uses what is off, if a condition
    is no expression of constants that are set, or if the module is damaged.
    """
    return _Specialisation(module, values).done()


class _Specialisation:
    def __init__(self, module: Module, values: Mapping[int, bool]) -> None:
        self._module = module
        self._values = values
        self._survey = survey(module)
        self._decorations = decorations_of(self._survey)
        self._booleans = evaluated(self._survey, self._spec_ids(), values)
        self._removal = Removal(self._survey, self._decorations.exported)
        self._rewritten: dict[int, tuple[int, ...]] = {}
        """By instruction, the opcode and the operands that it has instead if it stays."""

    def done(self) -> Module:
        self._set_constants()
        self._discard()
        self._choose(CONDITIONAL_CAPABILITY, CAPABILITY)
        self._choose(CONDITIONAL_EXTENSION, EXTENSION)
        self._drop_declarations()
        entry_points = EntryPoints(self._survey, self._booleans, self._removal)
        attach(self._survey, self._removal)
        self._removal.settle()
        gone = self._removal.gone_ids()
        for number in about_nothing(self._survey, gone):
            self._removal.gone[number] = 1
        self._rewrite_constants(gone)
        for number, operands in entry_points.rewritten(gone):
            self._rewritten[number] = ENTRY_POINT, *operands
        for number, operands in about_less(self._survey, gone):
            opcode = self._module.opcode(self._module.starts[number])
            self._rewritten[number] = opcode, *operands
        self._check(gone)
        return self._edited()

    def _spec_ids(self) -> dict[int, int]:
        """By id of a constant, the number that programs set it by."""
        by_target = {target: spec_id for _, target, spec_id in self._decorations.spec_ids}
        return {
            member: spec_id
            for target, spec_id in by_target.items()
            for member in self._decorations.members(target)
        }

    def _set_constants(self) -> None:
        words, starts = self._module.words, self._module.starts
        definitions = self._survey.index.definitions
        for number, target, spec_id in self._decorations.spec_ids:
            if spec_id not in self._values:
                continue
            defined = definitions.get(target)
            opcode = 0 if defined is None else words[starts[defined]] & 0xFFFF
            if opcode not in (SPEC_CONSTANT_TRUE, SPEC_CONSTANT_FALSE):
                raise error(starts[number], f"the specialization constant {spec_id} is no boolean")
            self._removal.remove_alone(number)
        for identifier in self._booleans.set_here:
            at = starts[definitions[identifier]]
            self._removal.shrink(identifier, {words[at + 1]})

    def _discard(self) -> None:
        """Have everything leave that is off, and every condition."""
        off: dict[int, int] = {}
        for number, target, condition in self._decorations.conditions:
            self._removal.remove_alone(number)
            self._removal.release((condition,))
            if not self._booleans.holds(condition):
                off[target] = self._module.starts[number]
        # Only now, as a group may have many conditions, and many members.
        for target, at in off.items():
            for member in self._decorations.members(target):
                if not self._removal.is_gone(member):
                    self._turn_off(member, at)

    def _turn_off(self, target: int, decorated_at: int) -> None:
        module, numbers = self._module, self._survey.span(target)
        if numbers is None:
            raise error(decorated_at, f"nothing is known of what defines %{target}, which is off")
        if target not in self._survey.outside:
            at = module.starts[numbers.start]
            opcode = module.opcode(at)
            if opcode != FUNCTION_CALL and not is_effectless(module, at):
                raise error(at, f"{name_of(opcode)} cannot be conditional")
        self._removal.remove(numbers)

    def _choose(self, conditional: int, plain: int) -> None:
        """Make conditional instructions that are on plain, unless there is the same already."""
        words, end = self._module.words, self._module.end
        known = {tuple(words[at + 1 : end(at)]) for _, at in self._survey.all_of(plain)}
        for number, at in self._survey.all_of(conditional):
            condition, operands = words[at + 1], tuple(words[at + 2 : end(at)])
            self._removal.release((condition,))
            if self._booleans.holds(condition) and operands not in known:
                known.add(operands)
                self._removal.ignore(number)
                self._rewritten[number] = plain, *operands
            else:
                self._removal.remove_alone(number)

    def _drop_declarations(self) -> None:
        """Have that leave which says that there are conditions."""
        for number, at in self._survey.all_of(CAPABILITY):
            if self._module.words[at + 1] in _CAPABILITIES:
                self._removal.remove_alone(number)
        for number, at in self._survey.all_of(EXTENSION):
            name, _ = find_string(self._module.words, at + 1, self._module.end(at))
            if name.decode(errors="replace") in _EXTENSIONS:
                self._removal.remove_alone(number)

    def _rewrite_constants(self, gone: set[int]) -> None:
        """Make plain constants of those that are set, if anything still uses them."""
        for identifier in self._booleans.set_here - gone:
            number = self._survey.index.definitions[identifier]
            type_id = self._module.words[self._module.starts[number] + 1]
            opcode = CONSTANT_TRUE if self._booleans.values[identifier] else CONSTANT_FALSE
            self._rewritten[number] = opcode, type_id, identifier

    def _check(self, gone: set[int]) -> None:
        """Refuse what is not plain, and what uses anything that left."""
        module, marks = self._module, self._removal.gone
        for number, at in self._survey.all_of(*_FOR_DEVICES):
            if not marks[number]:
                raise error(at, f"{name_of(module.opcode(at))} is for a device's own compiler")
        missing = gone & self._removal.needed
        users = [
            number
            for number, is_gone in enumerate(marks if missing else ())
            if not is_gone and not missing.isdisjoint(self._may_use(number))
        ]
        if users:
            # What is written anew may not need everything that it used.
            user = min(users, key=lambda number: (number in self._rewritten, number))
            opcode, used = module.opcode(module.starts[user]), missing & self._may_use(user)
            verb = "uses" if spelled(opcode) is not None else "is unknown, and may use"
            problem = f"{name_of(opcode)} {verb} %{min(used)}, which is off"
            raise error(module.starts[user], problem)

    def _may_use(self, number: int) -> set[int]:
        at = self._module.starts[number]
        if spelled(self._module.opcode(at)) is not None:
            return set(self._survey.index.uses(number))
        return set(self._module.words[at + 1 : self._module.end(at)])

    def _edited(self) -> Module:
        starts, marks = self._module.starts, self._removal.gone
        edit = Edit(self._module)
        for run in runs(marks, 1, range(len(marks))):
            end = starts[run.stop] if run.stop < len(starts) else len(self._module.words)
            edit.remove(starts[run.start], end)
        for number, (opcode, *operands) in self._rewritten.items():
            if not marks[number]:
                edit.replace(starts[number], opcode, *operands)
        return edit.done()
