"""Random kernels from a seed.

Csmith and YARPGen generate C and C++ programs of this kind, but without half, SYCL vectors, local
memory, barriers, atomic operations and kernels, and too large for hundreds in one source. The
kernels here are small, and the host compiles the reference from the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from differential.expressions import Expressions, Scope, element_at
from differential.model import (
    INPUT_LENGTH,
    Argument,
    Array,
    Assignment,
    Body,
    Declaration,
    Expression,
    Field,
    Function,
    Kernel,
    Parameter,
    Pattern,
    Phase,
    Pointer,
    Scalar,
    Statement,
    Struct,
    Type,
    UniformLoop,
    Variable,
    has_pointer,
)
from differential.scalars import (
    BOOL,
    I8,
    INTEGERS,
    SCALARS,
    U32,
    U64,
    convert,
    random_literal,
)
from differential.statements import POINTER_STRUCT_NUMBERS, Names, Statements

SUM = Variable("sum", U64)
"""The variable that accumulates every value computed in kernels and functions; their result."""

_GROUP_SIZES = (1, 2, 3, 4, 5, 7, 8, 8, 8, 12, 16, 16, 16, 24, 32, 64)


def random_kernel(seed: int, number: int, without: frozenset[str] = frozenset()) -> Kernel:
    """Return the kernel of a seed and number; deterministic."""
    return _Generation(Random(f"{seed} {number}"), number, without).kernel()


def random_kernels(
    seed: int, numbers: Sequence[int], without: frozenset[str] = frozenset()
) -> list[Kernel]:
    """Return the kernels with these numbers."""
    return [random_kernel(seed, number, without) for number in numbers]


@dataclass
class _Generation:
    """The state of generating one kernel."""

    random: Random
    number: int
    without: frozenset[str]

    def __post_init__(self) -> None:
        self.expressions = Expressions(self.random, self.without)
        self.names = Names()
        self.input = self._element_type()
        self.structs: tuple[Struct, ...] = ()
        self.functions: tuple[Function, ...] = ()
        self.called = False

    def kernel(self) -> Kernel:
        if self.random.random() < 0.4 and self.expressions.allows("struct"):
            self.structs = self._structs()
        if self.random.random() < 0.4 and self.expressions.allows("call"):
            for _ in range(self.random.choice((1, 1, 2))):
                self.functions += (self._function(),)
        output, outputs = self._element_type(), self.random.randint(1, 3)
        arguments = self._arguments()
        groups, group_size = self.random.randint(1, 3), self.random.choice(_GROUP_SIZES)
        is_range = self.random.random() < 0.15
        local: Scalar | None = None
        ids = tuple(Variable(name, U32, mutable=False) for name in ("group", "lid", "gid"))
        input_ = Variable("in", Array(self.input, INPUT_LENGTH), mutable=False)
        scope = Scope((input_, *ids, SUM, *(each.variable for each in arguments)), self.functions)
        private = (Declaration(SUM),)
        if self.random.random() < 0.25 and self.expressions.allows("barrier"):
            local, is_range = self._element_type(), False
            private += self._private()
            scope = scope.declaring(*(each.variable for each in private[1:]))
            phases = self._phases(scope, local, group_size)
        else:
            phases = (Phase(self._statements(scope, self.random.choice((1, 2, 2, 3, 4)))),)
            groups = 1 if is_range else groups
        last = phases[-1]
        assert isinstance(last, Phase)
        last = Phase(last.body + self._results(scope, output, outputs))
        return Kernel(
            number=self.number,
            input_seed=self.random.getrandbits(32),
            input=self.input,
            output=output,
            outputs=outputs,
            groups=groups,
            group_size=group_size,
            phases=(*phases[:-1], last),
            structs=self.structs,
            functions=self.functions,
            arguments=arguments,
            private=private,
            local=Array(local, group_size) if local else None,
            is_range=is_range,
            constructs=frozenset(self.expressions.constructs | ({"range"} if is_range else set())),
        )

    def _element_type(self) -> Scalar:
        """Return a type for memory: any scalar except bool."""
        types = [each for each in SCALARS if each != BOOL and each.name not in self.without]
        chosen = self.random.choice(types)
        self.expressions.constructs.add(chosen.name)
        return chosen

    def _arguments(self) -> tuple[Argument, ...]:
        made: list[Argument] = []
        for _ in range(self.random.choice((0, 0, 1, 2))):
            type_ = self._element_type()
            variable = Variable(self.names.new("arg"), type_, mutable=False)
            made.append(Argument(variable, random_literal(self.random, type_)))
        return tuple(made)

    def _private(self) -> tuple[Declaration, ...]:
        """Return variables whose values are used across barriers."""
        types = [self._element_type() for _ in range(self.random.randint(1, 2))]
        return tuple(Declaration(Variable(self.names.new("y"), type_)) for type_ in types)

    def _structs(self) -> tuple[Struct, ...]:
        made: tuple[Struct, ...] = ()
        for index in range(self.random.randint(1, 2)):
            name = f"S{index}"
            made += (self._struct(name, made),)
        return made

    def _struct(self, name: str, others: tuple[Struct, ...]) -> Struct:
        kind = self.random.random()
        if kind < 0.15 and self.expressions.allows("small-struct"):
            return Struct(name, (Field("f", Array(I8, 4)), Field("g", I8)))
        if kind < 0.4 and self.expressions.allows("struct-with-pointer"):
            pointer = Field("p", Pointer(self.input))
            return Struct(name, (pointer, Field("o", POINTER_STRUCT_NUMBERS)))
        count = self.random.randint(1, 5)
        fields = tuple(Field(self.names.new("m"), self._field(others)) for _ in range(count))
        return Struct(name, fields)

    def _field(self, others: tuple[Struct, ...]) -> Type:
        plain = [each for each in others if not has_pointer(each)]
        kind = self.random.random()
        if plain and kind < 0.2:
            self.expressions.constructs.add("nested-struct")
            return self.random.choice(plain)
        if kind < 0.45:
            self.expressions.constructs.add("array-in-struct")
            return Array(self._element_type(), self.random.choice((2, 3, 4, 5, 8)))
        if kind < 0.55 and self.expressions.allows("vector"):
            return self._maker().random_vector()
        return self._element_type()

    def _maker(self, *, counters: bool = False) -> Statements:
        return Statements(self.random, self.expressions, self.names, self.structs, counters)

    def _statements(self, scope: Scope, count: int) -> Body:
        """Return statements of a kernel; the sum depends on all variables that they declare."""
        maker = self._maker(counters=True)
        called: Body = ()
        after = scope
        if self.functions and not self.called:
            # Functions that are not called would not be compiled.
            self.called = True
            called, after = maker.calls(scope)
        body, after = maker.body(after, count)
        body = called + body
        declared = after.variables[len(scope.variables) :]
        return body + _sums(declared)

    def _phases(
        self, scope: Scope, local: Scalar, group_size: int
    ) -> tuple[Phase | UniformLoop, ...]:
        """Return alternating phases: work-items write their element, then read all elements."""
        phases: list[Phase | UniformLoop] = []
        for _ in range(self.random.randint(1, 2)):
            pair = self._exchange(scope, local, group_size)
            if self.random.random() < 0.4 and self.expressions.allows("barrier-in-loop"):
                counter = Variable(self.names.new("r"), U32, mutable=False)
                pair = self._exchange(scope.declaring(counter), local, group_size)
                phases.append(UniformLoop(counter, self.random.randint(1, 4), pair))
            else:
                phases += pair
        phases.append(Phase(self._statements(scope, 1)))
        return tuple(phases)

    def _exchange(self, scope: Scope, local: Scalar, group_size: int) -> tuple[Phase, Phase]:
        memory = Variable("local", Array(local, group_size), mutable=False)
        own = element_at(memory, "lid", local)
        store = Assignment(own, self.expressions.scalar(scope, local))
        write = Phase((*self._statements(scope, self.random.randint(0, 1)), store))
        read = Phase(self._statements(scope.declaring(memory), self.random.randint(1, 2)))
        return write, read

    def _results(self, scope: Scope, output: Scalar, count: int) -> Body:
        made: list[Statement] = []
        for index in range(count):
            value: Expression = SUM
            if index:
                value = self.expressions.leaf(scope, self._element_type())
            form = f"out[gid * {count} + {index}] = canonical<{output.name}>({{0}});"
            made.append(Pattern(form, (convert(value, output),)))
        return tuple(made)

    def _function(self) -> Function:
        """Return a function, which can call earlier ones."""
        parameters = self._parameters()
        variables = tuple(each.variable for each in parameters)
        scope = Scope((SUM, *variables), self.functions)
        # The parameters ensure that expressions in the function have scalars in scope.
        body, after = self._maker().body(scope, self.random.randint(1, 2))
        declared = after.variables[len(scope.variables) :]
        sums = _sums((*variables, *declared))
        result = self._result(after)
        inlined = self.random.random() < 0.35
        self.expressions.constructs.add("inline" if inlined else "noinline")
        name = f"f{len(self.functions)}"
        return Function(name, parameters, (Declaration(SUM), *body, *sums), result, inlined)

    def _result(self, scope: Scope) -> Expression:
        structs = [each for each in scope.variables if isinstance(each.type, Struct)]
        if structs and self.random.random() < 0.3 and self.expressions.allows("struct-result"):
            return self.random.choice(structs)
        return convert(SUM, self.random.choice(INTEGERS))

    def _parameters(self) -> tuple[Parameter, ...]:
        made = [Parameter(Variable(self.names.new("n"), U32))]
        for _ in range(self.random.randint(1, 2)):
            made.append(self._parameter())
        pointer = Variable(self.names.new("q"), Pointer(self.input), mutable=False)
        if any(map(has_pointer, self.structs)) or self.random.random() < 0.25:
            self.expressions.constructs.add("pointer-parameter")
            made.insert(0, Parameter(pointer))
        return tuple(made)

    def _parameter(self) -> Parameter:
        kind = self.random.random()
        if self.structs and kind < 0.6:
            type_ = self.random.choice(self.structs)
            passing = self.random.choice(("value", "value", "reference", "pointer"))
            if not self.expressions.allows(f"struct-by-{passing}"):
                passing = "reference"
            mutable = passing == "value" or self.random.random() < 0.4
            name = self.names.new("s")
            return Parameter(
                Variable(f"(*{name})" if passing == "pointer" else name, type_, mutable), passing
            )
        if kind < 0.7 and self.expressions.allows("vector"):
            self.expressions.constructs.add("vector-parameter")
            return Parameter(Variable(self.names.new("v"), self._maker().random_vector()))
        types = [each for each in SCALARS if each.name not in self.without]
        return Parameter(Variable(self.names.new("x"), self.random.choice(types)))


def _sums(variables: Sequence[Variable]) -> Body:
    return tuple(each for variable in variables for each in sum_statements(variable))


def sum_statements(variable: Variable) -> Body:
    """Return statements that add every part of a variable to the sum."""
    return tuple(
        Pattern(head.format(f"{{0}} = {{0}} * 31 + word({place});"), (variable,), (SUM,))
        for head, place in _places("{1}", variable.type)
    )


def _places(place: str, type_: Type) -> list[tuple[str, str]]:
    """Return a loop head and the scalar inside it, for each part of an object."""
    if isinstance(type_, Scalar):
        return [("{}", place)]
    if isinstance(type_, Struct):
        return [
            each for field in type_.fields for each in _places(f"{place}.{field.name}", field.type)
        ]
    length = 4 if isinstance(type_, Pointer) else type_.length
    return [(f"for (u32 k = 0; k < {length}; ++k) {{}}", f"{place}[k]")]
