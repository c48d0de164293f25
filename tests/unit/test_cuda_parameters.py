"""What `interop/cuda` hands to NVIDIA's driver, with a card that only takes notes."""

from collections.abc import Sequence
from ctypes import c_uint64, c_void_p
from typing import Any, cast

import numpy as np
import pytest
from image_sets import properties_of
from interop.cuda.__main__ import MissingCode, Runner
from interop.cuda.checks import Array, Check, KernelObject
from interop.cuda.driver import Card

from dovetail.image import (
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    NativeImage,
    SyclBin,
)
from dovetail.kernel_info import ArgumentMember, KernelInfo, Parameter, ParameterKind

TRIPLE = "nvptx64-nvidia-cuda"
OBJECT, SCALAR, POINTER = ParameterKind.OBJECT, ParameterKind.SCALAR, ParameterKind.POINTER
MEMBERS = (
    ArgumentMember("local", 0, 8, "local_accessor"),
    ArgumentMember("pointer", 16, 8, "annotated_ptr"),
    ArgumentMember("local", 8, 8, "local_accessor"),
)
PARAMETERS = (
    Parameter("flag", "bool", SCALAR, 1, 1, "b1"),
    Parameter("object", "box", OBJECT, 24, 8, members=MEMBERS),
    Parameter("out", "float *", POINTER, 8, 8, "f4"),
    Parameter("count", "unsigned", SCALAR, 4, 4, "u4"),
)


class NotingCard:
    """Memory begins at 0x1000, and each array has 0x1000 for itself."""

    capability = (9, 0)

    def __init__(self) -> None:
        self.loaded: list[bytes] = []
        self.launches: list[tuple[Any, ...]] = []
        self.arrays: list[Array] = []

    def load(self, code: bytes) -> c_void_p:
        self.loaded.append(code)
        return c_void_p(len(self.loaded))

    def function(self, module: c_void_p, symbol: str) -> c_void_p:
        return c_void_p(0)

    def upload(self, array: Array) -> c_uint64:
        self.arrays.append(array)
        return c_uint64(0x1000 * len(self.arrays))

    def download(self, address: c_uint64, array: Array) -> None:
        array[...] = self.arrays[address.value // 0x1000 - 1] + 1

    def launch(self, function: c_void_p, *rest: object) -> None:
        self.launches.append(rest)


def runner(card: NotingCard, images: Sequence[str], ptx: bool = False) -> Runner:
    kernel = KernelInfo("k_symbol", "k", "k(…)", 2, PARAMETERS)
    module = AbstractModule(
        {"Dovetail/kernels": {**properties_of(kernels=[kernel])}},
        (IRModule.of(IRType.PTX, TRIPLE, b"ptx"),),
        tuple(NativeImage.of(name, TRIPLE, name.encode()) for name in images),
    )
    program = SyclBin.of(BundleState.EXECUTABLE, [module])
    return Runner(cast(Card, card), program, ptx)


def check() -> Check:
    inner, out = np.zeros(2, "u4"), np.zeros(3, "f4")
    box = KernelObject(bytes(range(24)), ((16, inner),), (100, 200))
    return Check("k", (4, 6), (2, 3), (True, box, out, 7), lambda _results: True)


def test_parameters_in_order_and_further_ones_behind() -> None:
    card = NotingCard()
    results = runner(card, ["nvidia_gpu_sm_90"]).run(check())
    ((groups, group, local_memory, parameters),) = card.launches
    # x comes first.
    assert (groups, group) == ((2, 2, 1), (3, 2, 1))
    assert parameters == [
        b"\1",
        bytes(range(16)) + (0x1000).to_bytes(8, "little"),
        (0x2000).to_bytes(8, "little"),
        (7).to_bytes(4, "little"),
        (0).to_bytes(4, "little"),
        (0x1000).to_bytes(8, "little"),
        (128).to_bytes(4, "little"),
    ]
    assert local_memory == 128 + 256
    assert [result.tolist() for result in results] == [[1, 1], [1, 1, 1]]


def test_the_code_is_the_cards() -> None:
    card = NotingCard()
    found = runner(card, ["nvidia_gpu_sm_80", "nvidia_gpu_sm_90"])
    found.run(check())
    found.run(check())
    assert card.loaded == [b"nvidia_gpu_sm_90"]
    runner(card, [], ptx=True).run(check())
    assert card.loaded[-1] == b"ptx"


def test_no_code_for_the_card() -> None:
    with pytest.raises(MissingCode):
        runner(NotingCard(), ["nvidia_gpu_sm_80"]).run(check())
