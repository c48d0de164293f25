"""Building code that is not trusted in a child process, which may crash.

The parent sends the packed code to the child's standard input and reads one line of JSON, the last
of its standard output. A child that ends without that line was brought down by the driver.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import cast

from dovetail.errors import DovetailError, FormatError, ProgramBuildError
from dovetail.json_shape import parse_json
from dovetail.python_child import RUNTIME_DEPENDENCIES, python_child
from dovetail.runtime.backend import Code, CodeKind, DeviceDescription
from dovetail.runtime.device import devices
from dovetail.settings import DEVICE, STANDS_FOR

TRIAL_SECONDS = 120.0

_VERDICT = "dovetail-trial "
_LAST_WORDS = 500
"""Characters of a lost child's messages that go into ours."""


def identity(device: DeviceDescription) -> str:
    """What tells the device and its driver from others, the same in every process."""
    return json.dumps([device.backend, device.platform, device.name, device.driver_version])


def packed(parts: Sequence[Code]) -> bytes:
    """All parts as one: a line with the kind and size of each, then their bytes."""
    contents = json.dumps([(part.kind, len(part.data)) for part in parts])
    return b"".join([f"{contents}\n".encode(), *(part.data for part in parts)])


def unpacked(data: bytes) -> list[Code]:
    """The parts that were packed."""
    contents = data[: data.index(b"\n")]
    parts: list[Code] = []
    place = len(contents) + 1
    for kind, size in cast("list[tuple[str, int]]", json.loads(contents)):
        parts.append(Code(CodeKind(kind), data[place : place + size]))
        place += size
    return parts


def try_build(parts: Sequence[Code], device: DeviceDescription) -> None:
    """Return if a child process can build the parts together; else raise `ProgramBuildError`."""
    command = python_child(__name__, [identity(device)], RUNTIME_DEPENDENCIES)
    try:
        result = subprocess.run(
            command,
            input=packed(parts),
            capture_output=True,
            timeout=TRIAL_SECONDS,
            env=_environment(),
        )
    except subprocess.TimeoutExpired:
        raise _lost(device, f"did not end within {TRIAL_SECONDS:.0f} s") from None
    except OSError as error:
        raise ProgramBuildError(
            f"cannot start a child process to try the code: {error.strerror}"
        ) from None
    verdict = read_verdict(result.stdout)
    if verdict is None:
        words = result.stderr.decode(errors="replace").strip()[-_LAST_WORDS:]
        raise _lost(device, _ending(result.returncode), words)
    if verdict:
        raise ProgramBuildError(verdict)


def _environment() -> dict[str, str]:
    # It is told which device to use, whichever the user has chosen by now.
    chosen = {setting.variable for setting in (DEVICE, STANDS_FOR)}
    return {name: value for name, value in os.environ.items() if name not in chosen}


def _lost(device: DeviceDescription, how: str, words: str = "") -> ProgramBuildError:
    said = f":\n{words}" if words else ""
    return ProgramBuildError(
        f"the driver of '{device.name}' failed on the code;"
        f" the child process that tried to build it {how}{said}"
    )


def _ending(status: int) -> str:
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with status {status}"


def read_verdict(output: bytes) -> str | None:
    """The child's refusal, empty if it built the code; None if it did not get that far."""
    for line in reversed(output.decode(errors="replace").splitlines()):
        if line.startswith(_VERDICT):
            try:
                refusal: str = parse_json(line.removeprefix(_VERDICT).encode(), str)
                return refusal
            except FormatError:
                # A driver can have written into the line before it brought the child down.
                return None
    return None


def _build_here(wanted: str, parts: Sequence[Code]) -> str:
    """Build in this process; the refusal, empty if there is none."""
    device = next((d for d in devices() if identity(d.native.description) == wanted), None)
    if device is None:
        return f"the child process that tries the code does not find the device {wanted}"
    try:
        device.native.build(parts)
    except DovetailError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    refusal = _build_here(sys.argv[1], unpacked(sys.stdin.buffer.read()))
    sys.stdout.write(f"\n{_VERDICT}{json.dumps(refusal)}\n")
    sys.stdout.flush()
    # Leave without the driver's own clean-up, which bad code can bring down too.
    os._exit(0)
