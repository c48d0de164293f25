"""Random programs, split in every mode, compared with a reference implementation.

A program is generated as a list of functions, written as IR, linked and split. The reference
implementation is slow and follows the rules literally: which aspects are used, which entry points
share an image, and what an image contains.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, product

from expression_values import values_of
from hypothesis import given, strategies as st

from dovetail.artifacts import ConditionalCode, DeviceImage
from dovetail.graphs import from_bits
from dovetail.image import Constants, Requirements, single_requirements
from dovetail.ir import Module
from dovetail.postlink import OptionalFeatures, PostLinked, SplitMode
from dovetail.spirv.expressions import TRUE, Expressions

Split = Callable[..., PostLinked]

PARAMETERS = ("", "i32 0", "i64 0")
"""The arguments in calls of functions of each type."""
IDENTITY = "number"
"""The attribute that identifies functions whose names linking may change."""
USED = ("sycl_used_aspects", "intel_used_aspects", "intel_uses_aspects", "used_aspects")
DECLARED = ("sycl_declared_aspects", "intel_allowed_aspects")


@dataclass(frozen=True)
class Function:
    """One function of a program; others by their numbers."""

    number: int
    role: str
    """`kernel`, `exported`, `plain`, `internal`, or `undefined`."""
    input: int
    type: int
    used: frozenset[int]
    declared: frozenset[int] | None
    spelling: int
    work_group: tuple[int, ...]
    sub_group: int | None
    level: int | None
    source: str | None
    calls: tuple[int, ...]
    takes: tuple[int, ...]
    """The functions whose address it stores."""
    indirect: tuple[int, ...]
    """The types that it calls through pointers."""
    reads_table: bool
    """Whether it refers to its input's table of functions."""

    @property
    def symbol(self) -> str:
        # Internal functions of different inputs share names.
        return "local" if self.role == "internal" else f"f{self.number}"

    @property
    def is_entry(self) -> bool:
        return self.role in ("kernel", "exported")


@dataclass(frozen=True)
class Program:
    """Functions, and for each input a table of functions."""

    functions: tuple[Function, ...]
    tables: tuple[tuple[int, ...], ...]

    # The account.

    def refers(self, number: int) -> set[int]:
        function = self.functions[number]
        table = self.tables[function.input] if function.reads_table else ()
        return {*function.calls, *function.takes, *table}

    @cached_property
    def linked(self) -> set[int]:
        """What there is after linking: of later inputs no internal function that nothing needs."""
        found = {
            f.number
            for f in self.functions
            if f.role != "undefined" and (f.input == 0 or f.role != "internal")
        }
        found |= set(self.tables[0])
        while more := {t for number in found for t in self.refers(number)} - found:
            found |= more
        return found

    @cached_property
    def taken(self) -> set[int]:
        """Whose address is taken, by code or by a table."""
        functions = [self.functions[number] for number in self.linked]
        tables = {0} | {f.input for f in functions if f.reads_table}
        by_code = {target for f in functions for target in f.takes}
        return by_code | {target for table in tables for target in self.tables[table]}

    def may_call(self, number: int) -> set[int]:
        function = self.functions[number]
        pointed = {t for t in self.taken if self.functions[t].type in function.indirect}
        return {*function.calls, *pointed}

    def used(self, number: int) -> set[int]:
        reached = closure({number}, self.may_call)
        functions = [self.functions[each] for each in reached]
        return {aspect for f in functions for aspect in (*f.used, *(f.declared or ()))}

    def needed(self, numbers: Iterable[int]) -> set[int]:
        """What some functions may call, and what that refers to."""
        return closure(closure(set(numbers), self.may_call), self.refers)

    def reachable(self, numbers: Iterable[int]) -> set[int]:
        """What they come to in any way: what is only referred to may have calls too."""
        return closure(set(numbers), lambda n: self.refers(n) | self.may_call(n))

    def imports(self, number: int) -> set[int]:
        """What another program has to define, as far as code and not a table refers to it."""

        def following(n: int) -> set[int]:
            return {*self.may_call(n), *self.functions[n].takes}

        reached = closure({number}, following)
        return {each for each in reached if self.functions[each].role == "undefined"}

    def requirements(self, number: int) -> Requirements:
        function = self.functions[number]
        return Requirements(tuple(self.used(number)), function.sub_group, function.work_group)

    def may_share(self, one: int, other: int, mode: SplitMode, features: OptionalFeatures) -> bool:
        """Whether two entry points belong into one image."""
        is_split = features is OptionalFeatures.SPLIT
        if not is_split and self.imports(one) != self.imports(other):
            return False
        if mode is SplitMode.NONE:
            return True
        if is_split and self.requirements(one) != self.requirements(other):
            return False
        if mode in (SplitMode.OFF, SplitMode.KERNEL):
            return mode is SplitMode.OFF
        first, second = self.functions[one], self.functions[other]
        if first.level != second.level or self.imports(one) != self.imports(other):
            return False
        has_pointers = any(self.functions[number].indirect for number in self.linked)
        if mode is SplitMode.AUTO and has_pointers:
            return True
        return (first.source or first.input) == (second.source or second.input)

    # The text.

    def texts(self) -> list[str]:
        return [self._text(number) for number in range(len(self.tables))]

    def _text(self, number: int) -> str:
        own = [f for f in self.functions if f.input == number and f.role != "undefined"]
        nodes: list[str] = []
        lines = [f"@slot = internal global ptr null\n{self._table(number)}"]
        lines += [self._definition(f, nodes) for f in own]
        elsewhere = set(self.tables[number]).union(*(self.refers(f.number) for f in own))
        for target in sorted(elsewhere - {f.number for f in own}):
            lines.append(_declaration(self.functions[target], nodes))
        return "\n".join([*lines, *(f"!{n} = !{{{node}}}" for n, node in enumerate(nodes))])

    def _table(self, number: int) -> str:
        targets = ", ".join(f"ptr @{self.functions[t].symbol}" for t in self.tables[number])
        return f"@table = internal constant [{len(self.tables[number])} x ptr] [{targets}]"

    def _definition(self, function: Function, nodes: list[str]) -> str:
        linkage = "internal " if function.role == "internal" else ""
        convention = "spir_kernel " if function.role == "kernel" else ""
        body: list[str] = []
        for target in function.calls:
            callee = self.functions[target]
            body.append(f"call void @{callee.symbol}({PARAMETERS[callee.type]})")
        body += [f"store ptr @{self.functions[t].symbol}, ptr @slot" for t in function.takes]
        for kind in function.indirect:
            body.append(f"%p{kind} = load ptr, ptr @slot")
            body.append(f"call void %p{kind}({PARAMETERS[kind]})")
        if function.reads_table:
            body.append("%t = load ptr, ptr @table")
        head = f"define {linkage}{convention}void {_signature(function)}"
        lines = "\n  ".join([*body, "ret void"])
        return f"{head} {_attributes(function)} {_metadata(function, nodes)} {{\n  {lines}\n}}"


