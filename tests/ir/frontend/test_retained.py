"""Aspects that functions use by marks, which optimization preserves."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Read

AMX = 49

TYPES = """
struct USES_AMX Tile { int x; int get() const { return x; } };
struct Holds { int i; Tile t; };
struct BigTile : Tile { int y; };
struct Points { Tile *t; int i; };
USES_AMX int amx() { return 0; }
using Short USES_AMX = short;
struct Numbers { float f; double d; };
constexpr Tile constant{3};
const Tile table[2] = {{1}, {2}};
"""

RETAINED = {
    "object": "void f() { Tile t; }",
    "array": "void f() { Tile t[3]; }",
    "object of a class that holds one": "void f() { Holds h; }",
    "object of a derived class": "void f() { BigTile b; }",
    "object of a marked alias": "void f() { Short s; }",
    "parameter": "void f(Tile t) {}",
    "return value": "Tile f() { return {}; }",
    "temporary": "int f() { return Tile{3}.x; }",
    "capture": "int f() { Tile t{}; return [=] { return t.x; }(); }",
    "member": "void f(Tile *t) { t->x = 1; }",
    "another member": "void f(Holds *h) { h->i = 1; }",
    "member of a base": "void f(BigTile *b) { b->x = 1; }",
    "member of what is pointed to": "void f(Points *p) { p->t->x = 1; }",
    "element": "void f(Tile *t, int i) { t[i] = t[0]; }",
    "moved pointer": "Tile *f(Tile *t) { return t + 1; }",
    "incremented pointer": "Tile *f(Tile *t) { return ++t; }",
    "element of a table": "int f(int i) { return table[i].x; }",
    "call": "int f() { return amx(); }",
    "call in a branch": "int f(int i) { return i ? amx() : 0; }",
    "call behind and": "int f(int i) { if (i && false) return amx(); return 0; }",
    "call in a branch that a label leads to": "int f(int i) {"
    " if (i) goto in; if (false) { in: return amx(); } return 0; }",
    "mark of an entry point": "USES_AMX int f() { return 0; }",
}

NOT_RETAINED = {
    "pointer": "void f(Tile *t) {}",
    "reference": "void f(Tile &t) {}",
    "object that points to one": "void f() { Points p{}; }",
    "member beside a pointer": "void f(Points *p) { p->i = 1; }",
    "copy through pointers": "void f(Tile *a, Tile *b) { *a = *b; }",
    "cast": "Tile *f(void *p) { return (Tile *)p; }",
    "member of a constant": "int f() { return constant.x; }",
    "size": "int f() { return sizeof(Tile); }",
    "double": "void f(float *p) { double d = *p; Numbers n{}; }",
    "call in a branch that is never taken": "int f() { if (false) return amx(); return 0; }",
    "call in the other branch": "int f() { if (true) return 0; else return amx(); }",
    "call in a choice that is never made": "int f() { return false ? amx() : 0; }",
    "discarded call": "int f() { if constexpr (false) return amx(); return 0; }",
}


@pytest.mark.parametrize("text", RETAINED.values(), ids=list(RETAINED))
def test_retained(read_marked: "Read", text: str) -> None:
    reading = read_marked(f"{TYPES.strip()}\nEXTERNAL {text}")
    assert reading.function("f").retained == (AMX,)


@pytest.mark.parametrize("text", NOT_RETAINED.values(), ids=list(NOT_RETAINED))
def test_not_retained(read_marked: "Read", text: str) -> None:
    reading = read_marked(f"{TYPES.strip()}\nEXTERNAL {text}")
    assert reading.function("f").retained == ()


def test_what_a_method_does(read_marked: "Read") -> None:
    """The caller names no member, but functions that inline the method do."""
    reading = read_marked(f"{TYPES.strip()}\nEXTERNAL int f(Tile *t) {{ return t->get(); }}")
    assert reading.function("f").retained == ()
    assert reading.function("Tile::get").retained == (AMX,)


def test_an_entry_point_uses_its_mark(read_marked: "Read") -> None:
    reading = read_marked("EXTERNAL USES_AMX void @amx@f() {}")
    assert reading.uses() == reading.marked
    (use,) = reading.function("f").uses
    assert use.what == "mark of function 'f'"
