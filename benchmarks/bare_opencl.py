"""pyopencl on Dovetail's default device, for comparisons."""

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
    """A device with a context and a queue; pyopencl is mostly untyped."""

    context: Any
    queue: Any

    def build(self, code: str | bytes, *options: str) -> Any:
        """Build a program from OpenCL C or SPIR-V."""
        import pyopencl as cl

        with warnings.catch_warnings():
            # pyopencl warns since the driver's log is never empty.
            warnings.simplefilter("ignore")
            return cl.Program(self.context, code).build(list(options))

    def binary(self, code: bytes) -> bytes:
        """Return the driver's binary for SPIR-V."""
        import pyopencl as cl

        return self.build(code).get_info(cl.program_info.BINARIES)[0]


def bare_device() -> BareDevice:
    """Return Dovetail's default device; querying Dovetail first loads the same driver."""
    name = dovetail.Queue().device.name
    import pyopencl as cl

    found: Any = next(d for p in cl.get_platforms() for d in p.get_devices() if d.name == name)
    context = cl.Context([found])
    return BareDevice(context, cl.CommandQueue(context))


def spirv_of(program: bytes) -> bytes:
    """Return the SPIR-V of a program with one image."""
    (module,) = read_program(program).abstract_modules
    return bytes(module.ir_modules[0].code)


def vendor_folder(folder: Path) -> Path:
    """Create a folder that registers Dovetail's drivers with the OpenCL loader."""
    folder.mkdir()
    for number, driver in enumerate([*opencl_drivers(), *filter(None, [cpu_runtime()])]):
        (folder / f"{number:03}.icd").write_text(f"{driver}\n")
    return folder
