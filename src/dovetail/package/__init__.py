"""Packaging of compiled images into a program file.

With host code, the result is an executable, or a C++ source that embeds the file in a library.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.package.executable import package_executable as package_executable
    from dovetail.package.program import (
        library_source as library_source,
    )
    from dovetail.package.program import (
        package_program as package_program,
    )
