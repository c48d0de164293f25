"""The wave shuffle on every processor: its code and its results."""

import operator
import re
from collections.abc import Callable, Sequence

import pytest

from dovetail.codegen.amdgcn.processor import Processor
from dovetail.codegen.amdgcn.wave_shuffle import wave_shuffle
from dovetail.codegen.processors import known_processors
from dovetail.ir import Context, Module
from dovetail.processor_functions import WAVE_SHUFFLE, declaration
from dovetail.targets import default_table
from dovetail.targets.ir_family import IRFamily

KERNEL = f"""
target triple = "amdgcn-amd-amdhsa"
{declaration(WAVE_SHUFFLE)}
define amdgpu_kernel void @k(ptr addrspace(1) %out) {{
%id = call i32 @llvm.amdgcn.workitem.id.x()
%from = getelementptr i32, ptr addrspace(1) %out, i32 %id
%value = load i32, ptr addrspace(1) %from
%wanted = mul i32 %value, %id
%result = call i32 @{WAVE_SHUFFLE}(i32 %value, i32 %wanted)
store i32 %result, ptr addrspace(1) %from
ret void
}}"""

SIZES = {
    (Processor.of(target).name, size): len(target.sub_group_sizes) > 1
    for target in default_table()
    if target.toolchain == "amdgpu"
    for size in target.sub_group_sizes
}
"""The processors of the table with their wavefront sizes, and whether there are several."""


def wanted(generation: int, size: int) -> set[str]:
    """Return the instructions that move values between lanes."""
    if generation == 7:
        return {"v_readlane_b32"}
    if generation == 10 and size == 64:
        return {"ds_bpermute_b32", "v_readlane_b32"}
    if generation == 11 and size == 64:
        return {"ds_bpermute_b32", "v_permlane64_b32"}
    return {"ds_bpermute_b32"}


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_every_processor_has_code(name: str, size: int) -> None:
    if name not in known_processors(IRFamily.AMDGCN).names:
        pytest.skip(f"LLVM does not know {name}")
    processor = Processor(name, ())
    text = Module.parse(Context(), KERNEL.encode(), "kernel").emit(
        cpu=name,
        features=f"+wavefrontsize{size}" if SIZES[name, size] else "",
        libraries=[wave_shuffle(processor, size)],
        passes="default<O1>",
        assembly=True,
    )
    moving = re.findall(r"^\s+(ds_bpermute\w*|v_readlane\w*|v_permlane64\w*)", text.decode(), re.M)
    assert set(moving) == wanted(processor.generation, size)


@pytest.mark.parametrize(
    ("name", "generation"),
    [("gfx705", 7), ("gfx90a", 9), ("gfx1036", 10), ("gfx10-3-generic", 10), ("gfx9-generic", 9)],
)
def test_generations(name: str, generation: int) -> None:
    assert Processor(name, ()).generation == generation
    assert Processor("unheard-of", ()).generation == 0


Lanes = list[int]


def same(value: int) -> int:
    return value


def zeros_behind(value: int, _: int) -> int:
    return (value & -value).bit_length() - 1


def chosen(condition: int, one: int, other: int) -> int:
    return one if condition else other


EACH_LANE: dict[str, Callable[..., int]] = {
    "freeze": same,
    "trunc": same,
    "cttz": zeros_behind,
    "shl": int.__lshift__,
    "and": int.__and__,
    "xor": int.__xor__,
    "icmp ne": operator.ne,
    "icmp eq": operator.eq,
    "select": chosen,
}
"""The instructions that work in one lane."""


