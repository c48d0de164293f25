"""Setting variables of loaded code: specialization constants with other values than the default.

The code of each set of values is loaded on its own, so variables do not change once they are set.
"""

from collections.abc import Callable, Sequence
from ctypes import addressof, c_char

from dovetail.errors import ProgramBuildError
from dovetail.runtime.backend import BackendQueue, VariableValue
from dovetail.runtime.cuda.program import CudaProgram


def set_variables(
    program: CudaProgram, values: Sequence[VariableValue], open_queue: Callable[[], BackendQueue]
) -> None:
    """Store the values, and wait until kernels read them."""
    if not values:
        return
    queue = open_queue()
    for symbol, offset, data in values:
        address, size = program.variable(symbol)
        if offset + len(data) > size:
            raise ProgramBuildError(
                f"variable '{symbol}' has {size} bytes in the code, but bytes up to"
                f" {offset + len(data)} are to be set"
            )
        content = (c_char * len(data)).from_buffer_copy(data)
        queue.wait(queue.copy(address + offset, addressof(content), len(data)), True)
