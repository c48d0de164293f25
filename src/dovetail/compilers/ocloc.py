"""ocloc, Intel's offline compiler for its GPUs."""

import re
from typing import NamedTuple

from dovetail.compilers.queries import cached_query, environment_settings, file_identity
from dovetail.errors import ToolFailed
from dovetail.resources import Tool, tool_path

OCLOC = Tool("ocloc", "intel-opencl-icd")

ANSWER = (str, [str], bool, str)
"""The JSON shape of its description: version, devices, support of `-exclude_ir`, library."""

_VERSION_QUERY = "OCL_DRIVER_VERSION"
_UNKNOWN = re.compile(r"Cannot get HW Info for device|Failed to parse target")
_DEVICES = re.compile(r"<device_type> can be: ([\w.,\s-]+)")


class Ocloc(NamedTuple):
    """The installed release."""

    path: str
    version: str
    """The driver version; empty if it does not report one."""
    devices: frozenset[str]
    """The names of devices and families in its help; it accepts numbers and ranges as well."""
    supports_exclude_ir: bool = False
    """Whether it has `-exclude_ir`, which omits the SPIR-V from its output."""
    library: str = ""
    """The path of the library of the same release; empty if there is none."""

    @property
    def name(self) -> str:
        return f"ocloc {self.version}".strip()

    @property
    def identity(self) -> tuple[str, ...]:
        """What its output depends on besides the input: program file and settings."""
        return (self.name, file_identity(self.path), *environment_settings("IGC_"))


def find_ocloc() -> Ocloc:
    """Return the ocloc on PATH; raise `ToolMissing` if there is none."""
    path = tool_path(OCLOC)
    question = "ocloc: version, devices, -exclude_ir, library"
    answer = cached_query(file_identity(path), question, lambda: _query(path), ANSWER)
    version, devices, supports_exclude_ir, library = answer or ("", (), False, "")
    return Ocloc(path, version, frozenset(devices), supports_exclude_ir, library)


def knows_device(ocloc: Ocloc, device: str) -> bool:
    """Return whether it compiles for a device, or for all devices in a list or range."""
    if device.replace("_", "-") in ocloc.devices or device in ocloc.devices:
        return True
    program, question = file_identity(ocloc.path), f"ocloc: -device {device}"
    known = cached_query(program, question, lambda: _query_device(ocloc, device), bool)
    # If the query failed, compiling will report the reason.
    return known is not False


def _query_device(ocloc: Ocloc, device: str) -> bool | None:
    """Return whether ocloc knows a device, or None if the query fails."""
    from dovetail.processes.pool import current_pool, work_folder

    pool = current_pool()
    with work_folder() as folder:
        # ocloc checks the device before it reads the file.
        (folder / "empty.spv").touch()
        command = [ocloc.path, "compile", "-spirv_input", "-file", "empty.spv", "-device", device]
        try:
            return not _UNKNOWN.search(pool.run([*command, "-out_dir", "."], folder=folder).log)
        except ToolFailed:
            return None


def _query(path: str) -> tuple[str, list[str], bool, str] | None:
    """Return the fields of `ANSWER`, or None if ocloc fails."""
    # Imported here: if the answer is cached, no process is started.
    from dovetail.processes.pool import current_pool, work_folder

    pool = current_pool()
    with work_folder() as folder:
        try:
            pool.run([path, "query", _VERSION_QUERY], folder=folder)
            # ocloc writes the answer to a file with the name of the query.
            version = _version((folder / _VERSION_QUERY).read_bytes())
            help_text = pool.run([path, "compile", "--help"], folder=folder).log
        except (ToolFailed, OSError):
            return None
    return version, _devices(help_text), "-exclude_ir" in help_text, _library(path, version)


def _version(answer: bytes) -> str:
    return answer.decode(errors="replace").strip("\0 \n")


def _library(path: str, version: str) -> str:
    """Return the path of the library installed with the program, or "" if versions differ."""
    from dovetail.compilers.ocloc_library import invoke, libraries_beside
    from dovetail.processes.process import SMALL_TASK_S

    query = ["query", _VERSION_QUERY]
    for library in libraries_beside(path):
        try:
            _, answer = invoke(library, query, ("", b""), _VERSION_QUERY, seconds=SMALL_TASK_S)
        except ToolFailed:
            continue
        if answer is not None and _version(answer) == version:
            return library
    return ""


def _devices(help_text: str) -> list[str]:
    """Return the device names in all lists of a help text."""
    lists = (found[1].replace("\n", " ").split(",") for found in _DEVICES.finditer(help_text))
    words = (name.split() for each in lists for name in each)
    return sorted({word[0] for word in words if word and word[0] != "version"})
