"""A kernel of a program."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, ref

from dovetail.errors import ArgumentValueError, DovetailError, ProgramBuildError
from dovetail.kernel_info import KernelInfo, Parameter
from dovetail.runtime.backend import BackendProgram, CodeKind
from dovetail.runtime.code_image import CodeImage, image_of
from dovetail.runtime.demangle import variable_name
from dovetail.runtime.device import Device
from dovetail.runtime.image_choice import (
    Attempt,
    ImageChoice,
    choose_image,
    specialization_of,
    values_for,
)
from dovetail.runtime.program_image import NO_CONSTANTS, ConstantValues, ProgramImage
from dovetail.settings import TRACE

if TYPE_CHECKING:
    # Imported late: C++ programs launch kernels without `Launch`, and few have assertions or device
    # globals.
    from dovetail.image import ManagedGlobal
    from dovetail.runtime.assertions import AssertionReader
    from dovetail.runtime.device_global_accessor import DeviceGlobalAccessor
    from dovetail.runtime.global_memory import ImageGlobals
    from dovetail.runtime.launch import Launch
    from dovetail.runtime.specialization import ProgramConstants

MAX_PREPARED_LAUNCHES = 6
"""The maximum per kernel and device: a multiple of two and three, for arguments in turn."""


@dataclass(frozen=True)
class KernelCode:
    """The code of a kernel for a device."""

    image: CodeImage
    work_group_size: tuple[int, ...]
    """The size that the kernel requires, in the attribute's order; empty if none."""
    sub_group_size: int
    """The size that the kernel requires; 0 if none."""
    origin: str
    """The images that it consists of, for messages."""
    is_native: bool
    assertion_reader: str
    """The symbol of the kernel that reads failed assertions; empty if there are no assertions."""
    own_globals: "ImageGlobals | None" = None
    """The device globals of the kernel's own image."""
    device_globals: "tuple[ImageGlobals, ...]" = ()
    """The device globals of all its images."""


