"""Python implementations of the C functions in `api_table`, under the same names.

`include/sycl/detail/host/api.hpp` describes each of them.

Any thread may call them. Their exceptions become status codes. Null pointers are None.
"""

from ctypes import (
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    memmove,
    sizeof,
    string_at,
)
from typing import TypeAlias

from dovetail.runtime.device import Device
from dovetail.runtime.host.buffer import Buffer
from dovetail.runtime.host.commands import CopyGlobal, Marker, copy_command, fill_command
from dovetail.runtime.host.errc import Errc, HostError, errc_of
from dovetail.runtime.host.guard import Messages
from dovetail.runtime.host.handles import Handles
from dovetail.runtime.host.host_kernel import HostLaunch, RunKernel, driver_sizes
from dovetail.runtime.host.host_work import HostTask, HostTaskFailure, HostTasks
from dovetail.runtime.host.kernels import HostKernels, Names
from dovetail.runtime.host.needs import read_needs
from dovetail.runtime.host.queue import HostQueue, QueuedCommand, QueueWork
from dovetail.runtime.host.scheduler import Scheduler
from dovetail.runtime.host.structures import (
    HOST_TASK_FAILURE,
    Access,
    BufferSource,
    ConstantValue,
    GlobalCopyStruct,
    KernelName,
    KernelQuery,
    UsmKind,
)
from dovetail.runtime.host.usm import UsmBlocks

Address: TypeAlias = int | None


