"""Bundles: a program with everything that it needs at run time, for machines without Dovetail.

In: a program that the compiler linked. Out: a directory or an archive with the program, its own
shared libraries, and `dovetail-runtime`: a Python, the packages of the runtime, and Intel's OpenCL
CPU driver. `contents` decides what goes in, from `elf_libraries`, `python_files`, `packages` and
`licences`; `writing` copies it.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.bundling.bundled_file import BundledFile as BundledFile
    from dovetail.bundling.contents import (
        Bundle as Bundle,
        BundleRequest as BundleRequest,
        plan_bundle as plan_bundle,
    )
    from dovetail.bundling.writing import (
        Written as Written,
        require_replaceable as require_replaceable,
        write_bundle as write_bundle,
    )
