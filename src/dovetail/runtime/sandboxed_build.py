"""Building code that is not trusted in a child process, which may crash.

In: packed code as a request. Out: the driver's error, empty if it builds the code. If the process
ends without an answer, the driver has crashed.
"""

import json
import sys
from collections.abc import Sequence

from dovetail.errors import DovetailError, ProgramBuildError, ToolFailed
from dovetail.processes.messages import answer_stream, serve
from dovetail.processes.python_command import RUNTIME_DEPENDENCIES, python_command
from dovetail.runtime.backend import Code, CodeKind, DeviceDescription
from dovetail.runtime.device import devices
from dovetail.settings import DEVICE, EMULATED_TARGET

BUILD_SECONDS = 120.0

_ALL_DEVICES = ((DEVICE.variable, ""), (EMULATED_TARGET.variable, ""))
"""Settings of the child process, which must find the device regardless of the user's choice."""


def identity(device: DeviceDescription) -> str:
    """Return a text that identifies the device and its driver in every process."""
    return json.dumps([device.backend, device.platform, device.name, device.driver_version])


def packed(parts: Sequence[Code]) -> bytes:
    """Return all parts as one: a line that describes each, then their bytes."""
    contents = json.dumps(
        [
            (part.kind, len(part.data), [(i, value.hex()) for i, value in part.specialization])
            for part in parts
        ]
    )
    return b"".join([f"{contents}\n".encode(), *(part.data for part in parts)])


def unpacked(data: bytes) -> list[Code]:
    """Return the packed parts."""
    contents = data[: data.index(b"\n")]
    parts: list[Code] = []
    place = len(contents) + 1
    described: list[tuple[str, int, list[tuple[int, str]]]] = json.loads(contents)
    for kind, size, values in described:
        specialization = tuple((i, bytes.fromhex(value)) for i, value in values)
        code = data[place : place + size]
        parts.append(Code(CodeKind(kind), code, specialization=specialization))
        place += size
    return parts


def try_build(parts: Sequence[Code], device: DeviceDescription) -> None:
    """Build the parts together in a child process; raise `ProgramBuildError` if that fails."""
    # The child process needs none of these.
    from dovetail.processes.pool import WorkerCommand, current_pool
    from dovetail.processes.process import Finished

    words = python_command(__name__, [identity(device)], RUNTIME_DEPENDENCIES)
    command = WorkerCommand("the build", words, _ALL_DEVICES, is_reusable=False)
    try:
        answer = current_pool().ask(command, packed(parts), seconds=BUILD_SECONDS)
    except ToolFailed as error:
        raise ProgramBuildError(
            f"cannot build the code for '{device.name}' in a child process first: {error.message}"
        ) from None
    if isinstance(answer, Finished):
        failure = answer.failure("the child process that tried to build it")
        raise ProgramBuildError(f"the driver of '{device.name}' failed on the code; {failure}")
    if answer:
        raise ProgramBuildError(answer.decode(errors="replace"))


def _build_error(device_identity: str, parts: Sequence[Code]) -> str:
    """Build code in this process; return the error, or an empty string."""
    matching = (d for d in devices() if identity(d.native.description) == device_identity)
    device = next(matching, None)
    if device is None:
        return f"the child process that tries the code cannot find the device {device_identity}"
    try:
        device.native.build(parts)
    except DovetailError as error:
        return str(error)
    return ""


def _answer(request: bytes) -> tuple[bytes, bool]:
    return _build_error(sys.argv[1], unpacked(request)).encode(errors="replace"), False


if __name__ == "__main__":
    serve(answer_stream(), _answer)
