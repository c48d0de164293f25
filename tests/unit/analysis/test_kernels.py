"""What is reported of each kernel."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.analysis import Uses, build_graph, report_kernels
from dovetail.aspect_filter import filter_rows
from dovetail.facts import Facts
from dovetail.fit import AspectReason, SubGroupReason
from dovetail.image import FileTable, Requirements
from dovetail.targets import Target, default_table
from dovetail.targets.user_file import read_user_files

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
    assert report.fits["small"].missing == (AspectReason(FP64), SubGroupReason(32, (8, 16)))
    assert report.fits["open"].verdict == "may"


def test_an_aspect_without_a_name(source: Source) -> None:
    graph = build_graph([source("a.cpp", {"k": {"kernel": "k", "uses": [NAMELESS]}})])
    (report,) = report_kernels(graph, Uses(graph), [SMALL])
    assert list(report.aspects) == ["4000"]
    assert report.fits["small"].missing == (AspectReason(NAMELESS),)


@pytest.mark.parametrize(
    ("entry", "verdict"),
    [
        ("{aspects: [gpu]}", "no"),
        ("{aspects: [gpu], may_support_other_aspects: true}", "may"),
        ("{sub-group-sizes: [8]}", "may"),
    ],
)
def test_check_and_build_agree_on_an_aspect_that_no_table_lists(
    source: Source, tmp_path: Path, entry: str, verdict: str
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(f"my_gpu: {entry}\n")
    target = read_user_files([file], default_table()).table["my_gpu"]
    graph = build_graph([source("a.cpp", {"k": {"kernel": "k", "uses": [NAMELESS]}})])
    (report,) = report_kernels(graph, Uses(graph), [target])
    assert report.fits["my_gpu"].verdict == verdict
    table = FileTable(("Code", "Properties"), (("a.bc", "a.prop"),))
    filtered = filter_rows(table, target, lambda _: (Requirements((NAMELESS,)),))
    assert bool(filtered.dropped) == (verdict == "no")
