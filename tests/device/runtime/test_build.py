"""Building code for a device: modules that are linked, native code, and what nobody vouches for."""

import random
import struct
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import cast

import numpy as np
import pytest

import dovetail
from dovetail import trust
from dovetail.errors import ProgramBuildError
from dovetail.image import read_program
from dovetail.runtime import Device, code_validation, sandboxed_build
from dovetail.runtime.backend import BackendProgram, Code, CodeKind, DeviceDescription
from dovetail.runtime.opencl.device import OpenCLDevice
from dovetail.runtime.opencl.signatures import refuse_mismatches

pytestmark = pytest.mark.device

KERNEL = "_ZTS1K"
PRELUDE = """
#define SYCL_EXTERNAL [[clang::sycl_external]]
template <class Name, class F>
[[clang::sycl_kernel_entry_point(Name)]] void entry(float *y, F f) { *y = f(*y); }
struct Point { double place[3]; char tag; float weight; };
struct Pair { int first; double second; };
using Address = int *;
class K;
"""
CALLS_F = """
SYCL_EXTERNAL float f(float);
void start(float *y) { entry<K>(y, [](float x) { return f(x); }); }
"""
DEFINES_F = "SYCL_EXTERNAL float f(float x) { return 2 * x + 1; }"

LINKED = {
    "a function": ([CALLS_F, DEFINES_F], 7),
    "helpers of the same name": (
        [
            """
            SYCL_EXTERNAL float f(float);
            [[gnu::noinline]] static float helper(float x) { return x + 100; }
            void start(float *y) { entry<K>(y, [](float x) { return f(helper(x)); }); }
            """,
            """
            [[gnu::noinline]] static float helper(float x) { return x / 2; }
            SYCL_EXTERNAL float f(float x) { return helper(x) + 1; }
            """,
        ],
        52.5,
    ),
    "a template that both use": (
        [
            """
            template <class T> [[gnu::noinline]] T twice(T x) { return x + x; }
            SYCL_EXTERNAL float f(float);
            void start(float *y) { entry<K>(y, [](float x) { return f(twice(x)); }); }
            """,
            """
            template <class T> [[gnu::noinline]] T twice(T x) { return x + x; }
            SYCL_EXTERNAL float f(float x) { return twice(x); }
            """,
        ],
        12,
    ),
    "a cycle": (
        [
            """
            SYCL_EXTERNAL float f(float);
            SYCL_EXTERNAL float g(float x) { return x > 0 ? f(x - 1) + 1 : 0; }
            void start(float *y) { entry<K>(y, [](float x) { return g(x); }); }
            """,
            """
            SYCL_EXTERNAL float g(float);
            SYCL_EXTERNAL float f(float x) { return x > 0 ? g(x - 1) + 10 : 0; }
            """,
        ],
        12,
    ),
    "a chain": (
        [
            CALLS_F,
            """
            SYCL_EXTERNAL float g(float);
            SYCL_EXTERNAL float f(float x) { return g(x) * 10; }
            """,
            "SYCL_EXTERNAL float g(float x) { return x + 1; }",
        ],
        40,
    ),
    "classes by value": (
        [
            """
            SYCL_EXTERNAL Pair f(Point, Pair, const Point &);
            void start(float *y) {
              entry<K>(y, [](float x) {
                Point point{{1, 2, x}, 4, 5};
                Pair pair = f(point, {6, 7}, point);
                return float(pair.first + pair.second);
              });
            }
            """,
            """
            SYCL_EXTERNAL Pair f(Point p, Pair q, const Point &r) {
              return {int(p.place[2] * 100) + p.tag * 10 + q.first, q.second + r.weight};
            }
            """,
        ],
        300 + 40 + 6 + 7 + 5,
    ),
}


@pytest.fixture(scope="session")
def native(device: Device) -> OpenCLDevice:
    return cast(OpenCLDevice, device.native)


@pytest.mark.parametrize("case", LINKED)
@pytest.mark.parametrize("reverse", [False, True])
def test_linked_modules_run(native: OpenCLDevice, case: str, reverse: bool) -> None:
    sources, expected = LINKED[case]
    parts = [_compiled(source) for source in sources]
    built = native.build(parts[::-1] if reverse else parts)
    assert _run(native, built, 3) == expected


def test_what_drivers_take(native: OpenCLDevice) -> None:
    taken = {kind for kind in CodeKind if native.supports(kind)}
    assert taken == {CodeKind.SPIRV, CodeKind.NATIVE}


