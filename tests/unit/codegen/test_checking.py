"""Before a build: every target that there is no compiler for is told of, in one error."""

import pytest

from dovetail.codegen import BuildTarget, check_targets
from dovetail.errors import ToolMissing, UsageError
from dovetail.targets import Target


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> dict[str, BaseException]:
    """By name, why targets cannot be compiled for."""
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


def test_nothing_is_wrong(refuse: dict[str, BaseException]) -> None:
    refuse["x"] = missing("cc")
    check("ab")


def test_all_that_is_wrong_is_told(refuse: dict[str, BaseException]) -> None:
    refuse |= {name: missing("cc") for name in "ac"}
    refuse["d"] = UsageError("cc 1 does not know 'd'", hint="leave it out\ninstall cc")
    with pytest.raises(UsageError) as caught:
        check("abcd")
    assert caught.value.message == (
        "cannot compile for targets 'a', 'c': no cc\n"
        "cannot compile for target 'd': cc 1 does not know 'd'"
    )
    assert caught.value.hint == "install cc\nleave it out"


def test_what_is_only_missing_is_no_wrong_use(refuse: dict[str, BaseException]) -> None:
    refuse |= {"a": missing("cc"), "b": missing("ld")}
    with pytest.raises(ToolMissing) as caught:
        check("ab")
    assert caught.value.hint == "install cc\ninstall ld"


def test_bugs_are_not_told_as_the_users(refuse: dict[str, BaseException]) -> None:
    refuse["a"] = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        check("ab")
