"""pyopencl by itself, on the device that Dovetail takes by default: what ours is held against."""

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dovetail
from dovetail.image import read_program
from dovetail.resources import opencl_drivers
from dovetail.runtime.opencl.loader import cpu_runtime


@dataclass(frozen=True)
class BareDevice:
    """A device with a context and a queue of its own; pyopencl tells little of its types."""

    context: Any
    queue: Any

    def build(self, code: str | bytes) -> Any:
        """A program from OpenCL C or SPIR-V."""
        import pyopencl as cl

        with warnings.catch_warnings():
            # The driver's log is never empty, which pyopencl takes for a warning.
            warnings.simplefilter("ignore")
            return cl.Program(self.context, code).build()

    def binary(self, code: bytes) -> bytes:
        """What the driver makes of SPIR-V."""
        import pyopencl as cl

        return self.build(code).get_info(cl.program_info.BINARIES)[0]


def bare_device() -> BareDevice:
    """The same device, and the same driver: ours is asked first and has set it up."""
    name = dovetail.Queue().device.name
    import pyopencl as cl

    found: Any = next(d for p in cl.get_platforms() for d in p.get_devices() if d.name == name)
    context = cl.Context([found])
    return BareDevice(context, cl.CommandQueue(context))


def spirv_of(program: bytes) -> bytes:
    """The code of a program that has one image."""
    (module,) = read_program(program).abstract_modules
    return bytes(module.ir_modules[0].code)


def vendor_folder(folder: Path) -> Path:
    """Make a folder that shows OpenCL's loader the drivers that Dovetail finds."""
    folder.mkdir()
    for number, driver in enumerate([*opencl_drivers(), *filter(None, [cpu_runtime()])]):
        (folder / f"{number:03}.icd").write_text(f"{driver}\n")
    return folder
