"""Property sets of DPC++'s images, compared with Dovetail's for the same sources.

DPC++'s files are in the test data of `dovetail.image`. Every difference is listed here.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest
from image_sets import sets_of

from dovetail.cli.main import main
from dovetail.image import PropertySets, Requirements, read_program

DATA = Path(__file__).parent / "data"
THEIR_DATA = Path(__file__).parents[2] / "unit/image/data"

NAMES, DEVICE = "SYCL/kernel names", "SYCL/device requirements"
THEIR_PREFIX = "rtc_0$"
"""Their run-time compiler lists each kernel a second time under another name."""
OUR_PREFIXES = ("SYCL/image-requirements", "Dovetail/")
"""Sets that they do not have: the one of the first design, and our own."""

FP64 = b"\x06\x00\x00\x00"

Images = dict[tuple[str, ...], PropertySets]
"""By the names of their kernels, the sets of images."""


def images_of(file: Path, ours: Sequence[str] = ()) -> Images:
    """Without sets that begin so, without empty ones, and with each kernel once."""
    images: Images = {}
    for module in read_program(file.read_bytes()).abstract_modules:
        sets = {n: s for n, s in module.metadata.items() if s and not n.startswith(tuple(ours))}
        names = {k: v for k, v in sets[NAMES].items() if not k.startswith(THEIR_PREFIX)}
        kernels = tuple(sorted(name.removeprefix("__sycl_kernel_") for name in names))
        images[kernels] = {**sets, NAMES: names}
    return images


def build(name: str, folder: Path, *words: str) -> Images:
    output = folder / f"{name}.syclbin"
    source = str(DATA / f"{name}.cpp")
    assert main(["c++", "-fsycl", "-fsyclbin", *words, source, "-o", str(output)]) == 0
    return images_of(output, OUR_PREFIXES)


def theirs(name: str) -> Images:
    return images_of(THEIR_DATA / f"{name}.syclbin")


@pytest.mark.parametrize("reading", ["written", "optimized"])
def test_aspects(tmp_path: Path, reading: str) -> None:
    ours = build("reference", tmp_path, f"-fsycl-aspects={reading}", "-w")
    # Theirs lacks the kernel that needs a GPU: the runtime leaves out what its device cannot run.
    del ours[("iotah",)]
    assert ours == theirs("reference")


def test_sizes(tmp_path: Path) -> None:
    ours, intels = build("reference-sizes", tmp_path), theirs("reference-sizes")
    # A parameter of type double * counts as a use, and a double that optimization removes.
    differing = ours[("dp", "opt")], intels[("dp", "opt")]
    assert [sets[DEVICE].pop("aspects") for sets in differing] == [FP64, b""]
    assert ours == intels


def test_sizes_with_the_optimized_reading(tmp_path: Path) -> None:
    """Their reading, by option: no difference is left."""
    ours = build("reference-sizes", tmp_path, "-fsycl-aspects=optimized")
    assert ours == theirs("reference-sizes")


def test_the_set_that_dpcpp_does_not_write(tmp_path: Path) -> None:
    build("reference-sizes", tmp_path)
    images = images_of(tmp_path / "reference-sizes.syclbin")
    required = {
        ("w3",): Requirements(work_group_size=(2, 3, 5)),
        ("w1",): Requirements(work_group_size=(8,)),
        ("s1",): Requirements(sub_group_size=16),
        ("dp", "opt"): Requirements((6,)),
        ("decl",): Requirements((5, 6)),
    }
    found = {kernels: sets["SYCL/image-requirements"] for kernels, sets in images.items()}
    assert found == {
        kernels: sets_of(requirements=needs).get("SYCL/image-requirements", {})
        for kernels, needs in required.items()
    }
