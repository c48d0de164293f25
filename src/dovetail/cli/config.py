"""`dovetail config`: what other compilers, linkers and build systems need to use Dovetail."""

from collections.abc import Sequence
from pathlib import Path

import dovetail
from dovetail.cli.arguments import Parser
from dovetail.driver import options as o
from dovetail.frontend import start_library_options
from dovetail.interpreter import shared_library
from dovetail.printable import shell_command

_DESCRIPTION = """\
Print the options that a project needs to compile SYCL sources with
'dovetail c++' and link with another linker, or the folders of the packages for
CMake and pkg-config.

examples:
  dovetail c++ $(dovetail config --cflags) -c k.cpp
  g++ main.o k.o $(dovetail config --libs) -o app
  PKG_CONFIG_PATH=$(dovetail config --pkgconfig-dir) pkg-config --libs dovetail
  cmake -B build -DDovetail_DIR=$(dovetail config --cmake-dir)
"""


def run(args: Sequence[str]) -> int:
    """See `dovetail config --help`."""
    parser = Parser("config", _DESCRIPTION)
    parser.add_argument("--cflags", action="store_true", help="options of 'dovetail c++ -c'")
    parser.add_argument("--libs", action="store_true", help="options of the linker")
    parser.add_argument(
        "--cmake-dir", action="store_true", help="the folder of the CMake package, Dovetail_DIR"
    )
    parser.add_argument(
        "--pkgconfig-dir", action="store_true", help="the folder of dovetail.pc, for pkg-config"
    )
    parser.add_argument(
        "--libpython", action="store_true", help="Python's shared library, which programs load"
    )
    options = parser.parse_args(args)
    words = [o.FSYCL.spelling, o.ANY_LINKER.spelling] if options.cflags else []
    words += start_library_options() if options.libs else ()
    words += [str(Path(dovetail.__file__).parent / "cmake")] if options.cmake_dir else []
    words += [str(Path(dovetail.__file__).parent / "pkgconfig")] if options.pkgconfig_dir else []
    words += [shared_library()] if options.libpython else []
    if not words:
        parser.error("nothing was requested")
    print(shell_command(words))
    return 0
