"""What an input file is, by its name, as clang has it."""

from pathlib import PurePath

from dovetail.errors import UsageError
from dovetail.files import STREAM

_BY_SUFFIX = {
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP", ".cp", ".CXX", ".C++"), "c++"),
    ".ii": "c++-cpp-output",
    ".c": "c",
    ".i": "cpp-output",
    ".s": "assembler",
    **dict.fromkeys((".S", ".sx"), "assembler-with-cpp"),
    **dict.fromkeys((".ll", ".bc"), "ir"),
    ".m": "objective-c",
    **dict.fromkeys((".mm", ".M"), "objective-c++"),
    ".cu": "cuda",
    ".cl": "cl",
    **dict.fromkeys((".h", ".hpp", ".hh", ".hxx", ".H", ".hp", ".h++"), "c++-header"),
}

_BY_NAME = "none"
"""What `-x` says to go back to names."""


def language_of(path: str, given: str = "") -> str:
    """The language of a source, as `-x` names it; empty for what is linked as it is."""
    if given and given != _BY_NAME:
        return given
    if path == STREAM:
        raise UsageError("the language of standard input is not known", hint="add -x c++")
    return _BY_SUFFIX.get(PurePath(path).suffix, "")