class Kernel:
    """One kernel; `Queue.parallel_for` and `Queue.single_task` run it."""

    __slots__ = (
        "__weakref__",
        "_code",
        "_constants",
        "_images",
        "_specialized",
        "idle",
        "info",
    )

    def __init__(
        self,
        info: KernelInfo,
        images: Sequence[ProgramImage],
        constants: ConstantValues = NO_CONSTANTS,
    ) -> None:
        self.info = info
        self._images = tuple(images)
        """The images with the kernel, in the program's order."""
        self._constants = constants
        """The values of specialization constants that are set."""
        self._specialized: dict[frozenset[tuple[str, bytes]], Kernel] = {}
        self._code: WeakKeyDictionary[Device, KernelCode] = WeakKeyDictionary()
        self.idle: dict[Device, deque[Launch]] = {}
        """Prepared launches that no thread uses. A queue removes the first and appends it after
        use: drivers mix up the arguments of kernel objects that threads share."""

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
        """The dimensions of its range; 0 for a single task, None if any range is possible."""
        return self.info.dimensions

    @property
    def specialization_constants(self) -> "ProgramConstants":
        """The specialization constants in the kernel's images, by name."""
        # Imported late: few kernels have any.
        from dovetail.runtime.specialization import constants_of

        return constants_of(self._images, f"kernel '{self.name}'")

    def specialize(self, values: Mapping[str, object]) -> "Kernel":
        """Return the kernel with values of specialization constants, by name.

        A value is a number, a list of numbers, a NumPy array or scalar, or bytes. All others keep
        their values.
        """
        return self.with_constants(self.specialization_constants.encode(values))

    def with_constants(self, values: ConstantValues) -> "Kernel":
        """Return the kernel with these values of specialization constants, always the same object.

        Constants that the kernel does not use are ignored; all others keep their values.
        """
        used = {key: value for key, value in values.items() if self._may_use_constant(key, value)}
        if not used:
            return self
        key = frozenset(used.items())
        found = self._specialized.get(key)
        if found is None:
            made = Kernel(self.info, self._images, {**self._constants, **used})
            # Another thread may have been faster.
            found = self._specialized.setdefault(key, made)
        return found

    def _may_use_constant(self, identifier: str, value: bytes) -> bool:
        """Return whether a value matters: whether an image has the constant, or may be linked."""
        for image in self._images:
            with image.being_read():
                default = image.contents.default_values.get(identifier)
                needs_linking = image.contents.needs_linking
            if default is None:
                if needs_linking:
                    return True
            elif len(value) != len(default):
                raise ArgumentValueError(
                    f"specialization constant '{variable_name(identifier)}':"
                    f" expected a value of {len(default)} bytes, got {len(value)}"
                )
            elif value != self._constants.get(identifier, default):
                return True
        return False

    def uses_constant(self, identifier: str | None) -> bool:
        """Return whether the kernel's images use a specialization constant: any, if it is None."""
        return any(
            identifier is None or each.identifier == identifier
            for image in self._images
            for each in image.contents.info.specialization_constants
        )

    def fit(self, device: Device) -> DovetailError | None:
        """Return the error that a launch on `device` would raise before building code, or None.

        It is `KernelNotSupported` if the device lacks something, and another one, such as
        `MissingImport`, if the program has no code for the device.
        """
        if device in self._code:
            return None
        return choose_image(
            self.name, self.symbol, self._images, device, constants=self._constants
        ).problem

    def launch_on(self, device: Device) -> "Launch":
        """Return a new prepared launch on `device`; build the kernel if needed."""
        from dovetail.runtime.launch import prepare

        built = self.built_for(device)
        # A strong reference would keep the program loaded until the next garbage collection.
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
        """Prepare another launch, up to the maximum.

        Many programs use two or three arrays in turn: each then has a launch whose arguments are
        already set.
        """
        idle = self.idle[device]
        if len(idle) < MAX_PREPARED_LAUNCHES - 1:
            idle.append(self.launch_on(device))

    def built_for(self, device: Device) -> BackendProgram:
        """Return the kernel's code, built for `device`."""
        code = self._code_for(device)
        try:
            return self._built(code, device)
        except ProgramBuildError:
            # Native code may not fit a newer driver; the image may also have another form.
            other = self._resolve(device, allow_native=False).chosen if code.is_native else None
            if other is None:
                raise
        return self._built(self._keep(device, other), device)

    def _built(self, code: KernelCode, device: Device) -> BackendProgram:
        """Build the code and set its pointers to device globals.

        If the build fails, the next launch chooses code for `device` again.
        """

        def set_up(program: BackendProgram) -> object:
            from dovetail.runtime.device_global_accessor import set_pointers

            return set_pointers(program, code.device_globals, device)

        try:
            return code.image.built_for(device.native, set_up if code.device_globals else None)
        except ProgramBuildError as error:
            # Choose again next time: programs that are loaded by then may have better code.
            self._code.pop(device, None)
            raise type(error)(
                f"kernel '{self.name}' cannot be built from {code.origin}: {error.message}",
                hint=error.hint,
            ) from None

    def work_group_size(self, device: Device) -> tuple[int, ...]:
        """Return the required work-group size, in SYCL's order; empty if none."""
        return self._code_for(device).work_group_size

    def detail(self, device: Device, name: str) -> int:
        """Return a property of the kernel on a device, by its name in SYCL's queries."""
        match name:
            case "num_args":
                return len(self.parameters)
            case "compile_sub_group_size":
                return self._code_for(device).sub_group_size
            case _:
                built = self.built_for(device)
                return built.kernel(self.symbol, follows_pointers=False).detail(name)

    def assertion_reader(self, device: Device, *, aborts: bool = False) -> "AssertionReader | None":
        """Return the reader of the kernel's failed assertions; None if it has no assertions.

        If it `aborts`, a failed assertion ends the process.
        """
        symbol = self._code_for(device).assertion_reader
        if not symbol:
            return None
        # Imported late: most kernels have no assertions.
        from dovetail.runtime.assertions import AbortingReader, AssertionReader

        kind = AbortingReader if aborts else AssertionReader
        return kind(device.native, self.built_for(device), symbol)

    def accessor_of(
        self, identifier: str, device: Device
    ) -> "tuple[DeviceGlobalAccessor, ManagedGlobal] | None":
        """Return the accessor for a variable in the kernel's own image; None if it is not there."""
        built = self.built_for(device)
        own = self._code_for(device).own_globals
        if own is None or identifier not in own.variables:
            return None
        from dovetail.runtime.device_global_accessor import DeviceGlobalAccessor

        return DeviceGlobalAccessor(built, own.accessor), own.variables[identifier]

    def may_use(self, identifier: str) -> bool:
        """Return whether an image with the kernel has that device global."""
        return any(
            variable.identifier == identifier and variable.number is not None
            for image in self._images
            for variable in image.contents.info.managed_globals
        )

    def _code_for(self, device: Device) -> KernelCode:
        """Return the code chosen for `device`; loading programs later does not change it."""
        code = self._code.get(device)
        return self._keep(device, self._choose(device)) if code is None else code

    def _keep(self, device: Device, chosen: ImageChoice) -> KernelCode:
        """Read the chosen code, and keep it for later launches on the device."""
        forms = zip(chosen.links.images, chosen.forms, strict=True)
        parts = [
            form.read(values_for(image, form, device), specialization_of(image, self._constants))
            for image, form in forms
        ]
        images = [image.device_globals for image in chosen.links.images]
        used = tuple(each for each in images if each is not None)
        code = self._code[device] = KernelCode(
            image_of(parts, [each.order for each in used]),
            chosen.links.root.contents.work_group_size(self.symbol),
            chosen.links.root.contents.sub_group_size(self.symbol),
            " and ".join(map(str, chosen.links.images)),
            chosen.forms[0].kind is CodeKind.NATIVE,
            chosen.links.root.contents.assertion_reader(self.symbol),
            images[0],
            used,
        )
        return code

    def _choose(self, device: Device) -> ImageChoice:
        """Return the chosen image; raise the error that says why there is none."""
        attempt = self._resolve(device)
        chosen, problem = attempt.chosen, attempt.problem
        # The exception refers to this frame: its variables would keep the program loaded.
        del attempt
        try:
            if problem:
                raise problem
        finally:
            del problem
        assert chosen
        return chosen

    def _resolve(self, device: Device, *, allow_native: bool = True) -> Attempt:
        """Try all images for a device; trace the choice if the setting says so."""
        attempt = choose_image(
            self.name,
            self.symbol,
            self._images,
            device,
            constants=self._constants,
            allow_native=allow_native,
        )
        if TRACE.value() == "images":
            from dovetail.runtime.trace import trace_choice

            trace_choice(self.name, device, attempt)
        return attempt

    def forget_imports(self) -> None:
        """Resolve the imports of the kernel's images again, since a program was unloaded."""
        if self._code and any(image.contents.needs_linking for image in self._images):
            self._code.clear()
            self.idle = {}
        for specialized in self._specialized.values():
            specialized.forget_imports()

    def __dir__(self) -> list[str]:
        # The others are for the runtime itself.
        return [
            "dimensions",
            "fit",
            "name",
            "parameters",
            "signature",
            "specialization_constants",
            "specialize",
            "symbol",
        ]

    def __repr__(self) -> str:
        shape = {None: "any range", 0: "single task"}.get(self.dimensions, f"{self.dimensions}-D")
        parameters = ", ".join(f"{p.type} {p.name}" for p in self.parameters)
        return f"<Kernel {self.name}({parameters}), {shape}>"
