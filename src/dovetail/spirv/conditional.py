"""Conditional SPIR-V: functions, and everything that only they need, have conditions."""

from collections import defaultdict
from collections.abc import Mapping

from dovetail.spirv.condition_propagation import ConditionPropagation
from dovetail.spirv.declaration_conditions import declaration_conditions
from dovetail.spirv.decorations import CONDITIONAL, LINKAGE_ATTRIBUTES, SPEC_ID, decorations_of
from dovetail.spirv.disjunctions import Disjunctions
from dovetail.spirv.edit import Edit
from dovetail.spirv.expressions import CONSTANT, FALSE, FIRST_SPEC_ID, TRUE, Expressions
from dovetail.spirv.module import SpirvModule
from dovetail.spirv.opcodes import (
    CAPABILITY,
    CONDITIONAL_CAPABILITY,
    CONDITIONAL_ENTRY_POINT,
    CONDITIONAL_EXTENSION,
    CONSTANT_FALSE,
    DECORATE,
    ENTRY_POINT,
    EXTENSION,
    NAME,
    SPEC_CONSTANT_FALSE,
    SPEC_CONSTANT_OP,
    TYPE_BOOL,
)
from dovetail.spirv.structure import ModuleStructure, module_structure

_SPEC_CONDITIONAL = 6245
_FUNCTION_VARIANTS = "SPV_INTEL_function_variants"
_BACK_END_PREFIX = "spirv.llvm"


def conditional(
    module: SpirvModule,
    expressions: Expressions,
    functions: Mapping[str, int],
    calls: Mapping[str, int],
) -> SpirvModule:
    """Return the module with conditions on functions, and on all calls of functions, by symbol.

    Conditions are numbers of `expressions`. Everything that only conditional functions or calls
    need becomes conditional too: types, constants, variables, computations of arguments,
    capabilities and extensions. The module must define all the functions, and no `SpecId` from
    `FIRST_SPEC_ID` on.
    """
    if not functions and not calls:
        return module
    return _ConditionWriter(module, expressions.copy()).result(functions, calls)