@pytest.mark.parametrize(
    ("sources", "step"),
    [
        ([CALLS_F], "BUILD_PROGRAM_FAILURE"),
        ([CALLS_F, "SYCL_EXTERNAL float g(float x) { return x; }"], "LINK_PROGRAM_FAILURE"),
        ([CALLS_F, DEFINES_F, DEFINES_F], "LINK_PROGRAM_FAILURE"),
    ],
    ids=["missing", "missing in a set", "defined twice"],
)
def test_the_log_tells_what_cannot_be_linked(
    native: OpenCLDevice, sources: list[str], step: str
) -> None:
    with pytest.raises(ProgramBuildError, match=rf"{step}:\n(.|\n)*_Z1ff"):
        native.build([_compiled(source) for source in sources])


@pytest.mark.parametrize("returned", ["double", "void", "Address", "Point"])
def test_declared_with_another_type_than_defined(native: OpenCLDevice, returned: str) -> None:
    defines = f"SYCL_EXTERNAL {returned} f(float) {{ return {returned}(); }}"
    with pytest.raises(ProgramBuildError, match=r"function 'f\(float\)' has other types"):
        native.build([_compiled(CALLS_F), _compiled(defines)])


def test_types_in_damaged_code_are_left_to_the_driver() -> None:
    caller, callee = _compiled(CALLS_F).data, _compiled(DEFINES_F).data
    for size in range(len(callee)):
        refuse_mismatches([caller, callee[:size]])
    for seed in range(50):
        with suppress(ProgramBuildError):
            refuse_mismatches([caller, _scrambled(callee, seed)])


def test_native_code_is_taken_back(native: OpenCLDevice) -> None:
    binary = native.build([_compiled(CALLS_F), _compiled(DEFINES_F)]).binary()
    parts = [Code(CodeKind.NATIVE, binary)]
    code_validation.validate_code(parts, native)
    assert _run(native, native.build(parts), 5) == 11


@pytest.mark.parametrize("size", [0.5, 0.99])
def test_damaged_native_code(native: OpenCLDevice, size: float) -> None:
    binary = native.build([_compiled(CALLS_F), _compiled(DEFINES_F)]).binary()
    parts = [Code(CodeKind.NATIVE, binary[: int(len(binary) * size)])]
    with pytest.raises(ProgramBuildError, match="refused the code, INVALID_BINARY"):
        code_validation.validate_code(parts, native)
    assert not trust.is_known(
        sandboxed_build.packed(parts), sandboxed_build.identity(native.description)
    )


def test_native_code_is_not_linked(native: OpenCLDevice) -> None:
    binary = native.build([_compiled(CALLS_F), _compiled(DEFINES_F)]).binary()
    with pytest.raises(ProgramBuildError, match="refused the code"):
        native.build([_compiled(CALLS_F), Code(CodeKind.NATIVE, binary)])


def test_a_log_that_is_not_text(native: OpenCLDevice) -> None:
    odd_name = _compiled(CALLS_F).data.replace(b"_Z1ff", b"_Z1f\xff")
    with pytest.raises(ProgramBuildError, match="_Z1f\N{REPLACEMENT CHARACTER}"):
        native.build([Code(CodeKind.SPIRV, odd_name)])


def test_a_set_of_ours_is_not_tried(native: OpenCLDevice, tried: list[Sequence[Code]]) -> None:
    code_validation.validate_code([_compiled(CALLS_F), _compiled(DEFINES_F)], native)
    assert not tried


def test_what_a_driver_survived_is_the_very_set(
    native: OpenCLDevice, tried: list[Sequence[Code]]
) -> None:
    ours, foreign = _compiled(CALLS_F), _foreign(DEFINES_F, 101)
    parts = [ours, foreign]
    code_validation.validate_code(parts, native)
    code_validation.validate_code(parts, native)
    assert tried == [parts]
    for other in ([foreign, ours], [foreign], [*parts, ours]):
        code_validation.validate_code(other, native)
        assert tried[-1] == other
    as_native = [ours, Code(CodeKind.NATIVE, foreign.data)]
    code_validation.validate_code(as_native, native)
    assert tried[-1] == as_native


