"""Put device code into a shared library.

In: the file of a packaged program. Out: a C++ source that is compiled and linked with the
library's host code. It holds the program, and a static object that tells the runtime of it.
"""

from pathlib import Path

# The earliest that C++ lets us come: objects of the library's sources may start kernels as they are
# made. The linker's order decides between equals, so this has to be the first of its inputs.
_PRIORITY = 101


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
