"""The readers that are fuzzed, by name; each is loaded when it is needed."""

from __future__ import annotations

from importlib import import_module

from fuzz.reader import Reader

READERS = {
    "offload-binary": "fuzz.readers.offload_binary",
    "syclbin": "fuzz.readers.syclbin",
    "property-sets": "fuzz.readers.property_sets",
    "executable": "fuzz.readers.executables",
    "object": "fuzz.readers.objects",
    "archive": "fuzz.readers.archives",
    "spirv": "fuzz.readers.spirv",
    "file-table": "fuzz.readers.file_tables",
    "target-file": "fuzz.readers.target_files",
    "facts": "fuzz.readers.facts",
    "condition": "fuzz.readers.condition_codes",
    "response-file": "fuzz.readers.response_files",
    "linker-script": "fuzz.readers.linker_scripts",
}
"""By name, the module that has it as `READER`."""


def load(name: str) -> Reader:
    """Return the reader of that name; `KeyError` if there is none."""
    reader: Reader = import_module(READERS[name]).READER
    return reader
