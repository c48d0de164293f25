"""Packaging of device code into a program file, and of that into a shared library.

In: images with their code and descriptions. Out: the bytes of a SYCLBIN, which DPC++'s runtime
reads too; and for such a file, a C++ source to compile and link with the library's host code. It
embeds the program and has a static object that registers it with the runtime.
"""

from collections.abc import Iterable
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.artifacts import CompiledImage

# The earliest priority that C++ programs can use: constructors of static objects in the library may
# launch kernels. For equal priorities the link order decides, so this must be the first input.
_PRIORITY = 101


def package_program(images: "Iterable[CompiledImage]") -> bytes:
    """Return the content of a program file, whose images a driver still has to compile."""
    # Imported here: steps that only link host code do not need the format.
    from dovetail.image import AbstractModule, BundleState, SyclBin, write_program

    modules = [AbstractModule.of(image.info, image.forms) for image in images]
    return write_program(SyclBin.of(BundleState.INPUT, modules))


def library_source(program: Path) -> bytes:
    """Return the source; it must be compiled with the program's folder as `--embed-dir`."""
    return f"""\
#include <sycl/detail/host/library.hpp>
static const unsigned char data[] = {{
#embed "{program.name}"
}};
[[gnu::init_priority({_PRIORITY})]]
static sycl::detail::host::library_registration registration(data, sizeof(data));
""".encode()