def test_native_code_is_tried_even_if_it_is_known_as_spirv(
    native: OpenCLDevice, tried: list[Sequence[Code]]
) -> None:
    parts = [Code(CodeKind.NATIVE, _compiled(DEFINES_F).data)]
    code_validation.validate_code(parts, native)
    code_validation.validate_code(parts, native)
    assert tried == [parts]


def test_a_set_with_a_foreign_part_is_built_in_a_child(native: OpenCLDevice) -> None:
    parts = [_compiled(CALLS_F), _foreign(DEFINES_F, 102)]
    code_validation.validate_code(parts, native)
    assert _run(native, native.build(parts), 3) == 7
    with pytest.raises(ProgramBuildError, match=r"LINK_PROGRAM_FAILURE:\n(.|\n)*_Z1ff"):
        code_validation.validate_code([*parts, _compiled(DEFINES_F)], native)


def test_the_child_looks_past_the_users_choice_of_device(
    native: OpenCLDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOVETAIL_DEVICE", "none at all")
    monkeypatch.setenv("DOVETAIL_AS", "intel_gpu_acm_g10")
    sandboxed_build.try_build([_compiled(CALLS_F), _compiled(DEFINES_F)], native.description)


def test_damaged_modules_in_a_set(native: OpenCLDevice) -> None:
    caller, callee = _compiled(CALLS_F), _compiled(DEFINES_F).data
    with pytest.raises(ProgramBuildError, match="not valid SPIR-V: error: line"):
        code_validation.validate_code([caller, Code(CodeKind.SPIRV, _scrambled(callee, 1))], native)
    with pytest.raises(ProgramBuildError, match="does not begin with the magic number"):
        code_validation.validate_code([caller, Code(CodeKind.SPIRV, b"nonsense")], native)


def test_damaged_modules_take_only_the_child(
    native: OpenCLDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_validator(code: bytes) -> str | None:
        return None

    monkeypatch.setattr(code_validation, "validation_error", no_validator)
    caller, callee = _compiled(CALLS_F), _compiled(DEFINES_F).data
    for seed in range(1, 4):
        damaged = Code(CodeKind.SPIRV, _scrambled(callee, seed))
        with pytest.raises(ProgramBuildError, match="driver of '"):
            code_validation.validate_code([caller, damaged], native)


def test_packed_code_is_unpacked() -> None:
    parts = [
        Code(CodeKind.SPIRV, b"\n[]\n"),
        Code(CodeKind.NATIVE, b""),
        Code(CodeKind.PTX, b"\0" * 7),
    ]
    assert sandboxed_build.unpacked(sandboxed_build.packed(parts)) == parts
    assert sandboxed_build.packed(parts[:1]) != sandboxed_build.packed(
        [Code(CodeKind.PTX, parts[0].data)]
    )


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Code]]:
    """What is to be built in a child process; it is only noted."""
    noted: list[Sequence[Code]] = []

    def note(parts: Sequence[Code], device: DeviceDescription) -> None:
        noted.append(parts)

    monkeypatch.setattr(sandboxed_build, "try_build", note)
    return noted


@cache
def _compiled(source: str) -> Code:
    """The code of a program with one image, as Dovetail makes it."""
    (image,) = read_program(dovetail.build(PRELUDE + source).to_bytes()).abstract_modules
    (module,) = image.ir_modules
    return Code(CodeKind.SPIRV, bytes(module.code))


def _foreign(source: str, number: int) -> Code:
    """The same with another generator's number: equal in effect, new to everyone."""
    code = _compiled(source).data
    return Code(CodeKind.SPIRV, code[:8] + struct.pack("<I", number) + code[12:])


def _scrambled(spirv: bytes, seed: int) -> bytes:
    """The code with three words changed, at random but always the same."""
    chance, code = random.Random(seed), bytearray(spirv)
    for _ in range(3):
        place = 4 * chance.randrange(5, len(code) // 4)
        struct.pack_into("<I", code, place, chance.choice([0, 5, 0xFFFF, chance.getrandbits(32)]))
    return bytes(code)


def _run(native: OpenCLDevice, program: BackendProgram, value: float) -> float:
    kernel = program.kernel(KERNEL, follows_pointers=False)
    data = np.array([value], "f4")
    kernel.set_pointer(0, native.array_argument(data))
    kernel.set_bytes(1, b"\0")  # a lambda without captures is a class of one byte
    queue = native.open_queue()
    queue.wait(queue.launch(kernel, (1,), None))
    return float(data[0])
