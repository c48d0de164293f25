"""Write the results of steps to files: `-save-temps`.

`docs/driver.md` lists the names. They depend only on the sources and the output: a repeated build
writes the same files.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TypeVar

from dovetail.artifacts import CodeForm, CompiledImage, DeviceImage
from dovetail.codegen import InvalidCode
from dovetail.driver.job_listener import JobListener, Specialised, Spent
from dovetail.driver.step import AnyStep, Job
from dovetail.driver.steps.code_generation import CodeGeneration
from dovetail.driver.steps.device_compile import DeviceSource
from dovetail.driver.steps.host_compile import HostSource
from dovetail.driver.steps.post_link import PostLink
from dovetail.errors import InputError, UsageError
from dovetail.files import StagedFiles, write_atomically
from dovetail.frontend import Source
from dovetail.image import FileTable, IRModule, IRType, format_file_table
from dovetail.postlink import ImageFiles, LinkedProgram, write_images

_Key = TypeVar("_Key")

_SUFFIXES = {IRType.SPIRV: ".spv", IRType.PTX: ".ptx", IRType.AMDGCN: ".o"}
_ODD = re.compile(r"[^\w.+-]")


class SavedFiles(JobListener):
    """Writes the result of each step to a folder."""

    needs_all = True

    def __init__(self, folder: Path, program: str, taken: Iterable[Path] = ()) -> None:
        """Create the folder if necessary.

        `program` is the prefix of files that do not belong to a single source. `taken` are inputs
        and outputs, which must not be overwritten.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot create the folder '{folder}': {error.strerror}") from None
        self._folder = folder
        self.program = program
        self._taken = {path.resolve() for path in taken}
        self._stems: dict[object, str] = {}
        self._images: dict[AnyStep, tuple[ImageFiles, int]] = {}
        """The files of the images of each post-link step, and how many there are."""
        self._invalid = 0
        """The number of files with invalid code."""
        self._lock = Lock()

    def planned(self, jobs: Sequence[Job]) -> None:
        sources = dict.fromkeys(
            job.step.source for job in jobs if isinstance(job.step, DeviceSource | HostSource)
        )
        self._stems |= _numbered({source: _stem(source) for source in sources})
        linked = [job.step for job in jobs if isinstance(job.step, PostLink)]
        self._stems |= _numbered(dict.fromkeys(linked, self.program))

    def intermediate_result(self, job: Job, made: object) -> None:
        step = job.step
        if isinstance(made, LinkedProgram):
            self.write(f"{self.stem(step)}.linked.bc", made.module.to_bitcode())
        if isinstance(made, Specialised) and isinstance(step, CodeGeneration):
            stem = f"{self.stem(step.linked)}.image_{made.image}"
            self.write(f"{stem}.{self.safe(made.targets[0])}.spv", made.code)
        if isinstance(made, InvalidCode) and isinstance(step, CodeGeneration):
            with self._lock:
                self._invalid += 1
                number = f"_{self._invalid}" if self._invalid > 1 else ""
            self.write(f"{self.stem(step.linked)}.invalid{number}{made.suffix}", made.code)

    def finished(self, job: Job, made: object, spent: Spent) -> None:
        job.step.save(self, job, made)

    def write_images(self, linked: AnyStep, images: Sequence[DeviceImage]) -> None:
        """Write the images of a post-link step, and a table of their files."""
        files = ImageFiles(
            self._folder / f"{self.stem(linked)}.image", properties=True, symbols=True
        )
        with self._lock:
            self._images[linked] = (files, len(images))
        for number in range(len(images)):
            for name in files.names(number):
                self._refuse_taken(Path(name))
        with StagedFiles() as staged:
            for _ in write_images(images, files, staged):
                pass
            staged.put_in_place()
        rows = tuple(files.names(number) for number in range(len(images)))
        self.write(
            f"{self.stem(linked)}.images.table", format_file_table(FileTable(files.titles, rows))
        )

    def write_table(self, linked: AnyStep, target: str, is_chosen: Callable[[int], bool]) -> None:
        with self._lock:
            files, count = self._images[linked]
        numbers = filter(is_chosen, range(count))
        table = FileTable(files.titles, tuple(map(files.names, numbers)))
        name = f"{self.stem(linked)}.{self.safe(target)}.table"
        self.write(name, format_file_table(table))

    def write_code(self, linked: AnyStep, images: Sequence[CompiledImage]) -> None:
        """Write the code of images."""
        stem = self.stem(linked)
        for number, image in enumerate(images):
            suffixes = [self._suffix(form) for form in image.forms]
            for place, form in enumerate(image.forms):
                # Targets with different compiler options have separate code.
                same = suffixes[:place].count(suffixes[place])
                which = f"-{same + 1}" if same else ""
                name = f"{stem}.image_{number}{which}{suffixes[place]}"
                self.write(name, bytes(form.code))

    def _suffix(self, form: CodeForm) -> str:
        if isinstance(form, IRModule):
            return _SUFFIXES[form.ir_type]
        return f".{self.safe(form.arch)}.native"

    def stem(self, owner: object) -> str:
        return self._stems[owner]

    def safe(self, name: str) -> str:
        return _ODD.sub("_", name)

    def copy(self, file: Path, name: str) -> None:
        if file.is_file():
            self.write(name, file.read_bytes())

    def write(self, name: str, content: bytes) -> None:
        path = self._folder / name
        self._refuse_taken(path)
        write_atomically(path, content)

    def _refuse_taken(self, path: Path) -> None:
        if path.resolve() in self._taken:
            raise UsageError(
                f"'{path}' is an input or an output, which -save-temps would overwrite",
                hint="choose another folder: -save-temps=DIR",
            )


def _numbered(names: Mapping[_Key, str]) -> dict[object, str]:
    """Return the names, with numbers appended to repeated ones."""
    counts: dict[str, int] = {}
    numbered: dict[object, str] = {}
    for key, name in names.items():
        counts[name] = counts.get(name, 0) + 1
        numbered[key] = name if counts[name] == 1 else f"{name}-{counts[name]}"
    return numbered


def _stem(source: Source) -> str:
    return Path(source.path).stem if source.is_file else "stdin"
