"""Intel's compiler for its GPUs."""

import re
from typing import NamedTuple

from dovetail.compilers.answers import answer_of
from dovetail.resources import Tool, tool_path

OCLOC = Tool("ocloc", "intel-opencl-icd")

_VERSION_QUERY = "OCL_DRIVER_VERSION"
_DEVICES = re.compile(r"<device_type> can be: ([\w.,\s-]+)")


class Ocloc(NamedTuple):
    """The installed release."""

    path: str
    version: str
    """The driver's; empty if it does not say."""
    devices: frozenset[str]
    """The names that it says it knows, of devices and of their families; numbers, ranges and some
    older names it takes as well."""

    @property
    def name(self) -> str:
        return f"ocloc {self.version}".strip()


def find_ocloc() -> Ocloc:
    """The one on PATH; `ToolMissing` if there is none."""
    path = tool_path(OCLOC)
    answer = answer_of(path, "ocloc", lambda: _ask(path))
    version, devices = ("", ()) if answer is None else answer
    return Ocloc(path, version, frozenset(devices))


def _ask(path: str) -> tuple[str, list[str]] | None:
    # What is kept already needs no child.
    from dovetail.compilers.child import NoAnswer, run_child, work_folder

    with work_folder() as folder:
        try:
            run_child([path, "query", _VERSION_QUERY], folder)
            # It answers with a file.
            version = (folder / _VERSION_QUERY).read_text(errors="replace").strip("\0 \n")
            help_text = run_child([path, "compile", "--help"], folder).log
        except (NoAnswer, OSError):
            return None
    return version, _devices(help_text)


def _devices(help_text: str) -> list[str]:
    """The names in all lists of devices; what follows them is no name."""
    lists = (found[1].replace("\n", " ").split(",") for found in _DEVICES.finditer(help_text))
    words = (name.split() for each in lists for name in each)
    return sorted({word[0] for word in words if word and word[0] != "version"})
