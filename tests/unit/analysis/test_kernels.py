"""What is reported of each kernel."""

from collections.abc import Callable

from dovetail.analysis import Uses, build_graph, report_kernels
from dovetail.facts import Facts
from dovetail.targets import Target

Source = Callable[..., Facts]

FP16, FP64, NAMELESS = 5, 6, 4000
SMALL = Target("small", ("gpu", "fp16"), False, (8, 16))
OPEN = Target("open", ("gpu",), True)


def test_a_kernel_object(source: Source) -> None:
    functions = {
        "entry": {"kernel": "k", "object": "lambda", "calls": ["wrapper"], "uses": [FP16]},
        "wrapper": {"calls": ["lambda"]},
        "lambda": {"calls": ["f"], "reqd_sub_group_size": 32, "reqd_work_group_size": [4, 8]},
        "f": {"uses": [FP64]},
    }
    graph = build_graph([source("a.cpp", functions)])
    (report,) = report_kernels(graph, Uses(graph), [SMALL, OPEN])
    assert (report.name, report.symbol, str(report.place)) == ("k", "entry", "a.cpp:30:6")
    assert list(report.aspects) == ["fp16", "fp64"]
    assert report.aspects["fp16"].steps == ()
    assert [step.place.line for step in report.aspects["fp64"].steps] == [32]
    assert report.reqd_work_group_size == (4, 8)
    assert report.reqd_sub_group_size == 32
    assert report.fits["small"].verdict == "no"
    assert report.fits["small"].missing == ("fp64", "sub-group size 32")
    assert report.fits["open"].verdict == "may"


def test_an_aspect_without_a_name(source: Source) -> None:
    graph = build_graph([source("a.cpp", {"k": {"kernel": "k", "uses": [NAMELESS]}})])
    (report,) = report_kernels(graph, Uses(graph), [SMALL])
    assert list(report.aspects) == ["4000"]
    assert report.fits["small"].unknown == ("aspect 4000",)
