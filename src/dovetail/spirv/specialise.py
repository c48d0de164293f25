"""Conditional SPIR-V for one device: without what is off, and without conditions."""

from collections.abc import Mapping

from dovetail.spirv.booleans import evaluated
from dovetail.spirv.decorations import decorations_of
from dovetail.spirv.edit import Edit
from dovetail.spirv.effects import is_effectless
from dovetail.spirv.grammar import name_of, spelled
from dovetail.spirv.module import Module, error, find_string
from dovetail.spirv.opcodes import (
    CAPABILITY,
    CONDITIONAL_CAPABILITY,
    CONDITIONAL_COPY_OBJECT,
    CONDITIONAL_ENTRY_POINT,
    CONDITIONAL_EXTENSION,
    CONSTANT_FALSE,
    CONSTANT_TRUE,
    DECORATE,
    DECORATE_ID,
    DECORATE_STRING,
    ENTRY_POINT,
    EXECUTION_MODE,
    EXECUTION_MODE_ID,
    EXTENSION,
    FUNCTION_CALL,
    GROUP_DECORATE,
    GROUP_MEMBER_DECORATE,
    MEMBER_DECORATE,
    MEMBER_DECORATE_STRING,
    MEMBER_NAME,
    NAME,
    SPEC_CONSTANT_ARCHITECTURE,
    SPEC_CONSTANT_CAPABILITIES,
    SPEC_CONSTANT_FALSE,
    SPEC_CONSTANT_TARGET,
    SPEC_CONSTANT_TRUE,
    TYPE_FORWARD_POINTER,
)
from dovetail.spirv.removal import Removal, runs
from dovetail.spirv.survey import survey

_CAPABILITIES = (6245, 6246)
"""`SpecConditionalINTEL` and `FunctionVariantsINTEL`."""
_EXTENSIONS = ("SPV_INTEL_function_variants", "SPV_INTEL_spec_conditional")
"""What conditions are an extension of, by its name and by the one that it had first."""

