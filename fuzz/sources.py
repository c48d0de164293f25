"""Mutated C++ sources, compiled by clang with the plugin and, if it accepts them, by a full build.

For every source, the result must be a program or an error with a source location: not a crash of
clang, an internal message of LLVM or a traceback.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from random import Random
from typing import NamedTuple

from dovetail.frontend import (
    Flags,
    Side,
    Source,
    check_command,
    header_macros,
    precompile_command,
    precompile_input,
    precompiled_header,
)

STANDARDS = ("c++17", "c++20", "c++23")
TIME_LIMIT_S = 60

_TOKEN = re.compile(
    r"""(?x) //[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | \w+ | \#[^\n]* | :: | \[\[ | \]\] | -> | && | \|\| | << | >> | \.\.\. | \s+ | .""",
    re.DOTALL,
)
_MAX_CHANGES = 3
_NUMBERS = ("0", "1", "2", "64", "1024", "2147483648", "4294967295", "4294967296", "(1ull << 63)")
# Inserted text: Dovetail's attributes, unusual arguments, and features that devices lack.
_PIECES = (
    *"()[]{}<>;,:&*=.~!?#\\",
    *("[[", "]]", "::", "...", "->", "template", "typename", "auto", "decltype(auto)", "this"),
    *("static", "constexpr", "consteval", "constinit", "thread_local", "inline", "virtual"),
    *(
        "friend",
        "operator",
        "requires",
        "concept",
        "co_return",
        "co_await",
        "throw",
        "try",
        "catch",
    ),
    *("noexcept", "mutable", "const", "volatile", "enum", "struct", "union", "class", "using"),
    *("if constexpr (true)", "if consteval", "sizeof...", "alignas(64)", "__attribute__((packed))"),
    *('asm volatile("")', "goto", "__builtin_unreachable()", "({ 1; })", "typeid(int)", "new int"),
    *("0", "-1", "4294967295", "18446744073709551615", "1e400", "0x1p3", "'a'", 'u8"x"', "nullptr"),
    *("long double", "__int128", "_Float16", "double", "bool", "void", "int (*)()", "int[]", "T"),
    "[[sycl::device_has(sycl::aspect::fp64)]]",
    "[[sycl::device_has(A...)]]",
    "[[sycl::requires(has(sycl::aspect::fp16))]]",
    "[[using sycl: device_has(sycl::aspect::cpu), reqd_sub_group_size(8)]]",
    "[[sycl::reqd_work_group_size(N, 1, 4294967296)]]",
    "[[sycl::work_group_size_hint(sizeof(int))]]",
    "[[__sycl_detail__::__uses_aspects__(has(sycl::aspect::fp64))]]",
    '[[__sycl_detail__::add_ir_attributes_function("sycl-nd-range-kernel", 1)]]',
    '[[__sycl_detail__::add_ir_attributes_function({"a"}, "a", "b", 1, nullptr)]]',
    "[[clang::sycl_external]]",
    "[[clang::sycl_kernel_entry_point(Name)]]",
    "[[sycl::device_has(",
    "sycl::device_has",
)


