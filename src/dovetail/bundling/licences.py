"""The licence texts of everything in a bundle."""

import re
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution
from pathlib import Path

from dovetail.bundling.bundled_file import LICENCES, BundledFile
from dovetail.bundling.packages import DOVETAIL, component_of, installed_files
from dovetail.errors import ToolFailed
from dovetail.interpreter import shared_library
from dovetail.processes.process import Processes

COMPONENT = "licences"
_IS_LICENCE = re.compile(
    r"(licen[cs]e|copying|copyright|notice|eula|third-party|tbb_tpp)|.*( eula)$", re.IGNORECASE
)
_PACKAGE = Path(__file__).parents[1]
_DEBIAN_TEXTS = Path("/usr/share/doc")


def own_licence() -> Iterator[BundledFile]:
    """Yield Dovetail's licence: of an installed package, or of a checkout."""
    folders = [*_PACKAGE.parent.glob("dovetail-*.dist-info/licenses"), _PACKAGE.parents[1]]
    found = (path for folder in folders if (path := folder / "LICENSE").is_file())
    for path in list(found)[:1]:
        yield _entry(DOVETAIL, "LICENSE", path)


def package_licences(package: Distribution) -> Iterator[BundledFile]:
    """Yield the licence texts of a package; if it has none, the name of its licence."""
    component = component_of(package)
    found = False
    for file, relative in installed_files(package):
        if _IS_LICENCE.match(relative.name) and relative.suffix not in (".py", ".pyc"):
            found = True
            # With the folders inside the package, since names recur.
            parts = [part for part in relative.parts[:-1] if part != ".."]
            yield _entry(component, "-".join([*parts, relative.name]), file)
    if not found:
        yield _entry(component, "LICENCE.txt", _named_licence(package).encode())


def _named_licence(package: Distribution) -> str:
    data = package.metadata
    name = next((data[key] for key in ("License-Expression", "License") if key in data), "")
    text = f"{package.name} is licensed under: {name or 'see its home page'}\n"
    if "Apache-2.0" in name:
        text += f"The text of Apache-2.0 is in '../{DOVETAIL}/LICENSE'.\n"
    return text


def python_licence() -> Iterator[BundledFile]:
    """Yield Python's licence."""
    path = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    if path.is_file():
        yield _entry("Python", path.name, path)
    else:
        yield from system_licences([Path(shared_library())])


def system_licences(libraries: Iterable[Path]) -> Iterator[BundledFile]:
    """Yield the licences of libraries that Debian's packages installed."""
    for path in libraries:
        package = _debian_package(path)
        text = _DEBIAN_TEXTS / package / "copyright"
        if package and text.is_file():
            yield _entry(package, text.name, text)


def _debian_package(library: Path) -> str:
    """Return the name of the package that contains a file, or an empty string."""
    # Packages list either form, since `/lib` is a link on newer systems.
    for path in (library.resolve(), library):
        try:
            found = Processes().run(["dpkg-query", "-S", str(path)])
        except ToolFailed:
            return ""
        if not found.status:
            return found.output.decode(errors="replace").partition(":")[0]
    return ""


def _entry(component: str, name: str, source: Path | bytes) -> BundledFile:
    return BundledFile(LICENCES / component / name, source, COMPONENT)
