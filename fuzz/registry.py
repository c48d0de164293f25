"""The fuzzed readers by name, loaded on first use."""

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
    "cache-entry": "fuzz.readers.cache_entries",
    "child-message": "fuzz.readers.child_messages",
    "bitcode": "fuzz.readers.ir_modules:BITCODE",
    "textual-ir": "fuzz.readers.ir_modules:TEXT",
    "post-link": "fuzz.readers.post_link",
    "source": "fuzz.readers.sources",
}
"""The module with the reader as `READER`, or `module:NAME`, by name."""


def load(name: str) -> Reader:
    """Return the reader with a name, or the one at `module:NAME`."""
    module, _, attribute = READERS.get(name, name).partition(":")
    reader: Reader = getattr(import_module(module), attribute or "READER")
    return reader
