"""How steps of each phase are done, kept and had again: one row a phase.

Functions are named by module, which is loaded when the first of them is called.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from dovetail.driver.actions import Phase

_DOING = "dovetail.driver.doing."


class Way(NamedTuple):
    """How a phase is gone through."""

    do: str
    """`module:function`: takes a `Task`, and returns what the step makes."""
    freeze: str = ""
    """Takes a `Task` and what the step made, and returns it as bytes; empty if that cannot be."""
    thaw: str = ""
    """Takes a job, these bytes and what makes the `Bench`, and returns what the step made.

    Raises `FormatError` or `IRError` for other bytes; the step is done again then.
    Empty if the step has to be done for that.
    """
    reads: bool = False
    """Whether it is kept only if it is known what the program that does it has read."""
    at_once: bool = False
    """Whether it only puts together what it is given: takes a job and its inputs."""


_FILES = ("tools:freeze_files", "tools:thaw_files")
_NOTHING = ("plain:freeze_nothing", "plain:thaw_nothing")
_PLAIN = ("plain:freeze", "plain:thaw")
_LIBRARY = ("plain:freeze_library", "plain:thaw_library")

WAYS: dict[Phase, Way] = {
    Phase.PRECOMPILE: Way("headers:precompile", "headers:freeze_identity"),
    Phase.BODIES: Way("headers:compile_bodies", "headers:freeze_bodies"),
    Phase.COMPILE: Way("sources:compile_device", *_FILES, reads=True),
    Phase.CHECK: Way("sources:check", "checking:freeze_facts", "checking:thaw_facts", reads=True),
    Phase.ANALYZE: Way("checking:analyze", at_once=True),
    Phase.COMPILE_HOST: Way("tools:run_clang", *_FILES, reads=True),
    Phase.SYNTAX: Way("tools:run_clang", *_NOTHING, reads=True),
    Phase.SYNTAX_HOST: Way("tools:run_clang", *_NOTHING, reads=True),
    Phase.OBJECT: Way("device:make_object", "plain:freeze_object", "plain:thaw_object"),
    Phase.FILES: Way("plain:collect_files", at_once=True),
    Phase.LINK_HOST: Way("tools:link_host", *_LIBRARY, reads=True),
    Phase.RESOLVE: Way("tools:link_host", *_LIBRARY, reads=True),
    Phase.GATHER: Way("device:gather_objects", "device:freeze_gathered"),
    Phase.APART: Way("device:refuse_calls"),
    Phase.READ: Way("device:read"),
    Phase.PASSES: Way("device:run_passes", "device:freeze_module", "device:thaw_module"),
    Phase.POST_LINK: Way("device:post_link"),
    Phase.FILTER: Way("device:filter_for_target"),
    Phase.GENERATE: Way("device:generate"),
    Phase.PACKAGE: Way("device:package", *_PLAIN),
    Phase.EMBED: Way("tools:embed", *_FILES, reads=True),
    Phase.EXECUTABLE: Way("plain:make_executable", *_PLAIN),
    Phase.START: Way("plain:start", at_once=True),
}


def function(name: str) -> Callable[..., Any]:
    """What a row names."""
    module, _, attribute = name.partition(":")
    loaded: Callable[..., Any] = getattr(import_module(_DOING + module), attribute)
    return loaded
