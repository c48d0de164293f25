"""Put the device code of a program into one file, and that into a shared library.

In: images with their code and descriptions. Out: the bytes of a SYCLBIN, which DPC++'s runtime
reads too; and for such a file, a C++ source that is compiled and linked with the library's host
code. It holds the program, and a static object that tells the runtime of it.
"""

from collections.abc import Iterable
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.artifacts import CompiledImage

# The earliest that C++ lets us come: objects of the library's sources may start kernels as they are
# made. The linker's order decides between equals, so this has to be the first of its inputs.
_PRIORITY = 101


def package_program(images: "Iterable[CompiledImage]") -> bytes:
    """The program file's content; a driver still has to compile its images."""
    # Steps that only link host code need not load the format.
    from dovetail.image import AbstractModule, BundleState, SyclBin, write_program

    modules = [AbstractModule.of(image.info, image.forms) for image in images]
    return write_program(SyclBin.of(BundleState.INPUT, modules))


def library_source(program: Path) -> bytes:
    """The source; its compiler has to look for files to embed in the program's folder."""
    return f"""\
#include <sycl/detail/host/library.hpp>
static const unsigned char data[] = {{
#embed "{program.name}"
}};
[[gnu::init_priority({_PRIORITY})]]
static sycl::detail::host::library_registration registration(data, sizeof(data));
""".encode()