_PRELUDE = """\
namespace sycl { inline namespace _V1 {
enum class aspect { cpu = 1, gpu = 2, fp16 = 5, fp64 = 6, atomic64 = 27 };
} }
using sycl::aspect;
template <class Name, class F>
[[clang::sycl_kernel_entry_point(Name)]] void start(F f) { f(); }
template <aspect A, class...> struct V { static constexpr aspect v = A; };
"""
SEEDS = tuple(
    _PRELUDE + text
    for text in (
        "template <aspect A> auto make() { static constexpr aspect B = A; constexpr int N = 8;\n"
        "  return []() [[sycl::device_has(B), sycl::reqd_work_group_size(N, 2)]] {}; }\n"
        "void run() { start<class K>(make<aspect::fp64>()); }\n",
        "template <class... T> void all(T... x) {\n"
        "  (start<T>([]() [[sycl::device_has(T::v, decltype(x)::v)]] {}), ...); }\n"
        "void run() { all(V<aspect::fp64>(), V<aspect::fp16>()); }\n",
        "struct [[__sycl_detail__::__uses_aspects__(has(aspect::fp16))]] half { short bits; };\n"
        "template <class T, int N> struct Box : T { T items[N]; union { int i; float f; }; };\n"
        "[[sycl::device_has(aspect::fp16)]] [[clang::sycl_external]] void f(Box<half, 2> *b);\n"
        "void f(Box<half, 2> *b) { auto [x] = *static_cast<half *>(b); b->i = x; }\n"
        "void run(Box<half, 2> b) { start<class K>([=] { half h = b.items[1]; (void)h; }); }\n",
        "struct F { int n = 3; mutable char c; [[sycl::reqd_sub_group_size(8)]]\n"
        "  [[using sycl: work_group_size_hint(4, 4), requires(has(aspect::cpu))]]\n"
        "  void operator()() const { if constexpr (sizeof(n) == 4) c = n; else throw n; } };\n"
        "void run() { start<F>(F{.n = 4}); try { throw 1; } catch (int) {} }\n",
        "struct B { virtual int get() { return 1; } virtual ~B() = default; };\n"
        "struct D : virtual B { int get() override { throw 2; } static inline const int t = 5; };\n"
        "int run(int *p) { static const int table[] = {1, 2, 3};\n"
        "  start<class K>([=] { D d; const int *q = table; *p = d.D::t + q[1]; }); throw 3; }\n",
        "#define HAS(...) [[sycl::device_has(__VA_ARGS__)]]\n"
        "enum class E : unsigned { a [[maybe_unused]], b }; using I [[gnu::aligned(8)]] = int;\n"
        "template <class T> concept C = requires(T t) { t.v; { t() } noexcept; };\n"
        "template <class> struct C2;\n"
        "template <auto X, class T = int, template <class> class U = C2> struct S;\n"
        "HAS(aspect::fp64, aspect::cpu) constexpr I f(auto x) requires C<decltype(x)> {\n"
        "  switch (x.v) { case aspect::cpu: { return 1; } default: return ({ 2; }); } }\n",
        '[[__sycl_detail__::__add_ir_attributes_function__("sycl-nd-range-kernel", 1)]]\n'
        '[[__sycl_detail__::add_ir_attributes_function({"a", "b"}, "a", "b", 1, "x")]]\n'
        "void kernel(int *p, float x, V<aspect::cpu> q) noexcept {\n"
        "  thread_local int t; int vla[3]; for (auto &each : vla) each = t++;\n"
        '  asm volatile("" ::: "memory"); p[0] = vla[1] + x + int(q.v); }\n',
    )
)
"""Sources that use most constructs that the plugin reads, without headers."""


class Outcome(Enum):
    """The result for a source."""

    REFUSED = "rejected by clang"
    READ = "accepted by clang"
    BUILT = "built"
    NOT_BUILT = "accepted by clang, rejected by the build"


class Fault(NamedTuple):
    """A result that must not occur."""

    what: str
    messages: str


def tokens(text: str) -> list[str]:
    """Return the tokens of a source, including white space and comments."""
    return _TOKEN.findall(text)


def mutated(text: str, other: str, random: Random) -> str:
    """Return a source with tokens deleted, repeated, moved, inserted or copied from `other`."""
    parts, others = tokens(text), tokens(other)
    for _ in range(random.randint(1, _MAX_CHANGES)):
        if parts:
            _change(parts, others, random)
    changed = "".join(parts)
    if random.random() < 0.02:  # truncate the file
        changed = changed[: random.randrange(len(changed) + 1)]
    return changed


def _change(parts: list[str], others: Sequence[str], random: Random) -> None:
    solid = [at for at, part in enumerate(parts) if not part.isspace() and part[0] not in "/#"]
    if not solid:
        return
    at, elsewhere = random.choice(solid), random.choice(solid)
    length = random.choice((1, 1, 1, 2, 3, 8))
    match random.randrange(10):
        case 0:
            del parts[at : at + length]
        case 1:
            parts[at:at] = [*parts[at : at + length], " "]
        case 2:
            parts[at], parts[elsewhere] = parts[elsewhere], parts[at]
        case 3:
            parts[at:at] = [" ", *parts[elsewhere : elsewhere + length], " "]
        case 4:
            parts[at] = f" {random.choice(_PIECES)} "
        case 5:
            parts[at:at] = [" ", random.choice(_PIECES), " "]
        case 6:
            if others:
                start = random.randrange(len(others))
                parts[at:at] = [" ", *others[start : start + random.randint(1, 20)], " "]
        case _:
            _replace_similar(parts, random)


