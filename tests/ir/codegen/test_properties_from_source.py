"""Properties with each type of value, defined here, from C++ to LLVM IR and SPIR-V."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from dovetail.cli.main import main
from dovetail.ir import Context, Module as IRModule
from dovetail.postlink.compile_time_properties import properties_in
from dovetail.spirv import SpirvModule, instruction
from dovetail.spirv.opcodes import (
    DECORATE,
    ENTRY_POINT,
    EXECUTION_MODE,
    FUNCTION,
    FUNCTION_PARAMETER,
    NAME,
)


class Value(NamedTuple):
    """A value in C++, in LLVM IR, and as operands in SPIR-V."""

    number: int
    type: str
    written: str
    text: str
    operands: tuple[int | str, ...]

    def __str__(self) -> str:
        return f"{self.type} {self.written}"


VALUES = [
    Value(7700, "const char *", '""', "", ()),
    Value(7701, "const char *", '"a, b=\\\\"', "a, b=\\", ("a, b=\\",)),
    Value(7702, "const char *", '"8,4,1"', "8,4,1", (8, 4, 1)),
    Value(7703, "int", "-7", "-7", (0xFFFF_FFF9,)),
    Value(7704, "float", "1.5f", "1.500000", ("1.500000",)),
    Value(7705, "bool", "true", "true", ("true",)),
    Value(7706, "char", "'c'", "c", ("c",)),
    Value(7707, "grade", "grade::high", "2", (2,)),
]

KERNEL = "_ZTSZ5startRN4sycl3_V15queueEPiE8followed"
VARIABLE = "watched"
SOURCE = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
enum class grade { low = 1, high };
template <int Number> struct mark;
template <int Number> struct mode;
DEFINITIONS
using marks = ext::property_list_t<MARKS>;
using modes = ext::property_list_t<MODES>;
ext::device_global<int, marks> watched;
void start(sycl::queue &q, int *p) {
  ext::experimental::annotated_ptr<int, marks> captured(p);
  q.single_task<class followed>(modes{}, [=] { *captured = watched; });
}
"""


def definition(value: Value, name: str, prefix: str) -> str:
    return (
        f"template <> struct {name}<{value.number}> {{ using key_t = {name};"
        f' static constexpr const char *meta_name = "{prefix}-{value.number}";'
        f" static constexpr {value.type} meta_value = {value.written}; }};"
    )


def source() -> str:
    marks = [definition(value, "mark", "sycl-decoration") for value in VALUES]
    modes = [definition(value, "mode", "sycl-execution-mode") for value in VALUES]
    return (
        SOURCE.replace("DEFINITIONS", "\n".join([*marks, *modes]))
        .replace("MARKS", ", ".join(f"mark<{value.number}>" for value in VALUES))
        .replace("MODES", ", ".join(f"mode<{value.number}>" for value in VALUES))
    )


class Built(NamedTuple):
    """The results of building the source."""

    module: IRModule
    image: SpirvModule
    targets: Mapping[str, int]
    """The ids with the properties."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("properties")
    (folder / "a.cpp").write_text(source())
    words = ["-fsycl", "-fsyclbin", f"-save-temps={folder}", str(folder / "a.cpp")]
    assert main(["c++", *words, "-o", str(folder / "a.syclbin")]) == 0
    image = SpirvModule.read((folder / "a.image_0.spv").read_bytes())
    return Built(_module(folder / "a.device.spirv64.passes.bc"), image, targets(image))


def _module(path: Path) -> IRModule:
    return IRModule.parse(Context(), path.read_bytes(), path.name)


def targets(image: SpirvModule) -> dict[str, int]:
    found: dict[str, int] = {}
    function = 0
    for opcode, at, _ in image.instructions():
        if opcode == ENTRY_POINT and image.string(at, 3) == KERNEL:
            found["kernel"] = image.operand(at, 2)
        elif opcode == NAME and image.string(at, 2) == VARIABLE:
            found["variable"] = image.operand(at, 1)
        elif opcode == FUNCTION:
            function = image.operand(at, 2)
        elif opcode == FUNCTION_PARAMETER and function == found["kernel"]:
            found["parameter"] = image.operand(at, 2)  # the kernel object, and then the pointer
    return found


def decorated(image: SpirvModule, opcode: int, value: Value) -> set[int]:
    """Return the ids with a decoration or execution mode that has these operands."""
    found: set[int] = set()
    for each, at, _ in image.instructions():
        if each == opcode and image.operand(at, 2) == value.number:
            found.add(image.operand(at, 1))
            expected = instruction(opcode, image.operand(at, 1), value.number, *value.operands)
            assert image.words[at : image.end(at)] == expected
    return found


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_on_kernels(built: Built, value: Value) -> None:
    (text,) = built.module.function_attributes(f"sycl-execution-mode-{value.number}").values()
    assert text == value.text
    assert decorated(built.image, EXECUTION_MODE, value) == {built.targets["kernel"]}


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_on_parameters(built: Built, value: Value) -> None:
    (text,) = built.module.parameter_attributes(f"sycl-decoration-{value.number}").values()
    assert text == value.text
    assert built.targets["parameter"] in decorated(built.image, DECORATE, value)


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_on_variables(built: Built, value: Value) -> None:
    values = built.module.global_variable_attributes(f"sycl-decoration-{value.number}")
    assert values == {VARIABLE: value.text}
    assert built.targets["variable"] in decorated(built.image, DECORATE, value)


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_on_members(built: Built, value: Value) -> None:
    (annotation,) = built.module.pointer_annotations()
    properties = dict(properties_in(annotation.removeprefix("sycl-properties:")))
    assert properties[f"sycl-decoration-{value.number}"] == value.text
    elsewhere = {built.targets["parameter"], built.targets["variable"]}
    assert len(decorated(built.image, DECORATE, value) - elsewhere) == 1
