"""Packaging of compiled images into a program file.

For programs and libraries with host code, the result is a C++ source that embeds the file.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.package.program import (
        embedding_source as embedding_source,
        package_program as package_program,
    )