def closure(found: set[int], following: Callable[[int], set[int]]) -> set[int]:
    while more := {t for number in found for t in following(number)} - found:
        found = found | more
    return found


def _signature(function: Function) -> str:
    return f"@{function.symbol}({PARAMETERS[function.type].removesuffix(' 0')})"


def _attributes(function: Function) -> str:
    words = [f'"{IDENTITY}"="{function.number}"']
    if function.is_entry and (function.source or function.role == "exported"):
        words.append(f'"sycl-module-id"="{function.source or ""}"')
    if function.is_entry and function.level is not None:
        words.append(f'"sycl-optlevel"="{function.level}"')
    return " ".join(words)


def _metadata(function: Function, nodes: list[str]) -> str:
    words: list[str] = []

    def add(kind: str, numbers: Iterable[int]) -> None:
        words.append(f"!{kind} !{len(nodes)}")
        nodes.append(", ".join(f"i32 {number}" for number in numbers))

    if function.used:
        add(USED[function.spelling], function.used)
    if function.declared is not None:
        add(DECLARED[function.spelling % 2], function.declared)
    if function.work_group:
        padding = (1,) * (3 - len(function.work_group))
        add("reqd_work_group_size", (*reversed(function.work_group), *padding))
        add("work_group_num_dim", (len(function.work_group),))
    if function.sub_group is not None:
        add("intel_reqd_sub_group_size", (function.sub_group,))
    return " ".join(words)


def _declaration(function: Function, nodes: list[str]) -> str:
    # What only a definition can tell is left out.
    words: list[str] = []
    if function.declared is not None:
        words.append(f"!sycl_declared_aspects !{len(nodes)}")
        nodes.append(", ".join(f"i32 {number}" for number in function.declared))
    return f'declare {" ".join(words)} void {_signature(function)} "{IDENTITY}"="{function.number}"'


