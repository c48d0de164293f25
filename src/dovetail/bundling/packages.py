"""The packages of a bundle: Dovetail's runtime and what it needs, no compilers and no tests."""

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

from dovetail.bundling.bundled_file import LIBRARIES, BundledFile
from dovetail.bundling.elf_libraries import needed_by
from dovetail.bundling.python_files import PACKAGES, module_entry
from dovetail.errors import InputError, UsageError
from dovetail.files import map_file
from dovetail.image.search_path import dynamic_symbols
from dovetail.resources import without_opencl_c
from dovetail.version import __version__

_RUNTIME_PACKAGES = ("numpy", "pyopencl")
"""What the runtime imports. PyYAML reads only files for emulated devices, rich prints tables."""
_CPU_DRIVER = ("intel-opencl-rt", "intel-cmplr-lib-rt")
_DRIVER = "libintelocl.so"
_OPENCL_C = "libcommon_clang.so"
"""A compiler that programs with SPIR-V or native code do not need."""

DOVETAIL = f"dovetail {__version__}"
_PACKAGE = Path(__file__).parents[1]
_RUNTIME_FOLDERS = (
    *("cache", "compilers", "conditions", "image", "processes", "runtime", "spirv", "targets"),
)
"""The folders of Dovetail that the runtime imports, besides the modules outside of folders."""

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_LEFT_OUT = frozenset(["__pycache__", "f2py", "include", "test", "tests"])
_SUFFIXES_LEFT_OUT = (".a", ".c", ".cpp", ".h", ".hpp", ".pxd", ".pyi", ".pyx", "_tests.py")
_TEST_MODULE = re.compile(r"(.*_tests|_simd)\.[^/]*\.so")

# What the driver loads by itself: code of its device library, for each kind of processor, and the
# libraries of its executor and of the functions that kernels call.
_DRIVER_DATA = re.compile(
    r"cl\.cfg|clbltfn\w+\.rtl|cllibrary\w*\.(rtl|o)|libocl_svml_\w+\.so|libtbbmalloc\.so\.2"
)
_OF_PROCESSOR = re.compile(r"(?:clbltfn|cllibrary|libocl_svml_)([a-z]\d)\.\w+")
PROCESSORS = {
    "sse42": ("h8",),
    "avx": ("e9",),
    "avx2": ("l9",),
    "avx512": ("z0", "z1"),
}
"""The kinds of processors, and the letters in the names of the files for each."""


def dovetail_entries() -> Iterator[BundledFile]:
    """Yield the files of Dovetail's runtime."""
    folders = [_PACKAGE, *map(_PACKAGE.joinpath, _RUNTIME_FOLDERS)]
    files = (file for each in folders for file in each.glob("*" if each == _PACKAGE else "**/*"))
    for file in sorted(files):
        if file.suffix == ".py":
            relative = file.relative_to(_PACKAGE.parent)
            yield module_entry(file, PACKAGES / relative.parent, DOVETAIL)


def distributions(added: Iterable[str]) -> list[Distribution]:
    """Return the distributions of the runtime, the added ones, and all that they require."""
    found: dict[str, Distribution] = {}
    waiting = [*_RUNTIME_PACKAGES, *added]
    for name in waiting:
        if _installed(name) is None:
            raise UsageError(
                f"the package '{name}' is not installed", hint=f"install it: pip install {name}"
            )
    # Without these, a bundle works with other drivers.
    waiting += _CPU_DRIVER
    while waiting:
        installed = _installed(waiting.pop())
        if installed and installed.name not in found:
            found[installed.name] = installed
            # Those of other versions of Python are not installed.
            waiting += [_required(each) for each in installed.requires or () if _is_needed(each)]
    return sorted(found.values(), key=lambda each: each.name.lower())


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _is_needed(requirement: str) -> bool:
    return "extra ==" not in requirement


def _required(requirement: str) -> str:
    match = _NAME.match(requirement)
    return match[0] if match else requirement


def component_of(package: Distribution) -> str:
    """Return the name of a package for lists of what a bundle contains."""
    return f"{package.name} {package.version}"


def package_entries(package: Distribution) -> Iterator[BundledFile]:
    """Yield the modules and data of a package, and its metadata."""
    component = component_of(package)
    root = Path(str(package.locate_file(""))).resolve()
    for file, relative in installed_files(package):
        if not file.is_relative_to(root):
            continue
        if relative.parent.name.endswith(".dist-info"):
            if relative.name in ("METADATA", "RECORD"):
                yield BundledFile(PACKAGES / relative, file, component)
        elif _is_run_time_file(relative):
            yield module_entry(file, PACKAGES / relative.parent, component)


def installed_files(package: Distribution) -> Iterator[tuple[Path, PurePosixPath]]:
    """Yield the files of a package and their paths relative to the folder of packages."""
    if package.files is None:
        raise InputError(
            f"the package '{package.name}' does not list its files", hint="install it with pip"
        )
    for listed in package.files:
        file = Path(str(listed.locate())).resolve()
        if file.is_file():
            yield file, PurePosixPath(listed)


def _is_run_time_file(path: PurePosixPath) -> bool:
    return (
        not _LEFT_OUT.intersection(path.parts)
        and not any(part.endswith(".dist-info") for part in path.parts)
        and not path.name.endswith(_SUFFIXES_LEFT_OUT)
        and not _TEST_MODULE.fullmatch(path.name)
    )


def driver_entries(
    packages: Iterable[Distribution], processors: Iterable[str], *, with_opencl_c: bool
) -> Iterator[BundledFile]:
    """Yield each library of Intel's OpenCL CPU driver once; none without the driver's package."""
    owners: dict[str, tuple[Path, str]] = {}
    for package in packages:
        for file, relative in installed_files(package):
            # Outside of the folder of packages: in `lib`.
            if relative.parts[:2] == ("..", "..") and len(relative.parts) == 3:
                owners[relative.name] = (file, component_of(package))
    kept = {kind for name in processors for kind in PROCESSORS[name]}
    waiting = [name for name in owners if name == _DRIVER or _is_driver_data(name, kept)]
    done: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in done or name not in owners:
            continue
        done.add(name)
        file, component = owners[name]
        if name.startswith(_OPENCL_C) and not with_opencl_c and _is_replaceable(file, owners):
            yield BundledFile(LIBRARIES / name, without_opencl_c(), DOVETAIL)
            continue
        yield BundledFile(LIBRARIES / name, file, component)
        waiting += needed_by(file) if ".so" in name else ()


def _is_replaceable(compiler: Path, owners: Mapping[str, tuple[Path, str]]) -> bool:
    """Return whether the driver calls only those functions of the compiler that are replaced."""
    needed = dynamic_symbols(map_file(owners[_DRIVER][0]), defined=False)
    used = needed & dynamic_symbols(map_file(compiler), defined=True)
    return used <= dynamic_symbols(map_file(without_opencl_c()), defined=True)


def _is_driver_data(name: str, kept: set[str]) -> bool:
    processor = _OF_PROCESSOR.fullmatch(name)
    if processor and processor[1] not in kept:
        return False
    return bool(_DRIVER_DATA.fullmatch(name))
