"""A kernel of a program."""

from collections.abc import Callable
from threading import local

from dovetail.errors import ProgramBuildError
from dovetail.kernel_info import KernelInfo, Parameter
from dovetail.runtime.backend import BackendProgram
from dovetail.runtime.code_image import CodeImage
from dovetail.runtime.device import Device
from dovetail.runtime.launch import Launch, prepare


class _ThreadsLaunches(local):
    """A thread's own prepared launches; drivers mix up kernel objects that threads share."""

    def __init__(self) -> None:
        self.by_device: dict[Device, Launch] = {}


class Kernel:
    """One kernel; `Queue.parallel_for` and `Queue.single_task` run it."""

    __slots__ = ("__weakref__", "_image", "_launches", "info")

    def __init__(self, info: KernelInfo, image: Callable[[], CodeImage] | None) -> None:
        self.info = info
        self._image = image
        """Its code, read when first needed; None if the program has none that devices build."""
        self._launches = _ThreadsLaunches()

    @property
    def name(self) -> str:
        """The qualified C++ name."""
        return self.info.name

    @property
    def signature(self) -> str:
        """The demangled name with the types of the parameters."""
        return self.info.signature

    @property
    def symbol(self) -> str:
        """The entry point's name in the image."""
        return self.info.symbol

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.info.parameters

    @property
    def dimensions(self) -> int | None:
        """Of the range it is launched over; 0 for a single task, None if that is left open."""
        return self.info.dimensions

    @property
    def has_code(self) -> bool:
        """Whether the program has SPIR-V for it."""
        return self._image is not None

    def launch_on(self, device: Device) -> Launch:
        """This thread's launch of the kernel on `device`, built when first asked for."""
        launch = self._launches.by_device.get(device)
        if launch is None:
            launch = prepare(self.info, device, self.built_for(device))
            self._launches.by_device[device] = launch
        return launch

    def built_for(self, device: Device) -> BackendProgram:
        """The code that holds the kernel, built for `device`."""
        if self._image is None:
            raise ProgramBuildError(
                f"the program has no SPIR-V for kernel '{self.name}',"
                f" and '{device.name}' runs nothing else"
            )
        return self._image().built_for(device.native)

    def __repr__(self) -> str:
        shape = {None: "any range", 0: "single task"}.get(self.dimensions, f"{self.dimensions}-D")
        parameters = ", ".join(f"{p.type} {p.name}" for p in self.parameters)
        return f"<Kernel {self.name}({parameters}), {shape}>"
