"""A kernel of a program."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, ref

from dovetail.errors import DovetailError, ProgramBuildError
from dovetail.kernel_info import KernelInfo, Parameter
from dovetail.runtime.assertions import AssertionReader
from dovetail.runtime.backend import BackendProgram, CodeKind
from dovetail.runtime.code_image import CodeImage, image_of
from dovetail.runtime.device import Device
from dovetail.runtime.device_global_accessor import DeviceGlobalAccessor, set_pointers
from dovetail.runtime.global_memory import ImageGlobals
from dovetail.runtime.launch import Launch, prepare
from dovetail.runtime.program_image import ProgramImage
from dovetail.runtime.resolution import Attempt, Resolution, resolve, values_for
from dovetail.runtime.trace import trace_choice

if TYPE_CHECKING:
    from dovetail.image import ManagedGlobal

MAX_PREPARED_LAUNCHES = 6
"""Launches: for two and for three sets of arguments."""


@dataclass(frozen=True)
class KernelCode:
    """What runs a kernel on a device."""

    image: CodeImage
    work_group_size: tuple[int, ...]
    """The size that the kernel requires, as the attribute has it; empty if none."""
    origin: str
    """The images that it is made of, for messages."""
    is_native: bool
    assertion_reader: str
    """The kernel beside it that tells whether an assertion failed; empty if none can."""
    own_globals: ImageGlobals | None = None
    """The device globals of the kernel's own image."""
    device_globals: tuple[ImageGlobals, ...] = ()
    """Those of all images that it is made of."""


class Kernel:
    """One kernel; `Queue.parallel_for` and `Queue.single_task` run it."""

    __slots__ = ("__weakref__", "_code", "_images", "idle", "info")

    def __init__(self, info: KernelInfo, images: Sequence[ProgramImage]) -> None:
        self.info = info
        self._images = tuple(images)
        """Those that have it, in the program's order."""
        self._code: WeakKeyDictionary[Device, KernelCode] = WeakKeyDictionary()
        self.idle: dict[Device, deque[Launch]] = {}
        """What `launch_on` has prepared and nobody uses now. Whoever launches takes the first and
        puts it back as the last: drivers mix up arguments of kernel objects that threads share."""

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

    def fit(self, device: Device) -> DovetailError | None:
        """What a launch on `device` would raise before any code is built; None if nothing.

        `KernelNotSupported` if the device lacks something; `MissingImport` and others if the
        program has no code for it.
        """
        if device in self._code:
            return None
        return resolve(self.name, self.symbol, self._images, device).problem

    def launch_on(self, device: Device) -> Launch:
        """Prepare launches of the kernel on `device`, one at a time, built if it is not yet."""
        built = self.built_for(device)
        # A launch that held its kernel would keep the program loaded until garbage is collected.
        kernel = ref(self)

        def prepare_more() -> None:
            if (here := kernel()) is not None:
                here.prepare_more(device)

        return prepare(
            self.info,
            device,
            built,
            self.work_group_size(device),
            self.assertion_reader(device),
            prepare_more,
            follows_pointers=bool(self._code_for(device).device_globals),
        )

    def prepare_more(self, device: Device) -> None:
        """Have more launches take turns.

        Programs that go through two or three arrays in turn, as many do, come back to a launch that
        has its arguments already.
        """
        idle = self.idle[device]
        if len(idle) < MAX_PREPARED_LAUNCHES - 1:
            idle.append(self.launch_on(device))

    def built_for(self, device: Device) -> BackendProgram:
        """The code that holds the kernel, built for `device`."""
        code = self._code_for(device)
        try:
            return self._built(code, device)
        except ProgramBuildError:
            # A driver's own code is of no use to its next version; another form may be there.
            other = self._resolve(device, takes_native=False).chosen if code.is_native else None
            if other is None:
                raise
        return self._built(self._keep(device, other), device)

    def _built(self, code: KernelCode, device: Device) -> BackendProgram:
        def set_up(program: BackendProgram) -> object:
            return set_pointers(program, code.device_globals, device)

        try:
            return code.image.built_for(device.native, set_up if code.device_globals else None)
        except ProgramBuildError as error:
            # It was no good choice: what is loaded next time may serve better.
            self._code.pop(device, None)
            raise type(error)(
                f"kernel '{self.name}' cannot be built from {code.origin}: {error.message}",
                hint=error.hint,
            ) from None

    def work_group_size(self, device: Device) -> tuple[int, ...]:
        """The size that it requires, in SYCL's order; empty if none."""
        return self._code_for(device).work_group_size

    def assertion_reader(
        self, device: Device, kind: type[AssertionReader] = AssertionReader
    ) -> AssertionReader | None:
        """Who knows whether an assertion of the kernel failed; None if it has none."""
        symbol = self._code_for(device).assertion_reader
        return kind(device.native, self.built_for(device), symbol) if symbol else None

    def accessor_of(
        self, identifier: str, device: Device
    ) -> "tuple[DeviceGlobalAccessor, ManagedGlobal] | None":
        """Who reaches a variable in the kernel's own image; None if it is not there."""
        built = self.built_for(device)
        own = self._code_for(device).own_globals
        if own is None or identifier not in own.variables:
            return None
        return DeviceGlobalAccessor(built, own.accessor), own.variables[identifier]

    def may_use(self, identifier: str) -> bool:
        """Whether images that have the kernel have that device global."""
        return any(
            variable.identifier == identifier and variable.number is not None
            for image in self._images
            for variable in image.contents.info.managed_globals
        )

    def _code_for(self, device: Device) -> KernelCode:
        """What was chosen for `device`; it stays chosen, whatever is loaded later."""
        code = self._code.get(device)
        return self._keep(device, self._choose(device)) if code is None else code

    def _keep(self, device: Device, chosen: Resolution) -> KernelCode:
        forms = zip(chosen.links.images, chosen.forms, strict=True)
        parts = [form.read(values_for(image, form, device)) for image, form in forms]
        images = [image.device_globals for image in chosen.links.images]
        used = tuple(each for each in images if each is not None)
        code = self._code[device] = KernelCode(
            image_of(parts, [each.order for each in used]),
            chosen.links.root.contents.work_group_size(self.symbol),
            " and ".join(map(str, chosen.links.images)),
            chosen.forms[0].kind is CodeKind.NATIVE,
            chosen.links.root.contents.assertion_reader(self.symbol),
            images[0],
            used,
        )
        return code

    def _choose(self, device: Device) -> Resolution:
        attempt = self._resolve(device)
        chosen, problem = attempt.chosen, attempt.problem
        # A frame that knows its exception would be kept by it, and keep the program loaded.
        del attempt
        try:
            if problem:
                raise problem
        finally:
            del problem
        assert chosen
        return chosen

    def _resolve(self, device: Device, *, takes_native: bool = True) -> Attempt:
        attempt = resolve(self.name, self.symbol, self._images, device, takes_native=takes_native)
        trace_choice(self.name, device, attempt)
        return attempt

    def forget_imports(self) -> None:
        """Look anew for what the kernel's images import: a program that had it was unloaded."""
        if self._code and any(image.contents.needs_others for image in self._images):
            self._code.clear()
            self.idle = {}

    def __repr__(self) -> str:
        shape = {None: "any range", 0: "single task"}.get(self.dimensions, f"{self.dimensions}-D")
        parameters = ", ".join(f"{p.type} {p.name}" for p in self.parameters)
        return f"<Kernel {self.name}({parameters}), {shape}>"
