"""Building code with an OpenCL driver.

A single part is built in one step. Several are SPIR-V modules that import each other's functions:
each is compiled, then all are linked. pyopencl's functions are not used for these steps: they warn
of any log, even without problems, and crash when linking fails.
"""

import os
from collections.abc import Sequence

import pyopencl as cl

from dovetail.errors import ProgramBuildError
from dovetail.runtime.backend import Code, CodeKind
from dovetail.runtime.opencl import api

_NO_SUCH_CONSTANT = -71  # CL_INVALID_SPEC_ID

_DRIVERS_VARIABLES = ("CL_CONFIG_", "IGC_", "POCL_", "RUSTICL_")
"""Prefixes of environment variables that change how drivers compile."""


def build_settings() -> dict[str, str]:
    """Return the environment variables that affect the results of drivers' compilers."""
    # Iterates only over names, since Python decodes each value that is read.
    return {name: os.environ[name] for name in os.environ if name.startswith(_DRIVERS_VARIABLES)}


def build(
    context: cl.Context, device: cl.Device, parts: Sequence[Code], options: Sequence[str] = ()
) -> cl.Program:
    """Build all parts for the context's only device; raise `ProgramBuildError` if that fails."""
    if len(parts) > 1:
        # Imported late: most programs are not linked.
        from dovetail.runtime.opencl.signatures import refuse_mismatches

        refuse_mismatches([part.data for part in parts if part.kind is CodeKind.SPIRV])
        return _link(context, device, [_compile(context, device, part) for part in parts])
    program = _create(context, device, parts[0])
    status = api.build_program(program.int_ptr, device.int_ptr, " ".join(options))
    if status:
        raise _refusal(device, status, program)
    return program


def _create(context: cl.Context, device: cl.Device, part: Code) -> cl.Program:
    """Create a program with the values of its specialization constants, without building it."""
    try:
        if part.kind is not CodeKind.SPIRV:
            return cl.Program(context, [device], [part.data])
        program = cl.Program(context, part.data)
    except cl.Error as error:
        raise _refusal(device, error.code) from None
    for spec_id, value in part.specialization:
        status = api.set_specialization_constant(program.int_ptr, spec_id, value)
        # Code that only other devices run may be removed, with the constants that only it reads.
        if status not in (0, _NO_SUCH_CONSTANT):
            raise ProgramBuildError(
                f"the driver of '{device.name}' refused the value of a specialization constant,"
                f" {api.status_name(status)}"
            )
    return program


def _compile(context: cl.Context, device: cl.Device, part: Code) -> cl.Program:
    program = _create(context, device, part)
    status = api.compile_program(program.int_ptr, device.int_ptr)
    if status:
        raise _refusal(device, status, program)
    return program


def _link(context: cl.Context, device: cl.Device, parts: Sequence[cl.Program]) -> cl.Program:
    handles = [part.int_ptr for part in parts]
    handle, status = api.link_programs(context.int_ptr, device.int_ptr, handles)
    program = cl.Program.from_int_ptr(handle, retain=False) if handle else None
    if status or program is None:
        raise _refusal(device, status, program)
    return program


def _refusal(
    device: cl.Device, status: int, program: cl.Program | None = None
) -> ProgramBuildError:
    # The status identifies the step.
    reason = api.status_name(status)
    log = api.build_log(program.int_ptr, device.int_ptr) if program else ""
    said = f":\n{log}" if log else ""
    return ProgramBuildError(f"the driver of '{device.name}' refused the code, {reason}{said}")