def _replace_similar(parts: list[str], random: Random) -> None:
    """Replace a name by another name, or a number by another: mostly the result is valid C++."""
    names = [at for at, part in enumerate(parts) if part.isidentifier()]
    numbers = [at for at, part in enumerate(parts) if part.isdecimal()]
    if numbers and random.random() < 0.3:
        parts[random.choice(numbers)] = random.choice(_NUMBERS)
    elif names:
        parts[random.choice(names)] = parts[random.choice(names)]


def fault_in(status: int, messages: str) -> Fault | None:
    """Return the fault in a compiler's exit status and messages, or None."""
    for pattern, what in _FAULTS:
        if pattern.search(messages):
            return Fault(what, messages)
    if status < 0 or status not in (0, 1):
        return Fault(f"ended with status {status}", messages)
    if status and not re.search(r"error: ", messages):
        return Fault("failed without an error", messages)
    return None


_FAULTS = tuple(
    (re.compile(pattern, re.MULTILINE), what)
    for pattern, what in (
        (r"PLEASE submit a bug report|Stack dump:|clang crashed", "clang crashed"),
        (r"^Traceback ", "a traceback"),
        (r"Invalid record|LLVM ERROR|error in backend|UNREACHABLE|Assertion `", "LLVM's message"),
        (r"in pass '[^']*': (?!.*:\d+:\d+)", "a message of the verifier"),
        (r"invalid facts file", "invalid facts"),
    )
)


class SourceTester:
    """Compiles sources with clang and the plugin, and with builds, in a folder for their files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._headers: dict[str, Path] = {}

    def run(self, text: str, standard: str, *, build: bool = True) -> Outcome | Fault:
        """Check a source as device code; build it if clang accepts it and `build` is set."""
        source = Source.from_text(text)
        flags = Flags(standard=standard, warnings=("-w",))
        header = self._header(flags) if header_macros(source, flags) == () else None
        command = check_command(source, flags, header=header, facts=self.folder / "facts.json")
        read = self._start(command, source.text)
        if isinstance(read, Fault) or read:
            return read if isinstance(read, Fault) else Outcome.REFUSED
        return self._build(source, standard) if build else Outcome.READ

    def _build(self, source: Source, standard: str) -> Outcome | Fault:
        file = self.folder / "source.cpp"
        file.write_text(source.text)
        words = ("-m", "dovetail", "c++", "-fsycl", "-fsyclbin", "-w", f"-std={standard}")
        outputs = (str(file), "-o", str(self.folder / "k.syclbin"))
        made = self._start((sys.executable, *words, *outputs), "")
        if isinstance(made, Fault):
            return made
        return Outcome.NOT_BUILT if made else Outcome.BUILT

    def _start(self, command: Sequence[str], text: str) -> int | Fault:
        """Return the exit status of a compiler, or a fault."""
        try:
            done = subprocess.run(
                command,
                input=text.encode(),
                capture_output=True,
                timeout=TIME_LIMIT_S,
                cwd=self.folder,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Fault(f"not done after {TIME_LIMIT_S} s", "")
        messages = done.stderr.decode(errors="replace")
        return fault_in(done.returncode, messages) or done.returncode

    def _header(self, flags: Flags) -> Path:
        """Return a precompiled header, created once: parsing the headers takes far longer."""
        if flags.standard not in self._headers:
            made = self.folder / f"{flags.standard}.pch"
            header = precompiled_header(Side.DEVICE, flags)
            command = precompile_command(header, made, made.with_suffix(".d"))
            subprocess.run(command, input=precompile_input(), check=True)
            self._headers[flags.standard] = made
        return self._headers[flags.standard]
