"""Packaging of device code into a program file, and of that into an executable or library.

In: images with their code and descriptions. Out: the bytes of a SYCLBIN, which DPC++'s runtime
reads too; and for such a file, a C++ source to compile and link with the host code. It embeds the
program and has a static object that registers it with the runtime.
"""

from collections.abc import Iterable
from pathlib import Path

from dovetail.image.elf import CODE_SECTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.artifacts import CompiledImage
    from dovetail.interpreter import Interpreter

# The earliest priority that C++ programs can use: constructors of static objects in the library may
# launch kernels. For equal priorities the link order decides, so this must be the first input.
_PRIORITY = 101


def package_program(images: "Iterable[CompiledImage]") -> bytes:
    """Return the content of a program file, whose images a driver still has to compile."""
    # Imported here: steps that only link host code do not need the format.
    from dovetail.image import AbstractModule, BundleState, SyclBin, write_program

    modules = [AbstractModule.of(image.info, image.forms) for image in images]
    return write_program(SyclBin.of(BundleState.INPUT, modules))


def embedding_source(program: Path, python: "Interpreter", *, can_be_unloaded: bool) -> bytes:
    """Return the source; `python` starts the runtime on the first use of SYCL."""
    words = (python.path, python.library, python.version, ":".join(python.folders))
    recorded = ", ".join(map(_literal, words))
    # Not by #embed, for which some paths cannot be written.
    assembly = "".join(
        (
            f'.pushsection {CODE_SECTION}, "a", @progbits\n.balign 8\n',
            f"dovetail_data:\n.incbin {_literal(str(program.absolute()))}\ndovetail_data_end:\n",
            ".popsection\n",
        )
    )
    return f"""\
#include <sycl/detail/host/code_registration.hpp>
#include <sycl/detail/host/start.hpp>
namespace host = sycl::detail::host;
extern "C" void *__dso_handle;
const host::recorded_python host::dovetail_recorded_python{{{recorded}}};
asm({_literal(assembly)});
extern "C" [[gnu::visibility("hidden")]] const unsigned char dovetail_data[], dovetail_data_end[];
[[gnu::init_priority({_PRIORITY})]]
static host::code_registration registration(dovetail_data, dovetail_data_end - dovetail_data,
                                            &__dso_handle, {str(can_be_unloaded).lower()});
""".encode(errors="surrogateescape")


def _literal(text: str) -> str:
    """Return text as a C++ string literal; bytes that it does not say keep their values."""
    encoded = text.encode(errors="surrogateescape")
    plain = (chr(each) if 32 <= each < 127 and each not in b'"\\?' else "" for each in encoded)
    words = (c or f"\\{each:03o}" for c, each in zip(plain, encoded, strict=True))
    return f'"{"".join(words)}"'
