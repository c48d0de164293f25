"""Errors of compilers name every kernel and target, and contain every log and hint once."""

from dovetail.codegen import CodeFailure, CodeRefused


def failure(
    kernels: str, targets: str, log: str = "the log", *, functions: str = "", hint: str = ""
) -> CodeFailure:
    of_image = (tuple(kernels.split()), tuple(functions.split()))
    return CodeFailure(*of_image, tuple(targets.split()), log, hint)


def message(*failures: CodeFailure) -> str:
    return CodeRefused(failures, advice="").message


def test_one_kernel_and_one_target() -> None:
    assert message(failure("k", "a")) == "cannot compile kernel 'k' for 'a':\nthe log"
    assert message(failure("k", "")).startswith("cannot compile kernel 'k' for any dev")


def test_equal_logs_are_merged() -> None:
    said = message(failure("k l", "a"), failure("k l", "b"), failure("m", "a"), failure("m", "b"))
    assert said == "cannot compile kernels 'k', 'l', 'm' for 'a', 'b':\nthe log"


def test_kernels_are_listed_only_for_targets_that_failed() -> None:
    said = message(failure("k", "a"), failure("k", "b"), failure("l", "a"), failure("m", "b"))
    assert said == (
        "cannot compile kernel 'k' for 'a', 'b';\n"
        "cannot compile kernel 'l' for 'a';\n"
        "cannot compile kernel 'm' for 'b':\n"
        "the log"
    )


def test_different_logs_are_separate() -> None:
    said = message(failure("k", "a", "one"), failure("l", "a", "two"), failure("m", "a", "one"))
    assert said == (
        "cannot compile kernels 'k', 'm' for 'a':\none\ncannot compile kernel 'l' for 'a':\ntwo"
    )


def test_functions_are_named_if_there_is_no_kernel() -> None:
    assert message(failure("", "a", functions="f")).startswith("cannot compile function 'f' for")
    said = message(failure("k", "a"), failure("", "a", functions="f g"))
    assert said.startswith("cannot compile kernel 'k' and functions 'f', 'g' for 'a'")


def test_joined_errors_have_each_hint_once() -> None:
    one = CodeRefused([failure("k", "a", hint="do"), failure("l", "a")], advice="go on")
    two = CodeRefused([failure("m", "b", hint="do"), failure("n", "b", hint="try")], advice="go on")
    joined = CodeRefused.joined([one, two])
    assert joined.hint == "do\ntry\ngo on"
    assert joined.failures == (*one.failures, *two.failures)
    assert joined.exit_status == 1


def test_places_of_the_first_kernels_are_listed() -> None:
    places = tuple(f"a.cpp:{line}: note: kernel 'k{line}' is defined here" for line in range(1, 9))
    error = CodeRefused([CodeFailure(("k1",), (), (), "the log", "", places)] * 2, advice="")
    assert error.message.splitlines()[1:] == ["the log", *places[:5]]
