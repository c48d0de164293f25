"""Arrays that export NumPy memory by one protocol, as those of other libraries do."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class WithInterface:
    """An array with one of the interfaces in the form of NumPy's."""

    def __init__(self, array: NDArray[Any], name: str, **more: object) -> None:
        self.array = array
        self._name = name
        self._more = more

    def __getattr__(self, name: str) -> Any:
        if name != self.__dict__.get("_name"):
            raise AttributeError(name)
        return {
            "version": 3,
            "shape": self.array.shape,
            "typestr": self.array.dtype.str,
            "descr": self.array.dtype.descr,
            "data": (self.array.ctypes.data, not self.array.flags.writeable),
            **self._more,
        }


class WithDLPack:
    """An array with DLPack; an old library does not know `max_version`."""

    def __init__(self, array: NDArray[Any], *, is_old: bool = False) -> None:
        self.array = array
        self._is_old = is_old

    def __dlpack__(self, **options: Any) -> object:
        if self._is_old and "max_version" in options:
            raise TypeError("unexpected keyword argument 'max_version'")
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def as_array(values: list[int], dtype: str = "i4") -> NDArray[Any]:
    return np.array(values, dtype)
