"""Conditional calls: facts and errors."""

from typing import TYPE_CHECKING

import pytest

from dovetail.errors import CompileError
from dovetail.facts import Facts, condition_lengths, join_facts
from dovetail.facts_json import facts_text, parse_facts
from dovetail.passes import PassContext
from dovetail.passes.attach_facts import AttachFacts

if TYPE_CHECKING:
    from conftest import Compile, Read

ATTRIBUTE = "sycl-call-if-on-device-conditionally"
MARK = f'[[__sycl_detail__::__add_ir_attributes_function__("{ATTRIBUTE}", true)]]'
# In one line, so that a test's own text starts on the second.
CALLER = f"template <class F, class... C> {MARK} void maybe(F f, C...) {{ f(); }} "


def conditions(facts: Facts) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return caller, callee and condition of each call, in the order of the facts."""
    functions = facts.functions
    return [(f.name, functions[c.callee].name, c.condition) for f in functions for c in f.calls]


def test_each_condition_is_a_separate_call(read_marked: "Read") -> None:
    reading = read_marked(
        CALLER + "struct Action { void operator()() const { amx_multiply(); } };\n"
        "EXTERNAL void f() { maybe(Action(), -1, 6); maybe(Action(), -1, 5);\n"
        "  maybe(Action(), -1, 6); maybe(Action(), -4, -1, 5, -2, 20); }"
    )
    short, long = "maybe<Action, int, int>", "maybe<Action, int, int, int, int, int>"
    action = "Action::operator()"
    assert conditions(reading.facts) == [
        ("f", short, (-1, 6)),
        ("f", short, (-1, 5)),
        ("f", long, (-4, -1, 5, -2, 20)),
        (short, action, ()),
        (long, action, ()),
        (action, "amx_multiply", ()),
    ]
    places = [(call.place.line, call.place.column) for call in reading.function("f").calls]
    assert places == [(3, 37), (3, 61), (4, 27)]
    assert reading.function(short).attributes == {ATTRIBUTE: "true"}
    symbols = {f.name: f.symbol for f in reading.facts.functions}
    assert condition_lengths(reading.facts) == {symbols[short]: 2, symbols[long]: 5}


def test_constants_of_every_kind(read_marked: "Read") -> None:
    reading = read_marked(
        CALLER + "constexpr int node() { return -3; } enum { Number = 27 };\n"
        "template <int... Is> void spread() { maybe([] {}, Is...); }\n"
        "EXTERNAL void f() { const int fp16 = 5; maybe([] {}, node(), -1, fp16);\n"
        "  maybe([] {}, (int)sizeof(int) - 5, (int)Number); spread<-2, 20>(); }"
    )
    found = [condition for _, _, condition in conditions(reading.facts) if condition]
    assert found == [(-3, -1, 5), (-1, 27), (-2, 20)]


def test_a_function_is_marked_by_any_declaration(read_marked: "Read") -> None:
    reading = read_marked(
        f"struct A {{ void operator()() {{ amx_multiply(); }} }}; {MARK} void mine(A, int, int);\n"
        "void mine(A a, int, int) { a(); } EXTERNAL void f() { mine(A(), -2, 20); }"
    )
    assert ("f", "mine", (-2, 20)) in conditions(reading.facts)


def test_a_false_mark_is_ignored(read_marked: "Read") -> None:
    reading = read_marked(
        f"{MARK.replace('true', 'false')} void no(int n) {{ amx_multiply(); amx_multiply(); }}\n"
        "EXTERNAL void f(int n) { no(n); }"
    )
    assert ("f", "no", ()) in conditions(reading.facts)
    assert reading.function("no").attributes == {ATTRIBUTE: "false"}


def test_conditions_are_in_modules_and_joined(read_marked: "Read") -> None:
    facts = read_marked(CALLER + "EXTERNAL void f() { maybe([] {}, -1, 6); }").facts
    travelled = parse_facts(facts_text(facts).encode())
    assert conditions(travelled) == conditions(facts) != []
    assert all(not function.attributes for function in travelled.functions)
    joined = join_facts([facts, facts])
    assert conditions(joined) == conditions(facts) * 2


@pytest.mark.parametrize("number", ["2147483648", "-2147483649", '"6"', "1.5"])
def test_an_invalid_number(number: str) -> None:
    text = (
        '{"files": ["k.cpp"], "kernels": [], "functions": [{"symbol": "f", "name": "f",'
        f' "place": [0, 1, 1], "calls": [{{"callee": 0, "place": [0, 1, 1], "condition": [{number}]'
        "}]}]}"
    )
    with pytest.raises(Exception, match="expected a signed 32-bit number"):
        parse_facts(text.encode())


def test_the_attribute_reaches_every_instance(compile_text: "Compile") -> None:
    made = compile_text(
        CALLER + "struct Empty { void operator()() {} };\n"
        "[[clang::sycl_external]] void f(int n) { maybe([n] { (void)n; }, -1, 6);\n"
        "  maybe(Empty(), -1, 6); maybe(Empty(), -3, -1, 6); if (false) maybe(Empty(), 1); }"
    )
    AttachFacts().apply(PassContext(facts=made.facts), made.module)
    marked = made.module.function_attributes(ATTRIBUTE)
    callers = [f.name for f in made.module.functions() if "maybe" in f.name]
    assert len(callers) == 3
    assert marked == dict.fromkeys(callers, "true")
    # Whoever inlines a conditional caller finds nothing else that refers to it.
    assert "llvm.global.annotations" not in made.module.to_text()


POINTER = "must be a function object, not a function pointer; pass a lambda"
SHAPE = "must accept an action followed by 'int' parameters, return 'void', and make one call"
CONSTANTS = "the condition of a conditional call must consist of integer constants"
USE = "\nEXTERNAL void f() { two([] {}, 1); }"
FAULTS = {
    "function": ("void g() {} EXTERNAL void f() { @maybe(g, -1, 6); }", POINTER),
    "address": ("void g() {} EXTERNAL void f() { @maybe(&g, -1, 6); }", POINTER),
    "lambda made a pointer": ("EXTERNAL void f() { @maybe(+[] {}, -1, 6); }", POINTER),
    "object that becomes a pointer": (
        f"struct S {{ using F = void (*)(); operator F(); }}; {MARK} void @one(S s, int) {{ s(); }}"
        "\nEXTERNAL void f() { one(S(), 1); }",
        SHAPE,
    ),
    "no action": (f"{MARK} void @no() {{}} EXTERNAL void f() {{ no(); }}", SHAPE),
    "no condition": (
        f"template <class F> {MARK} void @two(F f) {{ f(); }}\n"
        "EXTERNAL void f() { two([] {}); }",
        SHAPE,
    ),
    "no call": (f"template <class F> {MARK} void @two(F, int) {{}}{USE}", SHAPE),
    "two calls": (f"template <class F> {MARK} void @two(F f, int) {{ f(); f(); }}{USE}", SHAPE),
    "two calls of objects": (
        "struct M { M() {} }; "
        f"template <class F> {MARK} void @two(F f, int) {{ M m; f(); }}{USE}",
        SHAPE,
    ),
    "a result": (
        f"template <class F> {MARK} int @two(F f, int) {{ f(); return 1; }}{USE}",
        SHAPE,
    ),
    "a condition of other numbers": (
        f"template <class F> {MARK} void @two(F f, long) {{ f(); }}{USE}",
        SHAPE,
    ),
    "method": (
        f"struct S {{ template <class F> {MARK} void @two(F f, int) {{ f(); }} }};\n"
        "EXTERNAL void f() { S().two([] {}, 1); }",
        SHAPE,
    ),
    "variable": ("EXTERNAL void f(int n) { @maybe([] {}, -1, n); }", CONSTANTS),
    "parameter": (
        "template <class F> void g(F f, int n) { @maybe(f, n); }\n"
        "EXTERNAL void f() { g([] {}, 1); }",
        CONSTANTS,
    ),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS)
def test_errors(read_marked: "Read", text: str, message: str) -> None:
    text = f"{CALLER}\n{text}".replace("EXTERNAL", "[[clang::sycl_external]]")
    before, _, _ = text.partition("@")
    line, column = before.count("\n") + 2, len(before) - (before.rfind("\n") + 1) + 1
    with pytest.raises(CompileError) as caught:
        read_marked(text.replace("@", ""))
    first = caught.value.message.partition("\n")[0]
    assert first.startswith(f"<stdin>:{line}:{column}: error: ")
    assert message in first
    assert caught.value.message.count("error:") == 1


@pytest.mark.parametrize(
    "text",
    [
        "template <class F> {MARK} void two(F f, int) {{ return f(); }}",
        "struct S {{ template <class F> {MARK} static void two(F f, int) {{ f(); }} }};"
        " template <class F> void two(F f, int) {{ S::two(f, 1); }}",
        "template <class F> {MARK} void two(F &&f, int) {{ if (true) f(); }}",
        "template <class F> {MARK} void two(const F f, int = 2) {{ f.operator()(); }}",
    ],
)
def test_valid_callers(read_marked: "Read", text: str) -> None:
    reading = read_marked(text.replace("{MARK}", MARK).format() + USE)
    assert [c for _, _, c in conditions(reading.facts) if c] == [(1,)]
