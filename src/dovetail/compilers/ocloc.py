"""Intel's compiler for its GPUs."""

import re
from typing import NamedTuple

from dovetail.compilers.answers import answer_of, identity_of, variables_like
from dovetail.errors import ToolFailed
from dovetail.resources import Tool, tool_path

OCLOC = Tool("ocloc", "intel-opencl-icd")

ANSWER = (str, [str], bool, str)
"""The shape of what it says of itself: version, devices, whether it can leave out IR, library."""

_VERSION_QUERY = "OCL_DRIVER_VERSION"
_UNKNOWN = re.compile(r"Cannot get HW Info for device|Failed to parse target")
_DEVICES = re.compile(r"<device_type> can be: ([\w.,\s-]+)")


class Ocloc(NamedTuple):
    """The installed release."""

    path: str
    version: str
    """The driver's; empty if it does not say."""
    devices: frozenset[str]
    """The names that it says it knows, of devices and of their families; numbers and ranges it
    takes as well."""
    can_leave_out_ir: bool = False
    """Whether it can be told to put no SPIR-V beside the code."""
    library: str = ""
    """The library of the same release, if there is one."""

    @property
    def name(self) -> str:
        return f"ocloc {self.version}".strip()

    @property
    def identity(self) -> tuple[str, ...]:
        """Tells its code from that of others: which program it is, and its settings."""
        return (self.name, identity_of(self.path), *variables_like("IGC_"))


def find_ocloc() -> Ocloc:
    """The one on PATH; `ToolMissing` if there is none."""
    path = tool_path(OCLOC)
    question = "ocloc: version, devices, -exclude_ir, library"
    answer = answer_of(identity_of(path), question, lambda: _ask(path), ANSWER)
    version, devices, can_leave_out_ir, library = answer or ("", (), False, "")
    return Ocloc(path, version, frozenset(devices), can_leave_out_ir, library)


def knows_device(ocloc: Ocloc, device: str) -> bool:
    """Whether it compiles for a device, or for all in a list or range."""
    if device.replace("_", "-") in ocloc.devices or device in ocloc.devices:
        return True
    question = f"ocloc: -device {device}"
    known = answer_of(identity_of(ocloc.path), question, lambda: _ask_device(ocloc, device), bool)
    # If it does not say, it will when it compiles.
    return known is not False


def _ask_device(ocloc: Ocloc, device: str) -> bool | None:
    from dovetail.processes.pool import current_pool, work_folder

    pool = current_pool()
    with work_folder() as folder:
        # It looks at the device before it looks into the file.
        (folder / "empty.spv").touch()
        command = [ocloc.path, "compile", "-spirv_input", "-file", "empty.spv", "-device", device]
        try:
            return not _UNKNOWN.search(pool.run([*command, "-out_dir", "."], folder=folder).log)
        except ToolFailed:
            return None


def _ask(path: str) -> tuple[str, list[str], bool, str] | None:
    # What is kept already needs no process.
    from dovetail.processes.pool import current_pool, work_folder

    pool = current_pool()
    with work_folder() as folder:
        try:
            pool.run([path, "query", _VERSION_QUERY], folder=folder)
            # It answers with a file.
            version = _version((folder / _VERSION_QUERY).read_bytes())
            help_text = pool.run([path, "compile", "--help"], folder=folder).log
        except (ToolFailed, OSError):
            return None
    return version, _devices(help_text), "-exclude_ir" in help_text, _library(path, version)


def _version(answer: bytes) -> str:
    return answer.decode(errors="replace").strip("\0 \n")


def _library(path: str, version: str) -> str:
    """The library beside the program, if that is of the same release; else none."""
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
    """The names in all lists of devices; what follows them is no name."""
    lists = (found[1].replace("\n", " ").split(",") for found in _DEVICES.finditer(help_text))
    words = (name.split() for each in lists for name in each)
    return sorted({word[0] for word in words if word and word[0] != "version"})