class Functions:
    """The functions of the table and their state, one object for each process."""

    def __init__(self, devices: list[Device]) -> None:
        self.messages = Messages()
        self.kernels = HostKernels()
        self._devices = devices
        self._handles = Handles()
        self._scheduler = Scheduler()
        self._host_tasks = HostTasks()
        self._blocks = UsmBlocks()

    def wait_for_everything(self) -> None:
        """Wait for all work of all threads."""
        # Host code that ends the process does not end its host accesses.
        self._scheduler.end_all_host_accesses()
        self._host_tasks.end_own()
        while True:
            for device in self._devices:
                device.work.settle()
            # Host tasks may submit new work; work that other threads submit now is not waited for.
            if not self._host_tasks.are_unfinished:
                return

    def wait_for_devices(self) -> None:
        """Wait for all work that does not wait for the host."""
        for device in self._devices:
            device.work.settle(device_work_only=True)

    def error_text(self, text: Address, capacity: int) -> int:
        message = self.messages.last.encode(errors="replace")
        _copy_out(message[:capacity], text)
        return len(message)

    # Devices

    def device_count(self, count: Address) -> None:
        _store(count, c_uint32, len(self._devices))

    def device_info(
        self, device: int, query: int, value: Address, capacity: int, size: Address
    ) -> None:
        # Imported late: many programs query nothing.
        from dovetail.runtime.host.device_info import answer

        where = self._device(device)
        data = answer(where.description, query, where.native.detail)
        _store(size, c_size_t, len(data))
        if len(data) <= capacity:
            _copy_out(data, value)

    def _device(self, number: int) -> Device:
        if number >= len(self._devices):
            raise HostError(
                Errc.INVALID,
                f"expected a device number below {len(self._devices)}, got {number}",
            )
        return self._devices[number]

    # Kernels

    def kernel_list(self, kernels: Address, capacity: int, count: Address) -> None:
        all_names = self.kernels.all_names()
        _store(count, c_size_t, len(all_names))
        stored = all_names[:capacity]
        array = _array(kernels, len(stored))
        for number, names in enumerate(stored):
            _store_names(array + number * sizeof(KernelName), names)

    def kernel_find(self, symbol: int, kernel: int) -> None:
        _store_names(kernel, self.kernels.names_of(_text(string_at(symbol)), symbol))

    def kernel_fit(self, device: int, symbols: Address, count: int, codes: Address) -> None:
        where = self._device(device)
        results = _array(codes, count)
        problems = [
            self.kernels.fit(text, where, text_address)
            for text, text_address in _texts(symbols, count)
        ]
        first = next(filter(None, problems), None)
        if first is not None:
            self.messages.keep(first)
        for number, problem in enumerate(problems):
            code = Errc.SUCCESS if problem is None else errc_of(problem)
            _store(results + number * sizeof(c_int32), c_int32, code)

    def kernel_build(self, device: int, symbols: Address, constants: Address, count: int) -> None:
        numbers = (c_uint64 * count).from_address(_array(constants, count)) if count else ()
        for (text, text_address), number in zip(_texts(symbols, count), numbers, strict=True):
            kernel = self.kernels.kernel(text, text_address)
            self.kernels.specialized(kernel, number).built_for(self._device(device))

    def kernel_work_group(self, device: int, symbol: int, sizes: int) -> None:
        kernel = self.kernels.kernel(_text(string_at(symbol)), symbol)
        required = kernel.work_group_size(self._device(device))
        padded = (*[1] * (3 - len(required)), *required) if required else (0, 0, 0)
        for number, size in enumerate(padded):
            _store(sizes + number * sizeof(c_size_t), c_size_t, size)

    def kernel_detail(self, device: int, symbol: int, query: int, value: int) -> None:
        try:
            name = KernelQuery(query).name.lower()
        except ValueError:
            raise HostError(Errc.INVALID, f"unknown kernel query {query}") from None
        kernel = self.kernels.kernel(_text(string_at(symbol)), symbol)
        _store(value, c_uint64, kernel.detail(self._device(device), name))

    # Specialization constants

    def constant_values(self, values: int, count: int, number: int) -> None:
        given = (ConstantValue * count).from_address(values)
        found = {_text(each.identifier): string_at(each.value, each.size) for each in given}
        _store(number, c_uint64, self.kernels.number_of(found))

    def kernel_constant(self, symbol: int, identifier: Address, uses: int) -> None:
        name = _text(string_at(identifier)) if identifier else None
        kernel = self.kernels.kernel(_text(string_at(symbol)), symbol)
        _store(uses, c_uint32, kernel.uses_constant(name))

    # Queues

    def queue_create(self, device: int, flags: int, queue: Address) -> None:
        _store(queue, c_uint64, self._handles.add(HostQueue(self._device(device), flags)))

    def queue_release(self, queue: int) -> None:
        released = self._handles.remove(queue, HostQueue)
        released.device.work.close(released.pending)

    def queue_wait(self, queue: int) -> None:
        self._handles.get(queue, HostQueue).pending.settle()

    def queue_is_idle(self, queue: int, idle: Address) -> None:
        _store(idle, c_uint32, self._handles.get(queue, HostQueue).is_idle)

    def queue_next_failure(self, queue: int, code: Address) -> None:
        failure = self._handles.get(queue, HostQueue).pending.next_failure()
        if isinstance(failure, HostTaskFailure):
            _store(code, c_int32, HOST_TASK_FAILURE)
        else:
            _store(code, c_int32, 0 if failure is None else self.messages.keep(failure))

    # Work

    def start_kernel(self, queue: int, launch: int, object_address: int, unwanted: int) -> int:
        # Each call here adds to the time of every launch, so short functions are inlined.
        handles = self._handles
        if unwanted:
            handles.objects.pop(unwanted, None)
        target = handles.objects.get(queue)
        if not isinstance(target, HostQueue):
            target = handles.get(queue, HostQueue)
        # The launch may have to wait for held work.
        ready = None if target.held else self.kernels.ready_launch(target.device, launch)
        if ready is None:
            return handles.add(self._submit_kernel(target, launch, None))
        return handles.add(ready.start(target, object_address))

    def submit_kernel(self, queue: int, launch: int, needs: Address, event: Address) -> None:
        self._store_event(
            event, self._submit_kernel(self._handles.get(queue, HostQueue), launch, needs)
        )

    def _submit_kernel(self, queue: HostQueue, launch: int, needs: Address) -> QueueWork:
        """Submit a kernel that is not ready: check the launch, and wait for its needs."""
        call = HostLaunch.read(launch)
        kernel = self.kernels.find(call)
        nd_range = kernel.check(call, queue.device)
        wanted = read_needs(needs, self._handles)
        acquired = kernel.acquire(queue.device)
        try:
            if nd_range is None:
                # A launch without work-items still has to wait for its dependencies.
                return self._scheduler.submit(queue, wanted.keeping_content(), Marker())
            sizes = driver_sizes(nd_range, queue.device, acquired)
            reader = kernel.reader(queue.device)
            return self._scheduler.submit(
                queue, wanted, RunKernel(kernel, acquired, call, sizes, reader)
            )
        finally:
            kernel.release(queue.device, acquired)

    def submit_copy(
        self, queue: int, to: Address, source: Address, size: int, needs: Address, event: Address
    ) -> None:
        _refuse_null(size, to, source)
        command = copy_command(to or 0, source or 0, size)
        self._submit(self._handles.get(queue, HostQueue), command, needs, event)

    def submit_fill(
        self,
        queue: int,
        to: Address,
        pattern: int,
        pattern_size: int,
        count: int,
        needs: Address,
        event: Address,
    ) -> None:
        _refuse_null(count, to, pattern)
        command = fill_command(to or 0, string_at(pattern, pattern_size), count)
        self._submit(self._handles.get(queue, HostQueue), command, needs, event)

    def submit_global_copy(self, queue: int, copy: int, needs: Address, event: Address) -> None:
        target, asked = self._handles.get(queue, HostQueue), GlobalCopyStruct.from_address(copy)
        # The address of the identifier tells which library contains it.
        text_address = c_void_p.from_buffer(asked, GlobalCopyStruct.identifier.offset).value or 0
        variable = self.kernels.device_global(_text(asked.identifier), text_address)
        offset = asked.element * variable.kept.size + asked.offset
        prepared = variable.copy(
            target.device, asked.memory, asked.size, offset, writes=bool(asked.writes)
        )
        self._submit(target, CopyGlobal(prepared), needs, event)

    def submit_marker(self, queue: int, needs: Address, event: Address) -> None:
        self._submit(self._handles.get(queue, HostQueue), Marker(), needs, event)

    def submit_barrier(self, queue: int, needs: Address, event: Address) -> None:
        target, wanted = self._handles.get(queue, HostQueue), read_needs(needs, self._handles)
        self._store_event(event, self._scheduler.submit_barrier(target, wanted.events))

    def submit_host_task(
        self, queue: int, run: int, end: int, task: Address, needs: Address, event: Address
    ) -> None:
        target, wanted = self._handles.get(queue, HostQueue), read_needs(needs, self._handles)
        work = self._scheduler.submit_host(target, wanted, HostTask(run, end, task))
        self._host_tasks.add(work)
        self._store_event(event, work)

    def _submit(
        self, queue: HostQueue, command: QueuedCommand, needs: Address, event: Address
    ) -> None:
        """Submit a command with its needs; store its event."""
        # Only kernels may replace the whole content of a buffer.
        wanted = read_needs(needs, self._handles).keeping_content()
        work = self._scheduler.submit(queue, wanted, command)
        self._store_event(event, work)

    def _store_event(self, event: Address, work: QueueWork) -> None:
        """Store a handle of the work for the caller, unless the caller does not want it."""
        if event:
            _store(event, c_uint64, self._handles.add(work))

    # Events

    def event_wait(self, event: int) -> None:
        work = self._handles.objects.get(event)
        if not isinstance(work, QueueWork):
            work = self._handles.get(event, QueueWork)
        work.wait()

    def event_is_done(self, event: int, done: Address) -> None:
        _store(done, c_uint32, self._handles.get(event, QueueWork).done)

    def event_time(self, event: int, what: int, time: Address) -> None:
        times = self._handles.get(event, QueueWork).times()
        try:
            nanoseconds = (times.submit, times.start, times.end)[what]
        except IndexError:
            raise HostError(Errc.INVALID, f"unknown event time {what}") from None
        _store(time, c_uint64, nanoseconds)

    def event_release(self, event: int) -> None:
        self._handles.remove(event, QueueWork)

    # Memory

    def usm_allocate(
        self, device: int, kind: int, size: int, alignment: int, address: Address
    ) -> None:
        if kind >= UsmKind.UNKNOWN:
            raise HostError(Errc.INVALID, f"unknown kind of USM allocation {kind}")
        found = self._blocks.allocate(self._device(device), UsmKind(kind), size, alignment)
        _store(address, c_void_p, found)

    def usm_free(self, address: Address) -> None:
        if address:
            self._blocks.free(address)

    def usm_info(self, address: Address, kind: Address, device: Address) -> None:
        block = self._blocks.find(address or 0)
        _store(kind, c_uint32, UsmKind.UNKNOWN if block is None else block.kind)
        _store(device, c_uint32, 0 if block is None else self._devices.index(block.device))

    # Buffers

    def buffer_create(self, size: int, initial: Address, source: int, buffer: Address) -> None:
        new = Buffer(size, initial or 0, BufferSource(source))
        _store(buffer, c_uint64, self._handles.add(new))

    def buffer_read(self, buffer: int, to: int) -> None:
        self._scheduler.read(self._handles.get(buffer, Buffer), to)

    def buffer_release(self, buffer: int, wait: int) -> None:
        released = self._handles.remove(buffer, Buffer)
        if wait:
            self._scheduler.wait_for_users(released)

    def buffer_host_begin(self, buffer: int, mode: int, address: Address) -> None:
        found = self._scheduler.host_access(self._handles.get(buffer, Buffer), Access(mode))
        _store(address, c_void_p, found)

    def buffer_host_end(self, buffer: int, mode: int) -> None:
        self._scheduler.end_host_access(self._handles.get(buffer, Buffer), Access(mode))

    def buffer_set_home(self, buffer: int, home: Address) -> None:
        self._handles.get(buffer, Buffer).home = home or 0

    def buffer_home(self, buffer: int, home: Address) -> None:
        _store(home, c_void_p, self._handles.get(buffer, Buffer).home)