ASPECTS = st.frozensets(st.sampled_from([1, 5, 6]), max_size=2)
FEW = 2


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Programs of one or two inputs and up to seven functions."""
    inputs = draw(st.integers(1, 2))
    roles = draw(
        st.lists(
            st.sampled_from(["kernel", "kernel", "exported", "plain", "internal", "undefined"]),
            min_size=1,
            max_size=7,
        )
    )
    places = [draw(st.integers(0, inputs - 1)) for _ in roles]
    for number, (role, place) in enumerate(zip(roles, places, strict=True)):
        # One internal function an input, since they all have one name.
        if role == "internal" and ("internal", place) in zip(roles[:number], places, strict=False):
            roles[number] = "plain"
    visible = [
        [
            number
            for number, (role, place) in enumerate(zip(roles, places, strict=True))
            if role != "kernel" and (role != "internal" or place == own)
        ]
        for own in range(inputs)
    ]
    functions = tuple(
        _draw_function(draw, number, role, place, visible[place])
        for number, (role, place) in enumerate(zip(roles, places, strict=True))
    )
    tables = tuple(tuple(_some(draw, visible[own])) for own in range(inputs))
    return Program(functions, tables)


def _draw_function(
    draw: st.DrawFn, number: int, role: str, place: int, visible: list[int]
) -> Function:
    is_kernel, is_defined = role == "kernel", role != "undefined"
    return Function(
        number,
        role,
        place,
        type=draw(st.sampled_from(range(len(PARAMETERS)))),
        used=draw(ASPECTS) if is_defined else frozenset(),
        declared=draw(st.none() | ASPECTS),
        spelling=draw(st.sampled_from(range(len(USED)))),
        work_group=draw(st.sampled_from([(), (8,), (1, 8)])) if is_kernel else (),
        sub_group=draw(st.sampled_from([None, 8])) if is_kernel else None,
        level=draw(st.sampled_from([None, 2])),
        source=draw(st.sampled_from([None, "x.cpp", "y.cpp"])),
        calls=tuple(_some(draw, visible)) if is_defined else (),
        takes=tuple(_some(draw, visible)) if is_defined else (),
        indirect=tuple(draw(st.sampled_from([(), (), (0,), (1, 2)]))) if is_defined else (),
        reads_table=is_defined and draw(st.booleans()),
    )


def _some(draw: st.DrawFn, visible: list[int]) -> list[int]:
    if not visible:
        return []
    return draw(st.lists(st.sampled_from(visible), unique=True, max_size=FEW))


def numbers_of(module: Module) -> dict[str, int]:
    """Return the functions of a module by their symbols there."""
    return {name: int(text) for name, text in module.function_attributes(IDENTITY).items()}


@given(programs(), st.sampled_from(SplitMode), st.sampled_from(OptionalFeatures))
def test_any_program(
    split: Split, drawn: Program, mode: SplitMode, features: OptionalFeatures
) -> None:
    program = split(*drawn.texts(), mode=mode, features=features)
    check_uses(drawn, program)
    check_groups(drawn, program, mode, features)
    images = list(program.images())
    check_code(drawn, images)
    for image in images:
        assert features is OptionalFeatures.CONDITIONAL or image.conditional is None
        check_conditions(drawn, image)


def check_uses(drawn: Program, program: PostLinked) -> None:
    present = numbers_of(program.linked.module)
    assert set(present.values()) == drawn.linked
    for name, number in present.items():
        assert set(from_bits(program.used.get(name, 0))) == drawn.used(number)


def check_groups(
    drawn: Program, program: PostLinked, mode: SplitMode, features: OptionalFeatures
) -> None:
    number_of = numbers_of(program.linked.module)
    images = [[number_of[symbol] for symbol in plan.symbols] for plan in program.plans]
    entries = [number for image in images for number in image]
    assert sorted(entries) == [f.number for f in drawn.functions if f.is_entry]
    for image, plan in zip(images, program.plans, strict=True):
        assert all(drawn.may_share(*pair, mode, features) for pair in combinations(image, 2))
        required = [drawn.requirements(number) for number in image]
        if features is OptionalFeatures.CONDITIONAL:
            first, *others = (set(single_requirements(each)) for each in required)
            assert set(single_requirements(plan.requirements)) == first.intersection(*others)
        elif mode is SplitMode.NONE:
            together = set[int]().union(*(drawn.used(number) for number in image))
            assert plan.requirements == Requirements(tuple(together))
        else:
            assert {plan.requirements} == set(required)
    for one, other in combinations(images, 2):
        assert not drawn.may_share(one[0], other[0], mode, features), (
            "they could have been one image"
        )


def check_code(drawn: Program, images: Iterable[DeviceImage]) -> None:
    for image in images:
        image.module.verify()
        held = numbers_of(image.module)
        entries = {held[symbol] for symbol in image.entry_points}
        assert drawn.needed(entries) <= set(held.values()) <= drawn.reachable(entries)
        for function in image.module.functions():
            number = held[function.name]
            is_public = number in entries or function.is_declaration
            assert function.linkage == ("external" if is_public else "internal")
            assert function.is_declaration == (drawn.functions[number].role == "undefined")


def is_met(has: frozenset[int], has_sizes: bool, required: Requirements) -> bool:
    is_sized = required.sub_group_size is not None or required.work_group_size
    return has.issuperset(required.aspects) and (has_sizes or not is_sized)


def check_conditions(drawn: Program, image: DeviceImage) -> None:
    """Each device gets what the entry points that it can run need."""
    held = numbers_of(image.module)
    entries = {held[symbol] for symbol in image.entry_points}
    has_tables = any(drawn.functions[number].reads_table for number in held.values())
    code = image.conditional or ConditionalCode(Constants({}, {}), Expressions(), {}, {})
    for has, has_sizes in product([(), (1,), (5, 6), (1, 5, 6)], (False, True)):
        meets = partial(is_met, frozenset(has), has_sizes)
        given = code.constants.values(meets, lambda leaf: False)
        values = values_of(code.expressions, [i for i, is_true in given.items() if is_true])
        there = {n for name, n in held.items() if values[code.functions.get(name, TRUE)]}
        can_run = {number for number in entries if meets(drawn.requirements(number))}
        wanted = drawn.reachable(can_run) & set(held.values())
        if image.conditional is None:
            assert there == set(held.values())
        elif has_tables:
            # Who uses which variable is not looked at.
            assert there >= wanted
            assert all(drawn.refers(number) <= there for number in there)
        else:
            assert there == wanted
