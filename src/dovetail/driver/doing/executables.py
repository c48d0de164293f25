"""Putting both sides of a program into one file."""

from dovetail.driver.doing.bench import Task
from dovetail.image.executable import Executable
from dovetail.package import package_executable


def make(task: Task) -> bytes:
    """A file that starts the program."""
    program, library = task.inputs
    return package_executable(Executable(program, library.content))
