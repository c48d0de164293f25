"""Damaged programs whose images are conditional: an error that says so, or code that can be built.

Nothing is started: what damaged code would do when it runs is its own affair.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from variants import variant

import dovetail
from dovetail import Device, DovetailError, Program
from dovetail.image import read_program, write_program
from dovetail.runtime import devices
from dovetail.runtime.kernel import Kernel

pytestmark = pytest.mark.device

SOURCE = Path(__file__).parent / "designs" / "actions.cpp"


@pytest.fixture(scope="module")
def data() -> bytes:
    program = dovetail.build(
        SOURCE, include_directories=[SOURCE.parent], optional_features="conditional"
    )
    return program.to_bytes()


@pytest.fixture(scope="module")
def places() -> list[Device]:
    """Devices on which constants differ."""
    device = devices()[0]
    return [device, device.as_target("intel_gpu_acm_g10")]


def flipped(data: bytes, draw: random.Random, count: int) -> bytes:
    damaged = bytearray(data)
    for _ in range(count):
        damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
    return bytes(damaged)


def with_damaged_code(data: bytes, draw: random.Random) -> bytes:
    syclbin = read_program(data)
    (image,) = syclbin.abstract_modules
    (ir,) = image.ir_modules
    code = flipped(bytes(ir.code), draw, draw.choice([1, 1, 2, 8]))
    damaged = replace(image, ir_modules=(replace(ir, code=code),))
    return write_program(replace(syclbin, abstract_modules=(damaged,)))


def with_damaged_properties(data: bytes, draw: random.Random) -> bytes:
    """One property has other bits, or is another's, or is gone."""
    syclbin = read_program(data)
    (image,) = syclbin.abstract_modules
    sets = {name: dict(properties) for name, properties in image.metadata.items()}
    properties = sets[draw.choice([*sets])]
    name = draw.choice([*properties])
    match draw.choice(["bits", "bits", "bits", "other", "gone"]):
        case "bits":
            properties[name] = _changed(properties[name], draw)
        case "other":
            properties[name] = draw.choice([*properties.values()])
        case _:
            del properties[name]
    damaged = replace(image, metadata=sets)
    return write_program(replace(syclbin, abstract_modules=(damaged,)))


def _changed(value: int | bytes, draw: random.Random) -> int | bytes:
    if isinstance(value, int):
        return value ^ 1 << draw.randrange(32)
    return flipped(value, draw, draw.choice([1, 2])) if value else b"\xff"


def with_damaged_bytes(data: bytes, draw: random.Random) -> bytes:
    return flipped(data, draw, draw.choice([1, 4]))


def tried(data: bytes, places: list[Device]) -> Iterator[DovetailError]:
    """What is wrong with a program, kernel by kernel, up to what the driver builds."""
    try:
        program = Program.from_bytes(data)
        kernels = list(program.kernels)
    except DovetailError as error:
        yield error
        return
    for device in places:
        for kernel in kernels[:3]:
            error = kernel.fit(device)
            if error is None:
                error = _failure(kernel, device)
            if error is not None:
                yield error


def _failure(kernel: Kernel, device: Device) -> DovetailError | None:
    try:
        kernel.built_for(device)
    except DovetailError as error:
        return error
    return None


Damage = Callable[[bytes, random.Random], bytes]
each_damage = pytest.mark.parametrize(
    "damage",
    [variant(with_damaged_properties), with_damaged_bytes, variant(with_damaged_code)],
)


@each_damage
@given(draw=st.randoms(use_true_random=False))
def test_damaged_programs(
    damage: Damage, draw: random.Random, data: bytes, places: list[Device]
) -> None:
    assert all(error.message for error in tried(damage(data, draw), places))


@each_damage
def test_damage_is_noticed(damage: Damage, data: bytes, places: list[Device]) -> None:
    """Else the test above would show little."""
    draw = random.Random(1)
    assert any(error for _ in range(25) for error in tried(damage(data, draw), places))
