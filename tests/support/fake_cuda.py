"""A mock NVIDIA driver, with the functions of `cuda.bindings.driver` that the back-end uses.

It has the real bindings' types and enumerations, checks handles and arguments strictly, reads real
cubins, compiles PTX with the real ptxas, and runs kernels on the CPU by their SPIR-V. Streams are
as lazy as a driver may be: nothing runs before something waits for it, and then only what is
needed. So work whose dependency is missing sees old values.
"""

from ctypes import addressof, c_char, c_void_p, memmove, memset, string_at
from types import SimpleNamespace
from typing import Any

from fake_cubins import FakeFunction, RefusedCode, compiled, constants_of, functions_of
from fake_driver import Failed, FakeDriver, FakeMemory, R, bindings, entry


class FakeCuda(FakeDriver):
    """The driver, with one or several GPUs of one architecture."""

    # Memory

    @property
    def used(self) -> int:
        """Bytes that are allocated on the GPU; managed memory is not there before it is used."""
        return sum(each.size for each in self.allocations.values() if each.kind == "device")

    def allocate(self, kind: str, size: int) -> int:
        if size <= 0:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        if kind == "device" and self.used + size > self.memory:
            raise Failed(R.CUDA_ERROR_OUT_OF_MEMORY)
        content = (c_char * (size + 256))()
        address = -(-addressof(content) // 256) * 256
        self.allocations[address] = FakeMemory(kind, size, content)
        return address

    @entry(1)
    def cuMemAlloc(self, size: int) -> Any:
        return bindings.CUdeviceptr(self.allocate("device", size))

    @entry(1)
    def cuMemAllocManaged(self, size: int, flags: int) -> Any:
        assert flags == bindings.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL
        return bindings.CUdeviceptr(self.allocate("managed", size))

    @entry(1)
    def cuMemHostAlloc(self, size: int, flags: int) -> int:
        assert flags == 3
        return self.allocate("host", size)

    @entry()
    def cuMemFree(self, address: int) -> None:
        self._free(address, ("device", "managed"))

    @entry()
    def cuMemFreeHost(self, address: int) -> None:
        self._free(address, ("host",))

    def _free(self, address: int, kinds: tuple[str, ...]) -> None:
        # The driver waits for everything.
        self.run_all()
        if int(address) not in self.allocations or self.allocations[int(address)].kind not in kinds:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        del self.allocations[int(address)]

    @entry(2)
    def cuMemGetInfo(self) -> tuple[int, int]:
        return self.memory - self.used, self.memory

    def _room(self, address: int) -> int | None:
        """Return the bytes from an address to the end of its allocation; None for other memory."""
        for base, each in self.allocations.items():
            if base <= address < base + each.size:
                return base + each.size - address
        return None

    @entry()
    def cuMemcpyAsync(self, target: int, source: int, size: int, stream: Any) -> None:
        rooms = [self._room(address) for address in (target, source)]
        if any(room is not None and room < size for room in rooms):
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)

        def copy() -> None:
            memmove(target, source, size)

        self.enqueue(stream, copy)
        if None in rooms:
            # With memory that is not page-locked, the driver may wait.
            self.finish(self.at("CUstream", stream))

    def _set(self, address: int, value: int, width: int, count: int, stream: Any) -> None:
        room = self._room(address)
        if room is None or room < width * count or address % width or value >= 1 << 8 * width:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        content = value.to_bytes(width, "little") * count

        def write() -> None:
            if width == 1:
                memset(address, value, count)
            else:
                memmove(address, content, len(content))

        self.enqueue(stream, write)

    @entry()
    def cuMemsetD8Async(self, target: int, value: int, count: int, stream: Any) -> None:
        self._set(target, value, 1, count, stream)

    @entry()
    def cuMemsetD16Async(self, target: int, value: int, count: int, stream: Any) -> None:
        self._set(target, value, 2, count, stream)

    @entry()
    def cuMemsetD32Async(self, target: int, value: int, count: int, stream: Any) -> None:
        self._set(target, value, 4, count, stream)

    # Code

    @entry(1)
    def cuLinkCreate(self, count: int, options: list[Any], values: list[Any]) -> Any:
        assert count == len(options) == len(values)
        log = values[[each.name for each in options].index("CU_JIT_ERROR_LOG_BUFFER")]
        return self.new_handle("CUlinkState", SimpleNamespace(parts=[], log=log, cubin=None))

    @entry()
    def cuLinkAddData(
        self,
        state: Any,
        kind: Any,
        data: bytes,
        size: int,
        name: bytes,
        count: int,
        options: list[Any],
        values: list[Any],
    ) -> None:
        assert kind == bindings.CUjitInputType.CU_JIT_INPUT_PTX
        assert (len(data), count, options, values) == (size, 0, [], [])
        assert isinstance(name, bytes)
        if not data.endswith(b"\0"):
            raise Failed(R.CUDA_ERROR_INVALID_PTX)
        self.at("CUlinkState", state).parts.append(data)

    @entry(2)
    def cuLinkComplete(self, state: Any) -> tuple[int, int]:
        linker = self.at("CUlinkState", state)
        major, minor = self.capability
        try:
            cubin = compiled(linker.parts, f"sm_{major}{minor}")
        except RefusedCode as refused:
            said = str(refused).encode()[: len(linker.log) - 1]
            linker.log[: len(said)] = said
            raise Failed(R.CUDA_ERROR_INVALID_PTX) from None
        linker.cubin = (c_char * len(cubin)).from_buffer_copy(cubin)
        return addressof(linker.cubin), len(cubin)

    @entry()
    def cuLinkDestroy(self, state: Any) -> None:
        self.at("CUlinkState", state)
        del self.live["CUlinkState", int(state)]

    @entry(1)
    def cuModuleLoadData(self, image: bytes) -> Any:
        # Loading may wait for everything.
        self.run_all()
        try:
            functions = functions_of(bytes(image))
        except RefusedCode:
            raise Failed(R.CUDA_ERROR_INVALID_IMAGE) from None
        variables = {
            symbol: self._load_constant(content)
            for symbol, content in constants_of(bytes(image)).items()
        }
        for function in functions.values():
            function.variables = variables
        return self.new_handle(
            "CUmodule", SimpleNamespace(functions=functions, variables=variables)
        )

    def _load_constant(self, content: bytes) -> tuple[int, int]:
        address = self.allocate("constant", len(content))
        memmove(address, content, len(content))
        return address, len(content)

    @entry()
    def cuModuleUnload(self, module: Any) -> None:
        self.run_all()
        for address, _ in self.at("CUmodule", module).variables.values():
            self._free(address, ("constant",))
        del self.live["CUmodule", int(module)]

    @entry(1)
    def cuModuleGetFunction(self, module: Any, name: bytes) -> Any:
        assert isinstance(name, bytes)
        functions = self.at("CUmodule", module).functions
        if name.decode() not in functions:
            raise Failed(R.CUDA_ERROR_NOT_FOUND)
        return self.new_handle("CUfunction", functions[name.decode()])

    @entry(2)
    def cuModuleGetGlobal(self, module: Any, name: bytes) -> tuple[Any, int]:
        assert isinstance(name, bytes)
        variables = self.at("CUmodule", module).variables
        if name.decode() not in variables:
            raise Failed(R.CUDA_ERROR_NOT_FOUND)
        address, size = variables[name.decode()]
        return bindings.CUdeviceptr(address), size

    @entry(1)
    def cuFuncGetAttribute(self, attribute: Any, function: Any) -> int:
        found: FakeFunction = self.at("CUfunction", function)
        return {
            "CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK": found.registers_limit,
            "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES": 0,
            "CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES": found.static_local,
        }[attribute.name]

    @entry(2)
    def cuFuncGetParamInfo(self, function: Any, index: int) -> tuple[int, int]:
        places = self.at("CUfunction", function).places
        if index not in places:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        return places[index]

    @entry()
    def cuFuncSetAttribute(self, function: Any, attribute: Any, value: int) -> None:
        assert attribute.name == "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"
        found = self.at("CUfunction", function)
        if value + found.static_local > self.attributes["MAX_SHARED_MEMORY_PER_BLOCK_OPTIN"]:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        found.local_limit = value + found.static_local

    @entry()
    def cuLaunchKernel(
        self,
        function: Any,
        grid_x: int,
        grid_y: int,
        grid_z: int,
        group_x: int,
        group_y: int,
        group_z: int,
        local_memory: int,
        stream: Any,
        parameters: int,
        extra: int,
    ) -> None:
        found: FakeFunction = self.at("CUfunction", function)
        groups, group = (grid_x, grid_y, grid_z), (group_x, group_y, group_z)
        self._check_launch(found, groups, group, local_memory)
        assert extra == 0
        values = _arguments(found, parameters)
        self.launches.append((found.symbol, groups, group, local_memory))

        def run() -> None:
            self.sticky = self.faults.pop(found.symbol, None)
            if self.sticky is None and not self._reaches(found.symbol, values):
                self.sticky = R.CUDA_ERROR_ILLEGAL_ADDRESS
            if self.sticky is None:
                constants = {name: string_at(*place) for name, place in found.variables.items()}
                self.kernels.run(found.symbol, values, groups, group, local_memory, constants)

        self.enqueue(stream, run)

    def _check_launch(
        self,
        function: FakeFunction,
        groups: tuple[int, ...],
        group: tuple[int, ...],
        local_memory: int,
    ) -> None:
        if not all(1 <= count <= most for count, most in zip(groups, _MOST_GROUPS, strict=True)):
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        items = group[0] * group[1] * group[2]
        if not 1 <= items <= 1024 or group[2] > 64:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        if function.required and function.required != group:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        if local_memory + function.static_local > function.local_limit:
            raise Failed(R.CUDA_ERROR_INVALID_VALUE)
        if items > function.registers_limit:
            raise Failed(R.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)

    def _reaches(self, symbol: str, values: list[bytes]) -> bool:
        addresses = self.kernels.pointers(symbol, values)
        return all(not address or self._room(address) is not None for address in addresses)


_MOST_GROUPS = (2**31 - 1, 65535, 65535)


def _arguments(function: FakeFunction, parameters: int) -> list[bytes]:
    """Return the arguments, copied when the kernel is launched."""
    count = len(function.places)
    addresses = (c_void_p * count).from_address(parameters)
    first = addresses[0] or 0 if count else 0
    for number in range(count):
        # The back-end keeps all arguments in one block with the layout of the device.
        offset = function.places[number][0] - function.places[0][0]
        assert (addresses[number] or 0) == first + offset
    return [
        string_at(addresses[number] or 0, function.places[number][1]) for number in range(count)
    ]