class _ConditionWriter:
    def __init__(self, module: SpirvModule, expressions: Expressions) -> None:
        self._module = module
        self._edit = Edit(module)
        self._structure = module_structure(module)
        self._expressions = expressions
        self._disjunctions = Disjunctions(expressions)
        self._symbols = _by_symbol(self._structure)
        self._ids: defaultdict[int, int] = defaultdict(self._edit.new_id)
        """The id of the constant of each expression, by number."""

    def result(self, functions: Mapping[str, int], calls: Mapping[str, int]) -> SpirvModule:
        decorations = decorations_of(self._structure)
        if any(each.operand >= FIRST_SPEC_ID for each in decorations.spec_ids):
            raise AssertionError("the module uses SpecIds that are reserved for conditions")
        words = self._module.words
        entry_points = {words[offset + 2] for _, offset in self._structure.with_opcode(ENTRY_POINT)}
        reach = ConditionPropagation(
            self._structure,
            self._expressions,
            self._disjunctions,
            self._by_id(functions),
            self._by_id(calls),
            (entry_points | decorations.exported) - self._back_end_functions(),
        )
        for function, condition in reach.functions.items():
            self._decorate(function, condition)
        results = self._structure.index.results
        for number, condition in sorted(reach.inside.items()):
            self._decorate(results[number], condition)
        for identifier, condition in reach.outside():
            self._decorate(identifier, condition)
        self._rewrite_entry_points(reach)
        self._rewrite_declarations(reach)
        self._write_constants()
        self._edit.add(CAPABILITY, _SPEC_CONDITIONAL)
        self._edit.add(EXTENSION, _FUNCTION_VARIANTS)
        return self._edit.apply()

    def _by_id(self, conditions: Mapping[str, int]) -> dict[int, int]:
        """Return conditions by the ids of functions instead of their symbols."""
        missing = conditions.keys() - self._symbols.keys()
        if missing:
            raise AssertionError(f"the module has no function '{min(missing)}'")
        return {
            function: condition
            for symbol, condition in conditions.items()
            for function in self._symbols[symbol]
        }

    def _back_end_functions(self) -> set[int]:
        """Return the functions that LLVM's back-end adds for intrinsics, and needlessly exports."""
        symbols = (symbol for symbol in self._symbols if symbol.startswith(_BACK_END_PREFIX))
        return {function for symbol in symbols for function in self._symbols[symbol]}

    def _decorate(self, identifier: int, condition: int) -> None:
        """Decorate an id with its condition, unless that always holds."""
        if condition != TRUE:
            self._edit.add(DECORATE, identifier, CONDITIONAL, self._ids[condition])

    def _rewrite_entry_points(self, reach: ConditionPropagation) -> None:
        """Make entry points of conditional functions conditional."""
        words = self._module.words
        for _, offset in self._structure.with_opcode(ENTRY_POINT):
            condition = reach.functions[words[offset + 2]]
            if condition != TRUE:
                operands = words[offset + 1 : self._module.end(offset)]
                self._edit.replace(offset, CONDITIONAL_ENTRY_POINT, self._ids[condition], *operands)

    def _rewrite_declarations(self, reach: ConditionPropagation) -> None:
        """Make declarations conditional, and declare capabilities that only those imply."""
        declared = declaration_conditions(self._structure, reach.by_number, self._disjunctions)
        capabilities = dict(declared.capabilities)
        for _, offset in self._structure.with_opcode(CAPABILITY):
            number = self._module.operand(offset, 1)
            condition = capabilities.pop(number)
            if condition != TRUE:
                self._edit.replace(offset, CONDITIONAL_CAPABILITY, self._ids[condition], number)
        for number, condition in sorted(capabilities.items()):
            if condition == TRUE:
                self._edit.add(CAPABILITY, number)
            else:
                self._edit.add(CONDITIONAL_CAPABILITY, self._ids[condition], number)
        for _, offset in self._structure.with_opcode(EXTENSION):
            name = self._module.string(offset, 1)
            condition = declared.extensions[name]
            if condition != TRUE:
                self._edit.replace(offset, CONDITIONAL_EXTENSION, self._ids[condition], name)

    def _write_constants(self) -> None:
        """Add the expressions that are used, with their operands, each once."""
        nodes, ids = self._expressions.nodes, self._ids
        for number in range(len(nodes) - 1, -1, -1):
            if number in ids and nodes[number].operation != CONSTANT:
                for operand in nodes[number].operands:
                    _ = ids[operand]  # `defaultdict` assigns an id
        boolean = self._boolean()
        if FALSE in ids:
            self._edit.add(CONSTANT_FALSE, boolean, ids.pop(FALSE))
        for number in sorted(ids):
            operation, operands = nodes[number]
            if operation == CONSTANT:
                self._edit.add(DECORATE, ids[number], SPEC_ID, *operands)
                self._edit.add(SPEC_CONSTANT_FALSE, boolean, ids[number])
            else:
                operand_ids = (ids[each] for each in operands)
                self._edit.add(SPEC_CONSTANT_OP, boolean, ids[number], operation, *operand_ids)

    def _boolean(self) -> int:
        """Return the id of the only boolean type; add it if the module has none."""
        for _, offset in self._structure.with_opcode(TYPE_BOOL):
            return self._module.operand(offset, 1)
        boolean = self._edit.new_id()
        self._edit.add(TYPE_BOOL, boolean)
        return boolean


def _by_symbol(structure: ModuleStructure) -> dict[str, set[int]]:
    """Return functions by the names in `OpEntryPoint`, linkage decorations and `OpName`."""
    module, words = structure.module, structure.module.words
    named: list[tuple[int, int, int]] = [
        (offset, 2, 3) for _, offset in structure.with_opcode(ENTRY_POINT)
    ]
    named += [(offset, 1, 2) for _, offset in structure.with_opcode(NAME)]
    named += [
        (offset, 1, 3)
        for _, offset in structure.with_opcode(DECORATE)
        if words[offset + 2] == LINKAGE_ATTRIBUTES
    ]
    found: defaultdict[str, set[int]] = defaultdict(set)
    for offset, function, name in named:
        if words[offset + function] in structure.functions:
            found[module.string(offset, name)].add(words[offset + function])
    return found
