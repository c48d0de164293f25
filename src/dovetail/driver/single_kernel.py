"""`dovetail.kernel`: a kernel from the text of one function."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from dovetail.driver.building import OptimizationLevel, Standard, build
from dovetail.errors import UsageError

if TYPE_CHECKING:
    from dovetail.runtime import Kernel

Dimensions: TypeAlias = Literal[0, 1, 2, 3]
"""Of a kernel's range; 0 for a single task."""

_ITEM = """\
namespace {{
[[maybe_unused]] sycl::nd_item<{0}> item() {{
  return sycl::ext::oneapi::this_work_item::get_nd_item<{0}>();
}}
}}
"""
_PROPERTY = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::{}))"


def kernel(
    function: str,
    *,
    dimensions: Dimensions = 1,
    preamble: str = "",
    standard: Standard = "c++17",
    optimization: OptimizationLevel = 2,
    macros: Mapping[str, str | int | None] | None = None,
    include_directories: Sequence[str | PathLike[str]] = (),
) -> "Kernel":
    """Return the kernel whose C++ function is given as text.

    >>> squares = kernel("void squares(int *x) { auto i = item().get_global_id(0); x[i] = i * i; }")
    >>> x = np.zeros(4, np.int32)
    >>> queue.parallel_for(squares, 4, x).wait()
    >>> x
    array([0, 1, 4, 9], dtype=int32)

    Args:
        function: The definition of a function that returns void. In it, `item()` is the work-item,
            a `sycl::nd_item` of that many dimensions.
        dimensions: The dimensions of the range; 0 for a single task.
        preamble: What the function needs: `#include`, classes, other functions.
        standard: The C++ standard, as in `-std=`.
        optimization: The optimization level, as in `-O`.
        macros: Values by name; None defines a macro without a value.
        include_directories: Folders to look for headers in, as in `-I`.
    """
    program = build(
        _source(function, dimensions, preamble),
        standard=standard,
        optimization=optimization,
        macros=macros,
        include_directories=include_directories,
    )
    if len(program) != 1:
        names = ", ".join(each.name for each in program)
        raise UsageError(
            f"expected one kernel, got {len(program)}: {names}",
            hint="use dovetail.build for several kernels, and `preamble` for other functions",
        )
    return program.kernels[0]


def _source(function: str, dimensions: Dimensions, preamble: str) -> str:
    """Return the source; compilers number its lines as in the texts."""
    if dimensions not in get_args(Dimensions):
        raise UsageError(f"expected 0 to 3 dimensions, got {dimensions!r}")
    kind = f"nd_range_kernel<{dimensions}>" if dimensions else "single_task_kernel"
    parts = (
        "#include <sycl/sycl.hpp>",
        _ITEM.format(dimensions) if dimensions else "",
        f'#line 1 "preamble"\n{preamble}',
        _PROPERTY.format(kind),
        f'#line 1 "kernel"\n{function}\n',
    )
    return "\n".join(parts)