_MODES = (EXECUTION_MODE, EXECUTION_MODE_ID)
_ABOUT_ONE_ID = (
    NAME,
    MEMBER_NAME,
    DECORATE,
    DECORATE_ID,
    DECORATE_STRING,
    MEMBER_DECORATE,
    MEMBER_DECORATE_STRING,
    TYPE_FORWARD_POINTER,
    *_MODES,
)
"""Instructions that say something of the id in their first operand, and leave with it."""
_ABOUT_MANY_IDS = {GROUP_DECORATE: 1, GROUP_MEMBER_DECORATE: 2}
"""Instructions that say something of all ids behind the first, and how many words each has."""
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
        self._booleans = evaluated(
            self._survey,
            self._spec_ids(),
            values,
        )
        self._removal = Removal(self._survey)
        self._removal.exported |= self._decorations.exported
        self._off_in_functions: set[int] = set()
        self._no_entries: set[int] = set()
        self._edit = Edit(module)
        self._replaced: set[int] = set()

    def done(self) -> Module:
        self._set_constants()
        self._discard()
        self._choose(CONDITIONAL_CAPABILITY, CAPABILITY)
        self._choose(CONDITIONAL_EXTENSION, EXTENSION)
        self._drop_declarations()
        self._choose_entry_points()
        self._attach()
        self._removal.settle()
        gone = self._gone_ids()
        self._forget(gone)
        self._rewrite_constants(gone)
        self._rewrite_entry_points(gone)
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
            self._off_in_functions.add(target)
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
                self._replace(number, plain, *operands)
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

    def _choose_entry_points(self) -> None:
        """Have entry points leave that are off, or whose functions are."""
        words, removal = self._module.words, self._removal
        entries: set[int] = set()
        for number, at in self._survey.all_of(ENTRY_POINT):
            self._choose_entry_point(number, words[at + 2], entries)
        for number, at in self._survey.all_of(CONDITIONAL_ENTRY_POINT):
            removal.release((words[at + 1],))
            is_on = self._booleans.holds(words[at + 1])
            self._choose_entry_point(number, words[at + 3], entries, is_on=is_on)
        self._no_entries -= entries
        removal.needed |= entries

    def _choose_entry_point(
        self, number: int, function: int, entries: set[int], *, is_on: bool = True
    ) -> None:
        if is_on and not self._removal.is_gone(function):
            self._removal.ignore(number)
            entries.add(function)
        else:
            self._removal.remove(range(number, number + 1))
            self._no_entries.add(function)

    def _attach(self) -> None:
        """Have what names and decorations say of an id keep nothing, unless the id stays."""
        removal, words, ends = self._removal, self._module.words, self._survey.index.ends
        for number, at in self._survey.all_of(*_MODES):
            if words[at + 1] in self._no_entries:
                removal.remove(range(number, number + 1))
        for number, at in self._survey.all_of(*_ABOUT_ONE_ID):
            removal.ignore(number)
            if ends[number] - (ends[number - 1] if number else 0) > 1 and not removal.gone[number]:
                used = self._survey.index.uses(number)
                removal.attach(words[at + 1], used[1:])
        for number, _ in self._survey.all_of(*_ABOUT_MANY_IDS):
            removal.ignore(number)

    def _gone_ids(self) -> set[int]:
        gone, results = self._removal.gone, self._survey.index.results
        found: set[int] = set()
        for run in runs(gone, 1, range(len(gone))):
            found.update(results[run.start : run.stop])
        found.discard(0)
        return found

    def _forget(self, gone: set[int]) -> None:
        """Have names and decorations leave of what left."""
        words, end, marks = self._module.words, self._module.end, self._removal.gone
        for number, at in self._survey.all_of(*_ABOUT_ONE_ID):
            if words[at + 1] in gone:
                marks[number] = 1
        for opcode, size in _ABOUT_MANY_IDS.items():
            for number, at in self._survey.all_of(opcode):
                targets = words[at + 2 : end(at)]
                if words[at + 1] in gone:
                    marks[number] = 1
                if marks[number] or gone.isdisjoint(targets[::size]):
                    continue
                rest = [
                    word
                    for place in range(0, len(targets), size)
                    if targets[place] not in gone
                    for word in targets[place : place + size]
                ]
                if rest:
                    self._replace(number, opcode, words[at + 1], *rest)
                else:
                    marks[number] = 1

    def _rewrite_constants(self, gone: set[int]) -> None:
        """Make plain constants of those that are set, if anything still uses them."""
        for identifier in self._booleans.set_here - gone:
            number = self._survey.index.definitions[identifier]
            at = self._module.starts[number]
            _refuse_use(self._module, at, gone.intersection((self._module.words[at + 1],)))
            opcode = CONSTANT_TRUE if self._booleans.values[identifier] else CONSTANT_FALSE
            self._replace(number, opcode, self._module.words[at + 1], identifier)

    def _rewrite_entry_points(self, gone: set[int]) -> None:
        """Make plain entry points of conditional ones, and take variables that left from all."""
        words = self._module.words
        for opcode, first in ((ENTRY_POINT, 1), (CONDITIONAL_ENTRY_POINT, 2)):
            for number, at in self._survey.all_of(opcode):
                end = self._module.end(at)
                if self._removal.gone[number]:
                    continue
                _refuse_use(self._module, at, gone.intersection((words[at + first + 1],)))
                _, interface = find_string(words, at + first + 2, end)
                variables = words[interface:end]
                if opcode == CONDITIONAL_ENTRY_POINT or not gone.isdisjoint(variables):
                    kept = [each for each in variables if each not in gone]
                    self._replace(number, ENTRY_POINT, *words[at + first : interface], *kept)

    def _replace(self, number: int, opcode: int, *operands: int) -> None:
        self._replaced.add(number)
        self._edit.replace(self._module.starts[number], opcode, *operands)

    def _check(self, gone: set[int]) -> None:
        """Refuse what is not plain, and what uses anything that left."""
        module, marks = self._module, self._removal.gone
        for number, at in self._survey.all_of(*_FOR_DEVICES):
            if not marks[number]:
                raise error(at, f"{name_of(module.opcode(at))} is for a device's own compiler")
        missing = gone & self._removal.needed
        if not missing:
            return
        for number, at in enumerate(module.starts):
            if not marks[number] and number not in self._replaced:
                used = self._survey.index.uses(number)
                _refuse_use(module, at, missing.intersection(used))
        # What is defined in a function cannot be used elsewhere, so most numbers mean no id.
        missing &= self._survey.outside | self._off_in_functions
        for number in self._survey.unknown:
            at = module.starts[number]
            if not marks[number]:
                words = module.words[at + 1 : module.end(at)]
                _refuse_use(module, at, missing.intersection(words))

    def _edited(self) -> Module:
        starts, marks = self._module.starts, self._removal.gone
        for run in runs(marks, 1, range(len(marks))):
            end = starts[run.stop] if run.stop < len(starts) else len(self._module.words)
            self._edit.remove(starts[run.start], end)
        return self._edit.done()


def _refuse_use(module: Module, at: int, missing: set[int]) -> None:
    """An instruction that stays must use nothing that left."""
    if missing:
        opcode = module.opcode(at)
        uses = "uses" if spelled(opcode) is not None else "is unknown, and may use"
        raise error(at, f"{name_of(opcode)} {uses} %{min(missing)}, which is off")
