"""The aspect filter."""

import subprocess
import sys

import pytest

from dovetail.aspect_filter import (
    DroppedRow,
    alternative_requirements,
    filter_rows,
)
from dovetail.errors import UsageError
from dovetail.fit import fit, fit_any
from dovetail.image import (
    FileTable,
    ImageInfo,
    Requirements,
    numbered_reqs,
)
from dovetail.targets import Target
from dovetail.targets.fit_text import FitText, fit_text

COMPLETE = Target("complete", ("gpu", "fp16"), False, (8, 16))
OPEN = Target("open", ("gpu",), True, absent_aspects=("fp64",))
FP16, FP64, NAMELESS = 5, 6, 4_000_000


def test_rows_stay_unless_they_cannot_run() -> None:
    required = {
        "p0": (Requirements(),),
        "p1": (Requirements((FP64,), 32),),
        "p2": (Requirements((FP16,)),),
        "p3": (Requirements((NAMELESS,)),),
    }
    rows = tuple((f"c{number}", f"p{number}") for number in range(4))
    table = FileTable(("Code", "Properties"), rows)
    filtered = filter_rows(table, COMPLETE, required.__getitem__)
    assert filtered.table == FileTable(table.titles, (rows[0], rows[2]))
    assert filtered.dropped == (
        DroppedRow(1, rows[1], ("fp64", "sub-group size 32")),
        DroppedRow(3, rows[3], (f"aspect {NAMELESS}",)),
    )
    assert filter_rows(table, OPEN, required.__getitem__).table.rows == (rows[0], *rows[2:])


def test_image_whose_kernels_are_for_different_devices_is_kept_where_one_fits() -> None:
    plain, half, double = Requirements(), Requirements((FP16,)), Requirements((FP64,))
    constants = {1: half, 2: double, 3: Requirements(sub_group_size=32)}

    def image(*kernels: Requirements, exported: Requirements = double) -> ImageInfo:
        named = {f"k{number}": each for number, each in enumerate(kernels)}
        functions = {"f": exported, "action": plain}
        return ImageInfo(
            kernel_reqs=numbered_reqs(named, constants),
            function_reqs=numbered_reqs(functions, constants),
            exports=("f",),
        )

    def fit_of(target: Target, info: ImageInfo) -> FitText:
        alternatives = alternative_requirements(info)
        return fit_text(fit_any([fit(target.capabilities, each) for each in alternatives]))

    assert alternative_requirements(image(plain, double)) == (plain, double, double)
    assert alternative_requirements(ImageInfo(requirements=double)) == (double,)
    assert fit_of(COMPLETE, image(double, half)).verdict == "yes"
    assert fit_of(COMPLETE, image(double, exported=half)).verdict == "yes"
    lacking = fit_of(COMPLETE, image(double, Requirements((FP64,), 32)))
    assert lacking.missing == ("fp64", "sub-group size 32")
    assert fit_of(OPEN, image(double, half)).unknown == ("fp16",)


def test_a_table_without_properties_cannot_be_filtered() -> None:
    with pytest.raises(UsageError, match="no column 'Properties'"):
        filter_rows(FileTable(("Code",)), OPEN, lambda _: (Requirements(),))


def test_no_llvm_is_needed() -> None:
    code = (
        "import sys; sys.modules['dovetail._native'] = None\n"
        "import dovetail.cli.aspect_filter, dovetail.cli.table\n"
        "print(*sys.modules)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert not {"dovetail.ir", "dovetail.postlink", "rich"} & set(finished.stdout.split())
