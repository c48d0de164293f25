"""Checks before a build: one error lists all targets without a compiler."""

import pytest

from dovetail.codegen import BuildTarget, check_targets
from dovetail.errors import ToolMissing, UsageError
from dovetail.targets import Target


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> dict[str, BaseException]:
    """Return the errors of targets, by name."""
    refusals: dict[str, BaseException] = {}

    class Refusing:
        def check(self, target: BuildTarget) -> None:
            if target.name in refusals:
                raise refusals[target.name]

    def generators(toolchain: str) -> tuple[Refusing, ...]:
        return (Refusing(),)

    monkeypatch.setattr("dovetail.codegen.checking.generators_of", generators)
    return refusals


def check(names: str) -> None:
    check_targets([BuildTarget(Target(name)) for name in names])


def missing(tool: str) -> ToolMissing:
    return ToolMissing(f"no {tool}", hint=f"install {tool}")


def test_no_errors(refuse: dict[str, BaseException]) -> None:
    refuse["x"] = missing("cc")
    check("ab")


def test_all_errors_are_listed(refuse: dict[str, BaseException]) -> None:
    refuse |= {name: missing("cc") for name in "ac"}
    refuse["d"] = UsageError("cc 1 does not know 'd'", hint="leave it out\ninstall cc")
    with pytest.raises(UsageError) as caught:
        check("abcd")
    assert caught.value.message == (
        "cannot compile for targets 'a', 'c': no cc\n"
        "cannot compile for target 'd': cc 1 does not know 'd'"
    )
    assert caught.value.hint == "install cc\nleave it out"


def test_missing_compilers_are_not_a_usage_error(refuse: dict[str, BaseException]) -> None:
    refuse |= {"a": missing("cc"), "b": missing("ld")}
    with pytest.raises(ToolMissing) as caught:
        check("ab")
    assert caught.value.hint == "install cc\ninstall ld"


def test_bugs_are_not_reported_as_user_errors(refuse: dict[str, BaseException]) -> None:
    refuse["a"] = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        check("ab")
