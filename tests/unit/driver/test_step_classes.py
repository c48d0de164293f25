"""Every kind of step keeps to the interface."""

import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

from dovetail.driver import planner, steps
from dovetail.driver.step import AnyStep, Step

PLANNER = Path(planner.__file__).read_text()


def kinds() -> list[type[AnyStep]]:
    """Return all classes that the modules of `steps` define and that have a title."""
    found: list[type[AnyStep]] = []
    for module in pkgutil.iter_modules(steps.__path__):
        loaded = import_module(f"{steps.__name__}.{module.name}")
        named = vars(loaded).items()
        classes = {name: value for name, value in named if isinstance(value, type)}
        for name, value in classes.items():
            is_own = value.__module__ == loaded.__name__ and hasattr(value, "title")
            if is_own and issubclass(value, Step):
                kind: type[AnyStep] = getattr(loaded, name)
                found.append(kind)
    return found


def overrides(kind: type[AnyStep], name: str) -> bool:
    return getattr(kind, name) is not getattr(Step, name)


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_a_kind_of_step(kind: type[AnyStep]) -> None:
    assert kind.__doc__
    assert kind.__slots__ == ()
    assert issubclass(kind, tuple), "an immutable record"
    assert not overrides(kind, "__hash__"), "a record that equals only itself"
    assert not overrides(kind, "__eq__")
    assert overrides(kind, "inputs")
    assert overrides(kind, "run") is not kind.is_immediate
    assert overrides(kind, "combine") is kind.is_immediate
    assert overrides(kind, "deserialize") is kind.can_be_restored
    assert not kind.can_be_restored or overrides(kind, "serialize")
    assert overrides(kind, "job") is kind.runs_command
    assert kind.side in ("", "host", "device")
    fields = vars(kind).get("_fields") or kind._fields  # pyright: ignore[reportPrivateUsage]
    assert set(kind.not_in_key) <= set(fields)
    assert f"{kind.__name__}(" in PLANNER, "the planner makes it"


def test_titles_tell_kinds_apart() -> None:
    titles = [kind.title for kind in kinds()]
    assert len(set(titles)) == len(titles) == 23
