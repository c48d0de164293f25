"""What steps make, kept in files: `-save-temps`.

docs/driver.md lists the names. They follow from the sources and the output, so that a build that
is repeated writes the same files again.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from dovetail.artifacts import CodeForm, CompiledImage, DeviceImage, DeviceModule
from dovetail.codegen import InvalidCode
from dovetail.driver.actions import Action, Phase
from dovetail.driver.binding import Job
from dovetail.driver.target_code import TargetImages
from dovetail.driver.watching import Specialised, Spent, Watcher
from dovetail.errors import InputError, UsageError
from dovetail.files import StagedFiles, write_atomically
from dovetail.frontend import Source
from dovetail.image import FileTable, IRModule, IRType, format_file_table
from dovetail.ir import Module
from dovetail.postlink import ImageFiles, LinkedProgram, write_images

_Key = TypeVar("_Key")

_SUFFIXES = {IRType.SPIRV: ".spv", IRType.PTX: ".ptx", IRType.AMDGCN: ".o"}
_ODD = re.compile(r"[^\w.+-]")


class SavedFiles(Watcher):
    """Writes what each job made into a folder, under names that say what it is."""

    needs_all = True

    def __init__(self, folder: Path, program: str, taken: Iterable[Path] = ()) -> None:
        """`program` is what names begin with that belong to no source.

        `taken` are inputs and outputs, which must stay what they are.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make the folder '{folder}': {error.strerror}") from None
        self._folder = folder
        self._program = program
        self._taken = {path.resolve() for path in taken}
        self._stems: dict[Source | Action, str] = {}
        self._images: dict[Action, tuple[ImageFiles, int]] = {}
        """By the action that made them, where images went and how many they are."""
        self._invalid = 0
        """How many files with invalid code there are."""
        self._lock = Lock()

    def planned(self, jobs: Sequence[Job]) -> None:
        sources = dict.fromkeys(job.action.source for job in jobs if job.action.source)
        self._stems |= _told_apart({source: _stem(source) for source in sources})
        linked = [job.action for job in jobs if job.action.phase is Phase.POST_LINK]
        self._stems |= _told_apart(dict.fromkeys(linked, self._program))

    def made_meanwhile(self, job: Job, made: object) -> None:
        if isinstance(made, LinkedProgram):
            self._write(f"{self._stems[job.action]}.linked.bc", made.module.to_bitcode())
        if isinstance(made, Specialised):
            stem = f"{self._stems[job.action.inputs[0]]}.image_{made.image}"
            self._write(f"{stem}.{_plain(made.targets[0])}.spv", made.code)
        if isinstance(made, InvalidCode):
            with self._lock:
                self._invalid += 1
                number = f"_{self._invalid}" if self._invalid > 1 else ""
            stem = self._stems[job.action.inputs[0]]
            self._write(f"{stem}.invalid{number}{made.suffix}", made.code)

    def finished(self, job: Job, made: Any, spent: Spent) -> None:
        action = job.action
        match action.phase, made:
            case Phase.COMPILE, _:
                stem = f"{self._of_source(action)}.device.{action.family}"
                self._copy(job.outputs[0], f"{stem}.bc")
                self._copy(job.outputs[1], f"{stem}.facts.json")
            case Phase.CHECK, _:
                self._copy(job.outputs[0], f"{self._of_source(action)}.device.facts.json")
            case Phase.PASSES, DeviceModule():
                stem = f"{self._of_source(action)}.device.{action.family}"
                self._write(f"{stem}.passes.bc", made.module.to_bitcode())
            case Phase.GATHER, _:
                self._save_gathered(made)
            case Phase.POST_LINK, _:
                self._save_images(action, made)
            case Phase.FILTER, TargetImages():
                self._save_table(action, made)
            case Phase.GENERATE, _:
                self._save_code(action, made)
            case Phase.PACKAGE, bytes():
                self._write(f"{self._program}.device.syclbin", made)
            case _:
                self._save_hosts(job)

    def _save_hosts(self, job: Job) -> None:
        """What compilers and linkers of the host's side left."""
        action = job.action
        match action.phase:
            case Phase.COMPILE_HOST:
                self._copy(job.outputs[0], f"{self._of_source(action)}.host.o")
            case Phase.OBJECT:
                self._copy(job.outputs[1], f"{self._of_source(action)}.device.offload")
            case Phase.EMBED:
                self._copy(job.outputs[0], f"{self._program}.embedded.o")
            case Phase.RESOLVE:
                self._copy(job.outputs[0], f"{self._program}.resolved.so")
            case Phase.LINK_HOST:
                self._copy(job.outputs[0], f"{self._program}.host.so")
            case _:
                pass

    def _save_gathered(self, modules: Sequence[DeviceModule]) -> None:
        for number, device in enumerate(modules):
            # The triple is what the bitcode says, and may be anything.
            family = _plain(_family(device.module))
            name = f"{self._program}.gathered_{number}.{family}.bc"
            self._write(name, device.module.to_bitcode())

    def _save_images(self, action: Action, images: Sequence[DeviceImage]) -> None:
        stem = self._folder / f"{self._stems[action]}.image"
        files = ImageFiles(stem, properties=True, symbols=True)
        with self._lock:
            self._images[action] = (files, len(images))
        for number in range(len(images)):
            for name in files.names(number):
                self._refuse_taken(Path(name))
        with StagedFiles() as staged:
            for _ in write_images(images, files, staged):
                pass
            staged.put_in_place()
        rows = tuple(files.names(number) for number in range(len(images)))
        table = format_file_table(FileTable(files.titles, rows))
        self._write(f"{self._stems[action]}.images.table", table)

    def _save_table(self, action: Action, filtered: TargetImages) -> None:
        linked = action.inputs[0]
        with self._lock:
            files, count = self._images[linked]
        numbers = (number for number in range(count) if filtered.gets(number))
        table = FileTable(files.titles, tuple(map(files.names, numbers)))
        name = f"{self._stems[linked]}.{_plain(filtered.target.name)}.table"
        self._write(name, format_file_table(table))

    def _save_code(self, action: Action, images: Sequence[CompiledImage]) -> None:
        stem = self._stems[action.inputs[0]]
        for number, image in enumerate(images):
            suffixes = [_suffix(form) for form in image.forms]
            for place, form in enumerate(image.forms):
                # Targets whose compilers are told different things have code of their own.
                same = suffixes[:place].count(suffixes[place])
                which = f"-{same + 1}" if same else ""
                name = f"{stem}.image_{number}{which}{suffixes[place]}"
                self._write(name, bytes(form.code))

    def _of_source(self, action: Action) -> str:
        assert action.source
        return self._stems[action.source]

    def _copy(self, file: Path, name: str) -> None:
        """Keep a file, if the job has left it."""
        if file.is_file():
            self._write(name, file.read_bytes())

    def _write(self, name: str, content: bytes) -> None:
        path = self._folder / name
        self._refuse_taken(path)
        write_atomically(path, content)

    def _refuse_taken(self, path: Path) -> None:
        if path.resolve() in self._taken:
            raise UsageError(
                f"'{path}' is an input or an output, and -save-temps would write over it",
                hint="name a folder of its own: -save-temps=DIR",
            )


def _told_apart(names: Mapping[_Key, str]) -> dict[_Key, str]:
    """The names, with numbers behind those that others have too."""
    counts: dict[str, int] = {}
    apart: dict[_Key, str] = {}
    for key, name in names.items():
        counts[name] = counts.get(name, 0) + 1
        apart[key] = name if counts[name] == 1 else f"{name}-{counts[name]}"
    return apart


def _stem(source: Source) -> str:
    return Path(source.path).stem if source.is_file else "stdin"


def _family(module: Module) -> str:
    return module.triple.partition("-")[0]


def _suffix(form: CodeForm) -> str:
    if isinstance(form, IRModule):
        return _SUFFIXES[form.ir_type]
    return f".{_plain(form.arch)}.native"


def _plain(name: str) -> str:
    """A name as a part of a file's."""
    return _ODD.sub("_", name)
