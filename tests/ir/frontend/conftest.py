"""Compile a text for devices, and read the plugin's facts."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dovetail.artifacts import DeviceModule
from dovetail.facts import Facts, FunctionFact, Place
from dovetail.facts_json import parse_facts
from dovetail.frontend import Flags, Source, compile_command, run_clang
from dovetail.ir import Context

Compile = Callable[..., DeviceModule]

# A kernel mark without our headers, so that a test is about the plugin alone.
MARK = '[[__sycl_detail__::__add_ir_attributes_function__("sycl-nd-range-kernel", 1)]]'


@pytest.fixture
def compile_text(tmp_path: Path) -> Compile:
    """A function that compiles a text and fails on any warning."""

    def compile_it(text: str, standard: str = "c++17") -> DeviceModule:
        source = Source.from_text(text.replace("KERNEL", MARK))
        bitcode, facts = tmp_path / "k.bc", tmp_path / "k.json"
        flags = Flags(standard=standard, warnings=("-Wall", "-Wno-unused-function"))
        command = compile_command(source, flags, header=None, bitcode=bitcode, facts=facts)
        assert run_clang(command, source.text.encode()) == ""
        return DeviceModule.load(Context(), source.path, bitcode, facts)

    return compile_it


# What a source needs instead of our headers: aspects, a marked class, a marked function, an entry
# point. All of it is one line, so that a test's own text starts on the second.
PRELUDE = " ".join(
    [
        "namespace sycl { inline namespace _V1 {",
        "enum class aspect { cpu = 1, fp16 = 5, fp64 = 6, atomic64 = 27, amx = 49 }; } }",
        "using sycl::aspect;",
        "struct [[__sycl_detail__::__uses_aspects__(has(aspect::fp16))]] half { short bits; };",
        "[[__sycl_detail__::__uses_aspects__(has(aspect::amx))]]",
        "[[clang::sycl_external]] void amx_multiply();",
        "template <class Name, class F>",
        "[[clang::sycl_kernel_entry_point(Name)]] void start(F f) { f(); }",
    ]
)
SHORT = {
    "EXTERNAL": "[[clang::sycl_external]]",
    "USES_AMX": "[[__sycl_detail__::__uses_aspects__(has(aspect::amx))]]",
    "USES_FP16": "[[__sycl_detail__::__uses_aspects__(has(aspect::fp16))]]",
}
ASPECTS = {1: "cpu", 5: "fp16", 6: "fp64", 27: "atomic64", 49: "amx"}

Found = set[tuple[str, int, int]]
"""Findings with line and column."""


@dataclass(frozen=True)
class Reading:
    """The facts about a source, and the places of its marks."""

    facts: Facts
    marked: Found

    def function(self, name: str) -> FunctionFact:
        (function,) = (f for f in self.facts.functions if f.name == name)
        return function

    def uses(self) -> Found:
        functions = self.facts.functions
        return {_at(ASPECTS[use.aspect], use.place) for f in functions for use in f.uses}

    def calls(self) -> Found:
        functions = self.facts.functions
        return {_at(functions[c.callee].name, c.place) for f in functions for c in f.calls}

    def violations(self) -> Found:
        return {_at(v.rule, v.place) for f in self.facts.functions for v in f.violations}


def _at(what: str, place: Place) -> tuple[str, int, int]:
    return what, place.line, place.column


Read = Callable[..., Reading]


@pytest.fixture
def read_marked(tmp_path: Path) -> Read:
    """A function that compiles a text in which `@name@` marks an expected place."""

    def read(text: str, standard: str = "c++17") -> Reading:
        for short, long in SHORT.items():
            text = text.replace(short, long)
        text, marked = _take_marks(f"{PRELUDE}\n{text}")
        facts = tmp_path / "k.json"
        source, flags = Source.from_text(text), Flags(standard=standard, warnings=("-w",))
        command = compile_command(
            source, flags, header=None, bitcode=tmp_path / "k.bc", facts=facts
        )
        assert run_clang((*command, "-fsyntax-only"), text.encode()) == ""
        return Reading(parse_facts(facts.read_bytes()), marked)

    return read


def _take_marks(text: str) -> tuple[str, Found]:
    marks: Found = set()
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        plain = ""
        for index, part in enumerate(line.split("@")):
            if index % 2:
                marks.add((part, number, len(plain) + 1))
            else:
                plain += part
        lines.append(plain)
    return "\n".join(lines), marks