class Wave:
    """Interprets a function in textual IR as a wave of 64 lanes with uniform control flow."""

    def __init__(self, text: str, lanes: Sequence[int]) -> None:
        """Create a wave; `lanes` are the active ones."""
        self.lanes = lanes
        body = text[text.index("entry:") : text.rindex("}")]
        blocks = re.findall(r"^(\w+):\n?(.*?)(?=^\w+:|\Z)", body, re.M | re.S)
        self.blocks = {label: code.split("\n") for label, code in blocks}
        self.values: dict[str, Lanes] = {}

    def run(self, value: Lanes, wanted: Lanes) -> Lanes:
        self.values = {"%value": value, "%from": wanted}
        before, block = "", "entry"
        while True:
            following = self.through(self.blocks[block], before)
            if isinstance(following, list):
                return following
            before, block = block, following

    def through(self, code: Sequence[str], before: str) -> str | Lanes:
        """Return the next block, or the result."""
        arrived = dict(self.values)
        for line in filter(None, code):
            if returned := re.fullmatch(r"ret i32 (\S+)", line):
                return self.of(returned[1])
            if branch := re.fullmatch(r"br i1 (\S+), label %(\w+), label %(\w+)", line):
                (goes,) = {self.of(branch[1])[lane] for lane in self.lanes}
                return branch[2] if goes else branch[3]
            name, _, computed = line.partition(" = ")
            if computed.startswith("phi"):
                ways = {way: value for value, way in re.findall(r"\[ (\S+), %(\w+) \]", computed)}
                self.values[name] = arrived[ways[before]]
            else:
                self.values[name] = self.compute(computed)
        raise AssertionError("a block has no end")

    def of(self, operand: str) -> Lanes:
        constants = {"true": 1, "false": 0, "poison": 0xDEAD}
        if operand in self.values:
            return self.values[operand]
        return [constants[operand] if operand in constants else int(operand)] * 64

    def compute(self, code: str) -> Lanes:
        name = re.match(r"call \w+ @llvm\.([a-z.]+?)(\.i\d+)?\(|(\w+( [en][eq](?= ))?)", code)
        assert name
        words = re.findall(r"(?:i1|i32|i64|,) (%\w+|-?\d+\b|true|poison)", code)
        return self.instruction(name[1] or name[3], *map(self.of, words))

    def instruction(self, name: str, *operands: Lanes) -> Lanes:
        first, second = operands[0], operands[-1]
        if name == "amdgcn.ballot":
            return [sum(first[lane] << lane for lane in self.lanes)] * 64
        if name == "amdgcn.readlane":
            (place,) = {second[lane] for lane in self.lanes}  # which has to be the same for all
            return [first[place % 64]] * 64
        if name == "amdgcn.ds.bpermute":
            # Each half separately; inactive lanes pass 0.
            sources = [lane // 32 * 32 + first[lane] // 4 % 32 for lane in range(64)]
            return [second[source] if source in self.lanes else 0 for source in sources]
        if name == "amdgcn.mbcnt.lo":
            return [min(lane, 32) for lane in range(64)]
        if name == "amdgcn.mbcnt.hi":
            return [max(lane - 32, 0) + second[lane] for lane in range(64)]
        each = EACH_LANE[name]
        return [each(*lane) for lane in zip(*operands, strict=True)]


@pytest.mark.parametrize("count", [64, 48, 33, 20, 1])
@pytest.mark.parametrize("name", ["gfx700", "gfx1010"])
def test_requested_values_arrive(name: str, count: int) -> None:
    text = wave_shuffle(Processor(name, ()), 64).decode()
    lanes = range(count)
    value = [1000 + lane if lane in lanes else -1 for lane in range(64)]
    for wanted in (
        [0] * 64,
        [lane ^ 5 for lane in range(64)],
        [lane ^ 32 for lane in range(64)],
        [lane + 1 for lane in range(64)],
        [lane - 2 for lane in range(64)],
        [lane * 37 % 64 for lane in range(64)],
        [count - 1 - lane for lane in range(64)],
    ):
        found = Wave(text, lanes).run(value, wanted)
        there = [lane for lane in lanes if wanted[lane] in lanes]
        assert [found[lane] for lane in there] == [1000 + wanted[lane] for lane in there]
