"""Asking children that stay: each question goes to one that has nothing to do, or to a new one."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress

from dovetail.compilers.child import (
    SECONDS,
    Children,
    Finished,
    NoAnswer,
    children_of_build,
    too_late,
    tool_name,
)
from dovetail.compilers.staying import StayingChild
from dovetail.python_child import python_child
from dovetail.running_tools import running


def ask_child(
    command: Sequence[str],
    request: bytes,
    *,
    environment: Mapping[str, str] | None = None,
    seconds: float | None = SECONDS,
    purpose: str = "",
) -> bytes | Finished:
    """What a child that stays, see `staying`, answers; how it ended if that is what it did.

    In a build it is kept for whoever asks the same command next, else it ends with this.
    `NoAnswer` if it cannot be started or takes too long.
    """
    of_build = children_of_build()
    children = of_build or Children()
    try:
        with running(tool_name(command), seconds, purpose):
            return _asked(children, command, environment or {}, request, seconds)
    except TimeoutError:
        raise too_late(command, seconds) from None
    finally:
        if children is not of_build:
            children.end()


def ask_python_child(
    module: str,
    words: Sequence[str],
    request: bytes,
    *,
    dependencies: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
    seconds: float | None = SECONDS,
    purpose: str = "",
) -> bytes | Finished:
    """The same of a module of this package; `dependencies` as for `python_child`."""
    command = python_child(module, words, dependencies)
    return ask_child(command, request, environment=environment, seconds=seconds, purpose=purpose)


def start_python_children(module: str, words: Sequence[str], count: int) -> None:
    """In a build, have so many such children come up, for those who ask first; returns at once.

    All steps that want some share them.
    """
    children = children_of_build()
    if children:
        command = python_child(module, words)
        key = _key(command, {})
        # Who asks them will hear what is wrong with them.
        with suppress(NoAnswer):
            for _ in range(children.to_prepare(key, count)):
                children.keep(key, children.staying(command, {}))


def _key(command: Sequence[str], environment: Mapping[str, str]) -> Hashable:
    """By what children that are alike are found."""
    return (*command, *environment.items())


def _asked(
    children: Children,
    command: Sequence[str],
    environment: Mapping[str, str],
    request: bytes,
    seconds: float | None,
) -> bytes | Finished:
    key = _key(command, environment)
    kept = children.take_idle(key)
    if kept:
        answer = _answer(children, key, kept, request, seconds)
        # What an earlier request left behind may have ended it.
        if isinstance(answer, bytes):
            return answer
    return _answer(children, key, children.staying(command, environment), request, seconds)


def _answer(
    children: Children, key: Hashable, child: StayingChild, request: bytes, seconds: float | None
) -> bytes | Finished:
    try:
        answer = child.ask(request, seconds)
    except EOFError:
        finished = Finished(child.process.returncode, child.log())
        child.end()
        return finished
    except BaseException:
        child.end()
        raise
    children.keep(key, child)
    return answer