_Number: TypeAlias = type[c_int32 | c_uint32 | c_uint64 | c_size_t | c_void_p]


def _store(address: Address, kind: _Number, value: int) -> None:
    """Store a number at an address; do nothing if the caller does not want it: if it is null."""
    if address:
        kind.from_address(address).value = value


def _store_names(address: int, names: Names) -> None:
    stored = KernelName.from_address(address)
    stored.symbol, stored.name = names


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _texts(address: Address, count: int) -> list[tuple[str, int]]:
    """Decode an array of `count` C strings; return each with its address."""
    if not count:
        return []
    addresses = list((c_void_p * count).from_address(_array(address, count)))
    return [(_text(string_at(each)), each) for each in addresses]


def _array(address: Address, count: int) -> int:
    """Return the address of an array; raise `HostError` if it is null and has elements.

    An empty array, such as that of an empty `std::vector`, may be null.
    """
    if count and not address:
        raise HostError(Errc.INVALID, f"expected an array of {count} elements, got a null pointer")
    return address or 0


def _copy_out(data: bytes, address: Address) -> None:
    """Copy bytes to an address; do nothing if it is null."""
    if address and data:
        memmove(address, data, len(data))


def _refuse_null(size: int, *addresses: Address) -> None:
    """Raise `HostError` if an address is null, unless there is nothing to copy."""
    if size and not all(addresses):
        raise HostError(Errc.INVALID, "null pointer in a copy or fill")
