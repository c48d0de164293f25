"""What the headers and the plugin say about kernel objects, through the precompiled header."""

from pathlib import Path

import pytest

from dovetail.cli.main import main

HEAD = """\
#include <sycl/sycl.hpp>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
struct Handle { Handle() {} Handle(const Handle &) {} int x = 0; };
struct Vouched { Vouched() {} Vouched(const Vouched &o) : x(o.x) {} int x = 0; };
template <> struct sycl::is_device_copyable<Vouched> : std::true_type {};
struct Functor { std::string text; void operator()() const {} };
static_assert(!sycl::is_device_copyable_v<std::string>);
static_assert(sycl::is_device_copyable_v<const std::tuple<int, std::pair<float, Vouched>>>);
static_assert(!sycl::is_device_copyable_v<std::optional<Handle>>);
"""
LINE = HEAD.count("\n") + 1


def check(folder: Path, body: str) -> int:
    source = folder / "k.cpp"
    source.write_text(HEAD + f"void start(sycl::queue q, int *p) {{ {body} }}\n")
    return main(["check", str(source)])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "std::string s; q.single_task([=] { (void)s; });",
            "kernel captures 's' of type 'std::string'",
        ),
        (
            "auto s = std::make_shared<int>(1); q.single_task([=] { (void)s; });",
            "kernel captures 's' of type 'shared_ptr",
        ),
        ("Handle h; q.single_task([=] { (void)h; });", "kernel captures 'h' of type 'Handle'"),
        (
            "Handle h; auto f = [=] { return h.x; }; q.single_task([=] { (void)f(); });",
            "kernel captures 'h' of type 'Handle'",
        ),
        ("q.single_task(Functor{});", "member 'text' of a kernel object has type 'std::string'"),
    ],
)
def test_what_cannot_be_copied(
    body: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, body) == 1
    text = capsys.readouterr().err
    assert message in text
    assert "which is not device-copyable" in text


@pytest.mark.parametrize(
    "body",
    [
        "std::tuple<int, std::pair<int, float>> t; q.single_task([=] { (void)t; });",
        "std::array<int, 3> a{}; std::optional<int> o; q.single_task([=] { (void)a; (void)o; });",
        "sycl::vec<float, 4> v; sycl::half h; q.single_task([=] { (void)v; (void)h; });",
        "sycl::buffer<int> b(8); q.submit([&](sycl::handler &g) { sycl::accessor a(b, g);"
        " sycl::local_accessor<int> l(8, g); auto f = [=](int i) { return a[i]; };"
        " g.parallel_for(8, [=](sycl::id<1> i) { p[i] = f(1); }); });",
    ],
)
def test_what_can_be_copied(body: str, tmp_path: Path) -> None:
    assert check(tmp_path, body) == 0


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("sycl::reqd_work_group_size(1, 2, 3, 4)", "expects one to three sizes, got 4"),
        ("sycl::reqd_work_group_size(0)", "expects sizes from 1 to 18446744073709551615, got 0"),
        ("sycl::device_has(5)", "expects values of type 'sycl::aspect'"),
        (
            "sycl::reqd_sub_group_size(8), sycl::reqd_sub_group_size(16)",
            "conflicts with an earlier attribute",
        ),
    ],
)
@pytest.mark.parametrize(
    "body",
    [
        "q.single_task([=]() [[ATTRIBUTE]] {});",
        "q.submit([&](sycl::handler &g) { g.single_task([=]() [[ATTRIBUTE]] {}); });",
        "auto l = []() [[ATTRIBUTE]] {}; static_assert(std::is_same_v<int, int>); (void)l;",
    ],
)
def test_attributes_of_lambdas(
    body: str, attribute: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, body.replace("ATTRIBUTE", attribute)) == 1
    text = capsys.readouterr().err
    assert f"k.cpp:{LINE}:" in text
    assert message in text


def test_attributes_of_a_lambda_in_a_template(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(
        "#include <sycl/sycl.hpp>\n"
        "template <class T> struct G { void start(sycl::queue q) {\n"
        "  q.single_task([=]() [[sycl::reqd_sub_group_size(sizeof(T) - 4)]] {}); } };\n"
        "void host(sycl::queue q) { G<int>().start(q); }\n"
    )
    assert main(["check", str(source)]) == 1
    assert "k.cpp:3:51: error: 'sycl::reqd_sub_group_size' expects sizes" in capsys.readouterr().err


def test_whoever_promises_is_held_to_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(
        "#include <sycl/sycl.hpp>\n"
        "[[sycl::device_has()]] void nobody_calls_it() { double d; throw d; }\n"
    )
    assert main(["check", str(source)]) == 1
    text = capsys.readouterr().err
    assert "k.cpp:2:29: warning: function 'nobody_calls_it' uses aspect 'fp64'" in text
    assert "throws" not in text, "that is for device code alone"
