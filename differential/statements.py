"""Random statements: assignments, control flow, and patterns that compilers have miscompiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from differential.expressions import Expressions, Scope, changes_arguments, element_at
from differential.model import (
    COUNTERS,
    Array,
    Assignment,
    Body,
    Declaration,
    Expression,
    If,
    Jump,
    Loop,
    Operation,
    Pattern,
    Pointer,
    Scalar,
    Statement,
    Struct,
    Switch,
    Type,
    Variable,
    Vector,
    has_pointer,
)
from differential.scalars import (
    BOOL,
    FLOAT,
    FLOATING,
    I8,
    I32,
    I64,
    INTEGERS,
    SCALARS,
    U8,
    U32,
    UNSIGNED,
    arithmetic_type,
    convert,
    literal,
)

MAX_DEPTH = 2
MAX_LOOPS = 2
"""The maximum nesting of loops in a function; each has at most `MAX_COUNT` iterations."""
MAX_COUNT = 8

_ATOMIC_OPERATIONS = ("add", "bit_or", "bit_and", "bit_xor", "min", "max")


@dataclass
class Names:
    """Generates names that are unique in a kernel."""

    count: int = 0

    def new(self, prefix: str) -> str:
        """Return a new name."""
        self.count += 1
        return f"{prefix}{self.count}"


@dataclass
class Statements:
    """Generates statements, each with the scope after it."""

    random: Random
    expressions: Expressions
    names: Names
    structs: tuple[Struct, ...] = ()
    counters: bool = False
    """Whether counters for atomic operations are in scope."""

    def body(self, scope: Scope, count: int) -> tuple[Body, Scope]:
        """Return at least `count` statements."""
        made: list[Statement] = []
        while len(made) < count:
            statements, scope = self._statement(scope)
            made += statements
        return tuple(made), scope

    def _statement(self, scope: Scope) -> tuple[list[Statement], Scope]:
        kinds: list[tuple[str, float, Callable[[Scope], tuple[list[Statement], Scope]]]] = [
            ("assignment", 5, self._assignment),
            ("declaration", 3, self._declaration),
            ("array", 1.5, self._array),
            ("vector", 1, self._vector),
            ("struct", 1.5 if self.structs else 0, self._struct),
            ("byte-copy", 0.5, self._byte_copy),
            ("byte-comparison", 0.4, self._byte_comparison),
            ("byte-read", 0.5, self._byte_read),
            ("pointer-select", 0.5, self._pointer_select),
            ("strided-load", 0.6, self._strided_load),
            ("division-under-guard", 0.6, self._division_under_guard),
            ("changing-call", 1 if scope.functions else 0, self._changing_call),
            ("atomic", 0.7 if self.counters else 0, self._atomic),
            ("jump", 1.5 if scope.loops else 0, self._jump),
        ]
        if scope.depth < MAX_DEPTH:
            kinds += [("if", 2, self._if), ("switch", 0.8, self._switch)]
            if scope.loops < MAX_LOOPS:
                kinds.append(("loop", 2, self._loop))
        name, _, make = self.random.choices(kinds, [weight for _, weight, _ in kinds])[0]
        if not self.expressions.allows(name):
            return self._assignment(scope)
        return make(scope)

    def _scalar_type(self) -> Scalar:
        return self.random.choice(
            [each for each in SCALARS if each.name not in self.expressions.without]
        )

    def _declaration(self, scope: Scope) -> tuple[list[Statement], Scope]:
        type_ = self._scalar_type()
        self.expressions.constructs.add(type_.name)
        variable = Variable(self.names.new("x"), type_)
        value = self.expressions.scalar(scope, type_)
        return [Declaration(variable, value)], scope.declaring(variable)

    def _assignment(self, scope: Scope) -> tuple[list[Statement], Scope]:
        target = self._target(scope)
        assert isinstance(target.type, Scalar)
        value = self.expressions.scalar(scope, target.type)
        # `x op= y` of unsigned types of 32 bits or more is not promoted to `int`.
        if target.type in UNSIGNED[2:] and self.random.random() < 0.3:
            return [Assignment(target, value, self.random.choice("+-*^|&") + "=")], scope
        return [Assignment(target, value)], scope

    def _target(self, scope: Scope) -> Expression:
        """Return a scalar that can be assigned."""
        mutable = [
            each for each in scope.variables if each.mutable and not isinstance(each.type, Pointer)
        ]
        while True:
            place = self.expressions.place(scope, mutable)
            if not _through_pointer(place):
                return place

    def _array(self, scope: Scope) -> tuple[list[Statement], Scope]:
        """Return an array that a loop fills."""
        type_ = Array(self._scalar_type(), self.random.choice((2, 3, 4, 4, 5, 8, 8, 16)))
        variable = Variable(self.names.new("a"), type_)
        counter = Variable(self.names.new("k"), U32, mutable=False)
        inner = self._loop_scope(scope, counter)
        element = element_at(variable, counter.name, type_.element)
        fill: list[Statement] = [Assignment(element, self.expressions.scalar(inner, type_.element))]
        if self.random.random() < 0.3:
            fill = [If(self.expressions.scalar(inner, BOOL, 1), tuple(fill))]
        loop = Loop(counter, type_.length, tuple(fill))
        return [Declaration(variable), loop], scope.declaring(variable)

    def _vector(self, scope: Scope) -> tuple[list[Statement], Scope]:
        known = [each for each in scope.variables if each.mutable and isinstance(each.type, Vector)]
        if known and self.random.random() < 0.5:
            target = self.random.choice(known)
            assert isinstance(target.type, Vector)
            return [Assignment(target, self.expressions.vector(scope, target.type))], scope
        type_ = self.random_vector()
        variable = Variable(self.names.new("v"), type_)
        value = self.expressions.vector(scope, type_)
        return [Declaration(variable, value)], scope.declaring(variable)

    def random_vector(self) -> Vector:
        """Return a vector type, not of signed elements, which could overflow."""
        self.expressions.constructs.add("vector")
        element = self.random.choice((*UNSIGNED, FLOAT))
        return Vector(element, self.random.choice((2, 3, 4, 8)))

    def _struct(self, scope: Scope) -> tuple[list[Statement], Scope]:
        return self._struct_of(scope, self.random.choice(self.structs))

    def _struct_of(self, scope: Scope, type_: Struct) -> tuple[list[Statement], Scope]:
        variable = Variable(self.names.new("s"), type_)
        initial = self.struct_value(scope, type_)
        made: list[Statement] = [Declaration(variable, initial)]
        scope = scope.declaring(variable)
        if initial is None:
            made += self._fill(scope, variable)
        return made, scope

    def struct_value(self, scope: Scope, type_: Struct) -> Expression | None:
        """Return a value for a structure; None for zero initialization."""
        known: list[Expression] = [each for each in scope.variables if each.type == type_]
        for function in scope.functions:
            if function.result.type == type_ and not changes_arguments(function):
                called = self.expressions.call_of(scope, function)
                if called is not None:
                    self.expressions.constructs.add("struct-result")
                    known.append(called)
        if known and self.random.random() < 0.6:
            return self.random.choice(known)
        return self._pointer_struct(scope, type_) if has_pointer(type_) else None

    def calls(self, scope: Scope) -> tuple[Body, Scope]:
        """Return a call of each function, with variables for its structure parameters."""
        made: list[Statement] = []
        for function in scope.functions:
            for parameter in function.parameters:
                type_ = parameter.variable.type
                known = {each.type for each in scope.variables if each.mutable}
                if isinstance(type_, Struct) and type_ not in known:
                    statements, scope = self._struct_of(scope, type_)
                    made += statements
            called = self.expressions.call_of(scope, function)
            if called is not None:
                variable = Variable(self.names.new("x"), called.type)
                made.append(Declaration(variable, called))
                scope = scope.declaring(variable)
        return tuple(made), scope

    def _pointer_struct(self, scope: Scope, type_: Struct) -> Expression:
        """Return a structure of a valid pointer and an array."""
        pointer, numbers = (field.type for field in type_.fields)
        assert isinstance(pointer, Pointer)
        assert isinstance(numbers, Array)
        pointed = self.random.choice(
            [each for each in scope.variables if _points_to(each.type, pointer)]
        )
        self.expressions.constructs.add("struct-with-pointer")
        values = [self.expressions.leaf(scope, numbers.element) for _ in range(numbers.length)]
        listed = ", ".join(f"{{{number + 1}}}" for number in range(numbers.length))
        form = f"{type_.name}{{{{{{0}}, {{{{{listed}}}}}}}}}"
        return Operation(form, (pointed, *values), type_)

    def _fill(self, scope: Scope, variable: Variable) -> list[Statement]:
        """Return assignments to parts of a structure."""
        made: list[Statement] = []
        for _ in range(self.random.randint(1, 4)):
            place = self.expressions.place(scope, [variable])
            assert isinstance(place.type, Scalar)
            made.append(Assignment(place, self.expressions.scalar(scope, place.type, 1)))
        return made

    def _if(self, scope: Scope) -> tuple[list[Statement], Scope]:
        then, _ = self.body(scope.inside(), self.random.randint(1, 2))
        otherwise: Body = ()
        if self.random.random() < 0.4:
            otherwise, _ = self.body(scope.inside(), 1)
        return [If(self.expressions.scalar(scope, BOOL), then, otherwise)], scope

    def _switch(self, scope: Scope) -> tuple[list[Statement], Scope]:
        # No jumps: in a switch, `break` would leave the switch, not the loop.
        inner = Scope(scope.variables, scope.functions, 0, scope.depth + 1)
        count = self.random.randint(2, 4)
        cases = tuple(self.body(inner, 1)[0] for _ in range(count))
        selector = Operation(
            f"({{0}} % {count + 1})", (self.expressions.scalar(scope, U32, 1),), U32
        )
        default, _ = self.body(inner, 1)
        falls = self.random.random() < 0.25
        return [Switch(selector, cases, default, falls)], scope

    def _loop(self, scope: Scope) -> tuple[list[Statement], Scope]:
        counter = Variable(self.names.new("k"), self.random.choice((U32, U32, I32)), mutable=False)
        style = self.random.choice(("for", "for", "while", "do"))
        self.expressions.constructs.add(style)
        condition = self.expressions.scalar(scope, BOOL, 1) if self.random.random() < 0.2 else None
        inner = self._loop_scope(scope, counter)
        body, _ = self.body(inner, self.random.randint(1, 3))
        count = self.random.randint(1, MAX_COUNT)
        step = self.random.choice((1, 1, 1, 2, 3))
        return [Loop(counter, count, body, step, style, condition)], scope

    def _loop_scope(self, scope: Scope, counter: Variable) -> Scope:
        """Return the scope of a loop's body; loops in functions call nothing, to bound the time."""
        inner = scope.declaring(counter).inside(loop=True)
        return inner if self.counters else replace(inner, functions=())

    def _jump(self, scope: Scope) -> tuple[list[Statement], Scope]:
        keyword = self.random.choice(("break", "continue"))
        self.expressions.constructs.add(keyword)
        return [Jump(keyword, self.expressions.scalar(scope, BOOL, 1))], scope

    def _atomic(self, scope: Scope) -> tuple[list[Statement], Scope]:
        index = self.random.randrange(COUNTERS)
        operation = _ATOMIC_OPERATIONS[index % len(_ATOMIC_OPERATIONS)]
        value = self.expressions.scalar(scope, U32, 1)
        return [Pattern(f"counters.{operation}({index}, {{0}});", (value,))], scope

    def _changing_call(self, scope: Scope) -> tuple[list[Statement], Scope]:
        """Return a call that modifies a variable of the caller, as the whole expression."""
        usable = [
            each
            for each in scope.functions
            if changes_arguments(each) and isinstance(each.result.type, Scalar)
        ]
        if usable:
            called = self.expressions.call_of(scope, self.random.choice(usable), 0)
            if called is not None:
                assert isinstance(called.type, Scalar)
                variable = Variable(self.names.new("x"), called.type)
                return [Declaration(variable, called)], scope.declaring(variable)
        return self._assignment(scope)

    def _byte_copy(self, scope: Scope) -> tuple[list[Statement], Scope]:
        """Return a loop or builtin that copies or sets any number of bytes."""
        arrays = [each for each in scope.variables if each.mutable and isinstance(each.type, Array)]
        if not arrays:
            return self._array(scope)
        target, source = self.random.choice(arrays), self.random.choice(arrays)
        # Only integers: other types have invalid representations.
        if any(_element(each.type) not in INTEGERS for each in (target, source)):
            return self._array(scope)
        size = self.random.randint(1, min(_size(target.type), _size(source.type)))
        k = self.names.new("k")
        loop = f"for (u32 {k} = 0; {k} < {size}; ++{k})\n"
        forms = [f"__builtin_memset({{0}}, {self.random.randrange(256)}, {size});"]
        forms.append(f"{loop}  ((u8 *){{0}})[{k}] = {self.random.choice(('0', k, '255'))};")
        if target != source:
            forms.append(f"__builtin_memcpy({{0}}, {{1}}, {size});")
            forms.append(f"{loop}  ((u8 *){{0}})[{k}] = ((const u8 *){{1}})[{k}];")
        return [Pattern(self.random.choice(forms), (source,), (target,))], scope

    def _byte_comparison(self, scope: Scope) -> tuple[list[Statement], Scope]:
        """Return a loop that narrows numbers into an array of bytes, and one that compares them."""
        array = Variable(self.names.new("a"), Array(self.random.choice((I8, U8)), 8))
        assert isinstance(array.type, Array)
        k = Variable(self.names.new("k"), U32, mutable=False)
        count = Variable(self.names.new("x"), U32)
        inner = self._loop_scope(scope, k)
        source = convert(self.expressions.place(inner, [scope.variables[0]]), I32)
        element = element_at(array, k.name, array.type.element)
        fill = Assignment(element, convert(source, array.type.element))
        wanted = self.expressions.scalar(inner, array.type.element, 1)
        compared = Operation("u32({0} == {1})", (element, wanted), U32)
        made: list[Statement] = [
            Declaration(array),
            Loop(k, 8, (fill,)),
            Declaration(count),
            Loop(k, 8, (Assignment(count, compared, "+="),)),
        ]
        return made, scope.declaring(array, count)

    def _byte_read(self, scope: Scope) -> tuple[list[Statement], Scope]:
        """Return a read of a byte of an array."""
        arrays = [
            each
            for each in scope.variables
            if each.mutable and isinstance(each.type, Array) and each.type.element in INTEGERS
        ]
        if not arrays:
            return self._array(scope)
        variable = Variable(self.names.new("x"), U8)
        index = self.expressions.scalar(scope, U32, 1)
        value = Operation("byte_of({0}, {1})", (self.random.choice(arrays), index), U8)
        return [Declaration(variable, value)], scope.declaring(variable)

    def _pointer_select(self, scope: Scope) -> tuple[list[Statement], Scope]:
        """Return a pointer to one of two arrays."""
        readable = [each for each in scope.variables if _pointed(each.type)]
        if not readable:
            return self._array(scope)
        pointed = self.random.choice(readable)
        pointer = Pointer(_element(pointed.type))
        others = [each for each in scope.variables if _points_to(each.type, pointer)]
        if not others:
            return self._array(scope)
        condition = self.expressions.scalar(scope, BOOL, 1)
        first, second = (self.random.choice(others) for _ in range(2))
        form = f"({{0}} ? ({pointer.name}){{1}} : ({pointer.name}){{2}})"
        variable = Variable(self.names.new("p"), pointer, mutable=False)
        value = Operation(form, (condition, first, second), pointer)
        return [Declaration(variable, value)], scope.declaring(variable)

    def _division_under_guard(self, scope: Scope) -> tuple[list[Statement], Scope]:
        """Return a guarded division in a branch, or in a loop in which it is invariant."""
        type_ = self.random.choice(INTEGERS)
        variable = Variable(self.names.new("x"), type_)
        guard = "{2} != 0"
        if type_.kind == "signed":
            lowest = literal(type_, 1 << (type_.bits - 1)).text
            guard = f"{{2}} != 0 && ({{1}} != {lowest} || {{2}} != -1)"
        wide, operator = arithmetic_type(type_), self.random.choice("/%")
        sum_ = (
            f"{{0}} = {type_.name}({wide}({{0}}) + {wide}({type_.name}({{1}} {operator} {{2}})));"
        )
        k = self.names.new("k")
        forms = (
            f"if ({guard})\n  {sum_}",
            f"for (u32 {k} = 0; {k} < {self.random.randint(2, 8)}; ++{k})\n"
            f"  if ({guard})\n    {sum_}",
            f"for (u32 {k} = 0; {k} < 8 && {guard}; ++{k})\n  {sum_}",
        )
        operands = tuple(self.expressions.simple(scope, type_) for _ in range(2))
        pattern = Pattern(self.random.choice(forms), operands, (variable,))
        start = Declaration(variable, self.expressions.leaf(scope, type_))
        return [start, pattern], scope.declaring(variable)

    def _strided_load(self, scope: Scope) -> tuple[list[Statement], Scope]:
        """Return a strided loop that sums the elements that satisfy a condition."""
        readable = [each for each in scope.variables if _pointed(each.type)]
        if not readable:
            return self._array(scope)
        pointed = self.random.choice(readable)
        type_ = _element(pointed.type)
        if type_ in FLOATING or type_ == BOOL:
            return self._array(scope)
        length = _length(pointed.type)
        variable = Variable(self.names.new("x"), U32)
        k, stride = self.names.new("k"), self.random.randint(1, 5)
        start = self.expressions.simple(scope, U32)
        lines = (
            f"for (u32 {k} = {{1}} % {length}; {k} < {length}; {k} += {stride})\n"
            f"  {{0}} += {k} % {self.random.randint(2, 4)} ? u32({{2}}[{k}]) : {k};"
        )
        pattern = Pattern(lines, (start, pointed), (variable,))
        made: list[Statement] = [Declaration(variable), pattern]
        return made, scope.declaring(variable)


def _through_pointer(place: Expression) -> bool:
    if not isinstance(place, Operation):
        return False
    whole = place.operands[0]
    return isinstance(whole.type, Pointer) or _through_pointer(whole)


def _pointed(type_: Type) -> bool:
    return isinstance(type_, Pointer | Array)


def _points_to(type_: Type, pointer: Pointer) -> bool:
    if isinstance(type_, Array):
        return type_.element == pointer.element and type_.length >= 4
    return type_ == pointer


def _element(type_: Type) -> Scalar:
    assert isinstance(type_, Array | Pointer)
    return type_.element


def _length(type_: Type) -> int:
    return type_.length if isinstance(type_, Array) else 4


def _size(type_: Type) -> int:
    return _length(type_) * _element(type_).bits // 8


POINTER_STRUCT_NUMBERS = Array(I64, 4)
