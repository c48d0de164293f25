"""`dovetail c++`: clang, with SYCL.

Without `-fsycl` this process becomes clang, so nothing is imported here that only SYCL needs.
"""

import gc
from collections.abc import Sequence
from pathlib import Path

from dovetail.cli.clang import become_clang
from dovetail.cli.entry import print_version
from dovetail.cli.response_files import expanded
from dovetail.errors import UsageError

_ON, _OFF = "-fsycl", "-fno-sycl"
_OURS = ("-fsyclbin", "-fsycl-")
_CLANGS = ("-fsycl-device-only", "-fsycl-host-only")


def run(words: Sequence[str]) -> int:
    """See `dovetail c++ --help`."""
    given = expanded(words)
    if "--help" in given:
        from dovetail.cli.cxx_sycl import help_text

        print(help_text())
        return 0
    if "--version" in given:
        print_version()
        return 0
    switches = [word for word in given if word in (_ON, _OFF)]
    if switches[-1:] == [_ON]:
        # The process ends soon; to look for garbage while modules load takes a tenth of a build.
        gc.disable()
        from dovetail.cli.cxx_sycl import run_sycl
        from dovetail.cli.long_spellings import in_short

        return run_sycl(in_short([word for word in given if word != _OFF]))
    ours = next((word for word in given if word.startswith(_OURS) and word not in _CLANGS), None)
    if ours is not None:
        raise UsageError(
            f"'{ours}' is for SYCL programs", hint="add -fsycl, without which this is clang"
        )
    # What a pipe held is gone; files are clang's to read.
    from_pipe = any(word.startswith("@") and Path(word[1:]).is_fifo() for word in words)
    become_clang(given if from_pipe else words)
