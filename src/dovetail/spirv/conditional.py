"""Conditional SPIR-V: modules in which functions, and all that only they need, have conditions."""

from collections import defaultdict
from collections.abc import Mapping

from dovetail.spirv.declared import declared_when
from dovetail.spirv.decorations import CONDITIONAL, LINKAGE_ATTRIBUTES, SPEC_ID, decorations_of
from dovetail.spirv.disjunctions import Disjunctions
from dovetail.spirv.edit import Edit
from dovetail.spirv.expressions import CONSTANT, FALSE, FIRST_SPEC_ID, TRUE, Expressions
from dovetail.spirv.module import Module
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
from dovetail.spirv.reach import Reach
from dovetail.spirv.survey import Survey, survey

_SPEC_CONDITIONAL = 6245
_FUNCTION_VARIANTS = "SPV_INTEL_function_variants"
_OF_LLVM = "spirv.llvm"


def conditional(
    module: Module,
    expressions: Expressions,
    functions: Mapping[str, int],
    calls: Mapping[str, int],
) -> Module:
    """Give conditions to functions by symbol, and to all calls of functions by symbol.

    Conditions are numbers of `expressions`. What only functions or calls with conditions need gets
    conditions as well: types, constants, variables, computations of arguments, capabilities and
    extensions. The module has to have all the functions, and no `SpecId` from `FIRST_SPEC_ID` on.
    """
    if not functions and not calls:
        return module
    return _Writer(module, expressions.copy()).written(functions, calls)


class _Writer:
    def __init__(self, module: Module, expressions: Expressions) -> None:
        self._module = module
        self._edit = Edit(module)
        self._survey = survey(module)
        self._expressions = expressions
        self._disjunctions = Disjunctions(expressions)
        self._symbols = _by_symbol(self._survey)
        self._ids: defaultdict[int, int] = defaultdict(self._edit.new_id)
        """By number of an expression, the id of its constant."""

    def written(self, functions: Mapping[str, int], calls: Mapping[str, int]) -> Module:
        decorations = decorations_of(self._survey)
        if any(given.operand >= FIRST_SPEC_ID for given in decorations.spec_ids):
            raise AssertionError("a module has numbers of conditions before it has conditions")
        words = self._module.words
        entry_points = {words[at + 2] for _, at in self._survey.all_of(ENTRY_POINT)}
        reach = Reach(
            self._survey,
            self._expressions,
            self._disjunctions,
            self._by_id(functions),
            self._by_id(calls),
            (entry_points | decorations.exported) - self._made_by_the_back_end(),
        )
        for function, condition in reach.functions.items():
            self._decorate(function, condition)
        results = self._survey.index.results
        for number, condition in sorted(reach.inside.items()):
            self._decorate(results[number], condition)
        for identifier, condition in reach.outside():
            self._decorate(identifier, condition)
        self._rewrite_entry_points(reach)
        self._rewrite_declarations(reach)
        self._write_constants()
        self._edit.add(CAPABILITY, _SPEC_CONDITIONAL)
        self._edit.add(EXTENSION, _FUNCTION_VARIANTS)
        return self._edit.done()

    def _by_id(self, conditions: Mapping[str, int]) -> dict[int, int]:
        missing = conditions.keys() - self._symbols.keys()
        if missing:
            raise AssertionError(f"a module has no function '{min(missing)}'")
        return {
            function: condition
            for symbol, condition in conditions.items()
            for function in self._symbols[symbol]
        }

    def _made_by_the_back_end(self) -> set[int]:
        """Functions for what LLVM has instructions for; it exports them, though for nobody."""
        of_llvm = (symbol for symbol in self._symbols if symbol.startswith(_OF_LLVM))
        return {function for symbol in of_llvm for function in self._symbols[symbol]}

    def _decorate(self, identifier: int, condition: int) -> None:
        if condition != TRUE:
            self._edit.add(DECORATE, identifier, CONDITIONAL, self._ids[condition])

    def _rewrite_entry_points(self, reach: Reach) -> None:
        """Without the function, one that is not conditional would be an entry to nothing."""
        words = self._module.words
        for _, at in self._survey.all_of(ENTRY_POINT):
            condition = reach.functions[words[at + 2]]
            if condition != TRUE:
                operands = words[at + 1 : self._module.end(at)]
                self._edit.replace(at, CONDITIONAL_ENTRY_POINT, self._ids[condition], *operands)

    def _rewrite_declarations(self, reach: Reach) -> None:
        declared = declared_when(self._survey, reach.by_number, self._disjunctions)
        capabilities = dict(declared.capabilities)
        for _, at in self._survey.all_of(CAPABILITY):
            number = self._module.operand(at, 1)
            condition = capabilities.pop(number)
            if condition != TRUE:
                self._edit.replace(at, CONDITIONAL_CAPABILITY, self._ids[condition], number)
        for number, condition in sorted(capabilities.items()):
            if condition == TRUE:
                self._edit.add(CAPABILITY, number)
            else:
                self._edit.add(CONDITIONAL_CAPABILITY, self._ids[condition], number)
        for _, at in self._survey.all_of(EXTENSION):
            name = self._module.string(at, 1)
            condition = declared.extensions[name]
            if condition != TRUE:
                self._edit.replace(at, CONDITIONAL_EXTENSION, self._ids[condition], name)

    def _write_constants(self) -> None:
        """Add the expressions that are used, with what they are made of, each once."""
        nodes, ids = self._expressions.nodes, self._ids
        for number in range(len(nodes) - 1, -1, -1):
            if number in ids and nodes[number].operation != CONSTANT:
                for operand in nodes[number].operands:
                    # Asking for an id is enough to get it.
                    _ = ids[operand]
        boolean = self._boolean()
        if FALSE in ids:
            self._edit.add(CONSTANT_FALSE, boolean, ids.pop(FALSE))
        for number in sorted(ids):
            operation, operands = nodes[number]
            if operation == CONSTANT:
                self._edit.add(DECORATE, ids[number], SPEC_ID, *operands)
                self._edit.add(SPEC_CONSTANT_FALSE, boolean, ids[number])
            else:
                made_of = (ids[each] for each in operands)
                self._edit.add(SPEC_CONSTANT_OP, boolean, ids[number], operation, *made_of)

    def _boolean(self) -> int:
        """The type of constants; there can be but one."""
        for _, at in self._survey.all_of(TYPE_BOOL):
            return self._module.operand(at, 1)
        boolean = self._edit.new_id()
        self._edit.add(TYPE_BOOL, boolean)
        return boolean


def _by_symbol(survey: Survey) -> dict[str, set[int]]:
    """Functions by the names of entry points, of linkage, and those given for people to read."""
    module, words = survey.module, survey.module.words
    named: list[tuple[int, int, int]] = [(at, 2, 3) for _, at in survey.all_of(ENTRY_POINT)]
    named += [(at, 1, 2) for _, at in survey.all_of(NAME)]
    named += [
        (at, 1, 3) for _, at in survey.all_of(DECORATE) if words[at + 2] == LINKAGE_ATTRIBUTES
    ]
    found: defaultdict[str, set[int]] = defaultdict(set)
    for at, function, name in named:
        if words[at + function] in survey.functions:
            found[module.string(at, name)].add(words[at + function])
    return found
