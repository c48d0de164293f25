"""Numbers and objects as bytes."""

import struct

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dovetail.kernel_info import Field, Parameter, ParameterKind
from dovetail.runtime.number_encoding import EncodingError, number_packer
from dovetail.runtime.object_encoding import object_packer

INTEGERS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")


@given(st.sampled_from(INTEGERS), st.integers(-(1 << 65), 1 << 65))
def test_integers_are_held_or_refused(encoding: str, value: int) -> None:
    info = np.iinfo(encoding)
    if info.min <= value <= info.max:
        assert number_packer(encoding)(value) == np.array(value, encoding).tobytes()
    else:
        with pytest.raises(
            EncodingError, match=f"expected a number from {info.min} to {info.max}, got {value}"
        ):
            number_packer(encoding)(value)


@given(st.sampled_from(["f2", "f4", "f8"]), st.floats(width=16))
def test_floats(encoding: str, value: float) -> None:
    packed = number_packer(encoding)(value)
    assert np.array_equal(np.frombuffer(packed, encoding), [value], equal_nan=True)


@pytest.mark.parametrize("value", [True, np.True_, 1, np.uint8(1)])
def test_booleans_are_one_byte(value: object) -> None:
    assert number_packer("b1")(value) == b"\1"


@pytest.mark.parametrize(
    ("encoding", "value"),
    [
        ("i4", np.int8(-5)),
        ("f4", np.float64(-5)),
        ("f4", -5),
        ("f8", np.int32(-5)),
        ("i8", np.array(-5)),
    ],
)
def test_numpy_scalars(encoding: str, value: object) -> None:
    assert np.frombuffer(number_packer(encoding)(value), encoding)[0] == -5


def test_booleans_are_numbers() -> None:
    assert number_packer("i2")(np.True_) == b"\1\0"
    assert number_packer("f4")(np.True_) == struct.pack("<f", 1)


@pytest.mark.parametrize(
    ("encoding", "value", "message"),
    [
        ("i4", 1.0, "expected an integer, got 1.0 of type float"),
        ("i4", np.float32(2), "of type float32"),
        ("u4", "7", "expected an integer, got '7' of type str"),
        ("b1", 2, "expected a number from 0 to 1, got 2"),
        ("f4", None, "expected a number, got None of type NoneType"),
        ("f4", 1j, "expected a number, got 1j of type complex"),
        ("f4", np.ones(1), "of type ndarray"),
        ("f2", 70000.0, "expected a number in the range of float16, got 70000.0 of type float"),
        ("f8", 10**400, "expected a number in the range of float64, got 1000000000"),
        ("i4", "x" * 100, "... of type str"),
    ],
)
def test_values_that_do_not_fit(encoding: str, value: object, message: str) -> None:
    with pytest.raises(EncodingError) as raised:
        number_packer(encoding)(value)
    assert message in str(raised.value)


def _object(*fields: Field, size: int = 16) -> Parameter:
    return Parameter("o", "Thing", ParameterKind.OBJECT, size, 8, fields=fields)


PAIR = _object(Field("n", 0, "i4"), Field("xs", 8, "f4", 2))


def test_members_by_order_and_by_name() -> None:
    expected = struct.pack("<i4xff", 7, 0.5, 1.5)
    assert object_packer(PAIR)((7, [0.5, 1.5])) == expected
    assert object_packer(PAIR)({"xs": (0.5, 1.5), "n": 7}) == expected


def test_memory_as_it_is() -> None:
    data = bytes(range(16))
    for value in (data, bytearray(data), memoryview(data), np.frombuffer(data, "V16")[0]):
        assert object_packer(PAIR)(value) == data


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (PAIR, b"123", "expected 16 bytes, got 3"),
        (PAIR, (1,), "expected 2 members (n, xs), got 1"),
        (PAIR, {"n": 1, "y": 2}, "expected members n, xs, got n, y"),
        (PAIR, (1.5, [0, 0]), "member 'n': expected an integer, got 1.5 of type float"),
        (PAIR, (1, [0, 0, 0]), "member 'xs': expected 2 numbers, got 3"),
        (PAIR, (1, 5), "member 'xs': expected a sequence of 2 numbers, got 5 of type int"),
        (PAIR, (1, "ab"), "member 'xs': expected a sequence of 2 numbers, got 'ab' of type str"),
        (PAIR, 5, "expected bytes, a ctypes structure"),
        (_object(), (1,), "its members are not known; give its bytes"),
        (_object(Field("n", 0, "O")), (1,), "its members are not known"),
        (_object(Field("n", 12, "i8")), (1,), "its members are not known"),
        (_object(Field("n", 0, "i4", 1 << 40)), (1,), "its members are not known"),
    ],
)
def test_objects_that_do_not_fit(parameter: Parameter, value: object, message: str) -> None:
    with pytest.raises(EncodingError) as raised:
        object_packer(parameter)(value)
    assert message in str(raised.value)


def _complex(size: int, align: int, spelled: str) -> Parameter:
    return Parameter("z", spelled, ParameterKind.OBJECT, size, align)


@pytest.mark.parametrize("value", [1.5 - 2j, np.complex64(1.5 - 2j), np.complex128(1.5 - 2j)])
@pytest.mark.parametrize("spelled", ["std::complex<float>", "Impedance"])
def test_complex_numbers(value: object, spelled: str) -> None:
    assert object_packer(_complex(8, 4, spelled))(value) == struct.pack("<ff", 1.5, -2)
    assert object_packer(_complex(16, 8, spelled))(value) == struct.pack("<dd", 1.5, -2)


def test_real_numbers_are_complex_numbers() -> None:
    pack = object_packer(_complex(8, 4, "std::complex<float>"))
    for value in (3, 3.0, np.float32(3)):
        assert pack(value) == struct.pack("<ff", 3, 0)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (_complex(8, 4, "Thing"), 3, "expected bytes, a ctypes structure"),
        (_complex(12, 4, "Thing"), 3j, "expected bytes, a ctypes structure"),
        (PAIR, 3j, "expected bytes, a ctypes structure"),
        (_complex(8, 4, "std::complex<float>"), 1e300j, "in the range of float32, got 1e+300"),
        (_complex(8, 4, "std::complex<float>"), "3j", "got '3j' of type str"),
        (PAIR, np.float32(1), "expected 16 bytes, got 4"),
        (PAIR, np.str_("1234"), "got np.str_('1234') of type str"),
    ],
)
def test_complex_numbers_and_scalars_that_do_not_fit(
    parameter: Parameter, value: object, message: str
) -> None:
    with pytest.raises(EncodingError) as raised:
        object_packer(parameter)(value)
    assert message in str(raised.value)


def test_scalars_of_numpy_are_objects_of_their_size() -> None:
    scalar = np.complex128(1 - 1j)
    assert object_packer(PAIR)(scalar) == scalar.tobytes()
    assert object_packer(_complex(8, 8, "Time"))(np.datetime64(5, "s")) == struct.pack("<q", 5)
