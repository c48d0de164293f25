"""What host code is told of kernels, on devices that nobody has."""

import re
import struct
from ctypes import addressof, c_char_p, c_int32, c_size_t, create_string_buffer
from dataclasses import replace
from pathlib import Path

import pytest
from mock_programs import DESCRIPTION, Image, device, program

from dovetail.errors import KernelNotFound
from dovetail.image import Requirements
from dovetail.runtime.backend import Detail
from dovetail.runtime.device import BACKENDS
from dovetail.runtime.host.device_info import answer
from dovetail.runtime.host.errc import Errc
from dovetail.runtime.host.functions import Functions
from dovetail.runtime.host.kernels import HostKernels
from dovetail.runtime.host.structures import DeviceQuery, KernelName
from dovetail.targets import aspect_number

HEADERS = Path(__file__).parents[4] / "include/sycl"

PROGRAM = (
    Image(("plain", "also_plain")),
    Image(("wide",), requires=Requirements((aspect_number("fp64"),))),
    Image(("narrow",), requires=Requirements((aspect_number("fp16"),))),
    Image(("grouped",), requires=Requirements(work_group_size=(2, 8))),
    Image(("needy",), imports=("_Z9elsewherei",)),
    Image(("foreign",), code=("PTX",)),
)


def functions(*images: Image) -> Functions:
    """With two devices: the second lacks fp64."""
    made = Functions([device(), device(aspects=frozenset({"gpu"}), name="another")])
    made.kernels.add(program(*images))
    return made


def fit(made: Functions, number: int, *symbols: str) -> list[int]:
    """What `kernel_fit` sets."""
    texts = (c_char_p * len(symbols))(*(symbol.encode() for symbol in symbols))
    codes = (c_int32 * len(symbols))(*[-1] * len(symbols))
    made.kernel_fit(number, addressof(texts), len(symbols), addressof(codes))
    return list(codes)


def test_the_verdict_is_that_of_a_launch_for_each_device() -> None:
    made = functions(*PROGRAM)
    asked = ("plain", "wide", "narrow", "grouped", "needy", "foreign", "absent")
    no, build, kernel = Errc.KERNEL_NOT_SUPPORTED, Errc.BUILD, Errc.KERNEL
    assert fit(made, 0, *asked) == [0, 0, no, 0, build, build, kernel]
    assert fit(made, 1, *asked) == [0, no, no, 0, build, build, kernel]
    assert fit(made, 0) == []


def test_the_message_is_that_of_the_first_that_does_not_fit() -> None:
    made = functions(*PROGRAM)
    fit(made, 1, "plain", "wide", "narrow")
    assert made.messages.last == (
        "kernel 'wide' cannot run on 'another': it needs aspect 'fp64', which the device does not"
        " have"
    )
    fit(made, 1, "plain")
    assert made.messages.last.startswith("kernel 'wide'")  # nothing new to tell
    fit(made, 0, "needy")
    assert made.messages.last.startswith("kernel 'needy' needs the function 'elsewhere(int)'")


def test_a_function_that_comes_later_makes_a_kernel_fit() -> None:
    # A name of its own: what is loaded here may still be there when another test runs.
    made = functions(Image(("waiting",), imports=("_Z5laterv",)))
    assert fit(made, 0, "waiting") == [Errc.BUILD]
    made.kernels.add(program(Image(exports=("_Z5laterv",)), name="b.syclbin"))
    assert fit(made, 0, "waiting") == [0]


def names(made: Functions) -> list[tuple[bytes, bytes]]:
    count = c_size_t()
    made.kernel_list(None, 0, addressof(count))
    found = (KernelName * count.value)()
    made.kernel_list(addressof(found), count.value, addressof(count))
    return [(each.symbol, each.name) for each in found]


def test_kernels_are_listed_once_however_many_programs_have_them() -> None:
    made = functions(Image(("plain", "also_plain")))
    made.kernels.add(program(Image(("plain", "more"))))
    assert names(made) == [(n, n) for n in (b"plain", b"also_plain", b"more")]


def test_names_stay_where_they_are() -> None:
    made, found = functions(*PROGRAM), (KernelName * 2)()
    symbol = create_string_buffer(b"wide")
    for number in range(2):
        made.kernel_find(addressof(symbol), addressof(found[number]))
        made.kernels.add(program(Image(("wide",))))
    assert bytes(found[0]) == bytes(found[1])
    address = struct.unpack("=QQ", bytes(found[0]))[1]
    assert c_char_p(address).value == b"wide"


@pytest.mark.parametrize(
    ("required", "sizes"),
    [((), [0, 0, 0]), ((8,), [1, 1, 8]), ((2, 8), [1, 2, 8]), ((2, 3, 4), [2, 3, 4])],
)
def test_the_work_group_that_a_kernel_requires(required: tuple[int, ...], sizes: list[int]) -> None:
    made = functions(Image(("kernel",), requires=Requirements(work_group_size=required)))
    symbol, found = create_string_buffer(b"kernel"), (c_size_t * 3)(7, 7, 7)
    made.kernel_work_group(0, addressof(symbol), addressof(found))
    assert list(found) == sizes


@pytest.mark.parametrize(
    ("asked", "name", "hint"),
    [
        ("_ZTS5plaim", "plaim", "did you mean 'plain'?"),
        ("_ZTSN3app5plainE", "app::plain", "another class names kernel 'plain': a class"),
        ("_ZTS9otherwise", "otherwise", ""),
    ],
)
def test_unknown_kernels(asked: str, name: str, hint: str) -> None:
    kernels = HostKernels()
    kernels.add(program(Image(("plain", "wide"))))
    with pytest.raises(KernelNotFound) as raised:
        kernels.kernel(asked)
    assert raised.value.message == (
        f"the program has no device code for kernel '{name}'; it has: plain, wide"
    )
    assert raised.value.hint.startswith(hint)
    assert bool(raised.value.hint) == bool(hint)


def no_detail(name: str) -> None:
    """The answer of a driver that reports nothing."""


def test_back_ends_have_the_numbers_of_the_header() -> None:
    found = re.findall(r"  (\w+) = (\d+),", (HEADERS / "backend.hpp").read_text())
    numbers = {name.removeprefix("ext_oneapi_"): int(number) for name, number in found}
    for backend in BACKENDS:
        told = answer(replace(DESCRIPTION, backend=backend), DeviceQuery.BACKEND, no_detail)
        assert struct.unpack("=I", told) == (numbers[backend],)


@pytest.mark.parametrize(
    ("target", "number"), [("x86_64", 0), ("intel_gpu_pvc", 20), ("my_gpu", -1), ("", -1)]
)
def test_a_device_that_nobody_knows_has_an_unknown_architecture(target: str, number: int) -> None:
    told = answer(replace(DESCRIPTION, target=target), DeviceQuery.ARCHITECTURE, no_detail)
    assert struct.unpack("=i", told) == (number,)


@pytest.mark.parametrize(
    ("detail", "told"), [(None, b""), (3, b"\3" + bytes(7)), ("a b", b"a b"), (b"\1\2", b"\1\2")]
)
def test_details_are_numbers_texts_and_bytes(detail: Detail | None, told: bytes) -> None:
    def of_driver(name: str) -> Detail | None:
        return detail if name == "max_samplers" else None

    assert answer(DESCRIPTION, DeviceQuery.MAX_SAMPLERS, of_driver) == told
    assert answer(DESCRIPTION, DeviceQuery.UUID, of_driver) == b""
