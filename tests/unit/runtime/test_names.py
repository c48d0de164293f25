"""Kernels by name."""

import pytest

from dovetail.errors import KernelNotFound
from dovetail.kernel_info import KernelInfo
from dovetail.runtime.kernel_names import find_kernel


def _kernel(symbol: str, name: str, signature: str) -> KernelInfo:
    return KernelInfo(symbol, name, signature, 1, ())


SAXPY = _kernel("_Z5saxpyf", "blas::one::saxpy", "blas::one::saxpy(float, float const*)")
SCALE_F = _kernel("_Z5scaleIfEvPT_", "blas::scale<float>", "void blas::scale<float>(float*)")
SCALE_D = _kernel("_Z5scaleIdEvPT_", "blas::scale<double>", "void blas::scale<double>(double*)")
NESTED = _kernel("_Z4mainI", "wrap<ns::inner(int)>::go", "wrap<ns::inner(int)>::go()")
ENTRY = _kernel("__sycl_kernel_Vector", "Vector", "Vector")
GLOBAL = _kernel("_Z2go", "sort", "sort(int*)")
SCOPED = _kernel("_Z3lib2go", "lib::sort", "lib::sort(int*)")
ALL = (SAXPY, SCALE_F, SCALE_D, NESTED, ENTRY, GLOBAL, SCOPED)


@pytest.mark.parametrize(
    ("name", "kernel"),
    [
        ("_Z5saxpyf", SAXPY),
        ("saxpy", SAXPY),
        ("one::saxpy", SAXPY),
        ("blas::one::saxpy", SAXPY),
        ("::blas::one::saxpy", SAXPY),
        ("saxpy(float, float const*)", SAXPY),
        ("blas::one::saxpy( float,float const * )", SAXPY),
        ("scale<float>", SCALE_F),
        ("scale<double>(double*)", SCALE_D),
        ("void blas::scale<double>(double*)", SCALE_D),
        ("go", NESTED),
        ("wrap<ns::inner(int)>::go", NESTED),
        ("Vector", ENTRY),
        ("__sycl_kernel_Vector", ENTRY),
        ("sort", GLOBAL),
        ("lib::sort", SCOPED),
    ],
)
def test_names_that_fit_one_kernel(name: str, kernel: KernelInfo) -> None:
    assert find_kernel(name, ALL) is kernel


def test_ambiguous_names_list_what_they_can_be() -> None:
    with pytest.raises(KernelNotFound) as raised:
        find_kernel("scale", ALL)
    assert str(raised.value) == (
        "kernel name 'scale' is ambiguous; candidates:\n"
        "  void blas::scale<float>(float*)\n"
        "  void blas::scale<double>(double*)\n"
        "use one of these signatures"
    )


def test_unknown_names_list_what_there_is() -> None:
    with pytest.raises(KernelNotFound) as raised:
        find_kernel("saxpi", (SAXPY, SCALE_F))
    assert str(raised.value) == (
        "there is no kernel 'saxpi' in the program; it has: "
        "blas::one::saxpy(float, float const*), void blas::scale<float>(float*)\n"
        "did you mean 'saxpy'?"
    )


@pytest.mark.parametrize("name", ["inner", "inner(int)>::go", "axpy", "", "::"])
def test_parts_of_names_are_no_names(name: str) -> None:
    with pytest.raises(KernelNotFound):
        find_kernel(name, ALL)


def test_a_program_without_kernels() -> None:
    with pytest.raises(KernelNotFound, match="the program has no kernels"):
        find_kernel("saxpy", ())
