"""IR with properties only as attributes gives the same images as C++."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from dovetail.artifacts import DeviceImage, DeviceModule
from dovetail.cli.main import main
from dovetail.codegen.spirv.emit import emit_spirv
from dovetail.device_metadata import DIMENSIONS, FACTS, METADATA_OF_PROPERTIES, PROPERTIES, USED
from dovetail.errors import IRError
from dovetail.facts import Facts
from dovetail.image import ImageInfo, PropertySets, parse_property_sets
from dovetail.ir import Context, Module
from dovetail.postlink import link_modules
from dovetail.postlink.representation import TABLE, PropertyCarrier

KINDS = {USED, DIMENSIONS, *(kind for kinds in METADATA_OF_PROPERTIES.values() for kind in kinds)}

SOURCE = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi::experimental;
#define PROPERTY(name, key, number) struct name { using key_t = name; \\
  static constexpr const char *meta_name = key; static constexpr int meta_value = number; };
PROPERTY(mode, "sycl-execution-mode-7001", 5)
PROPERTY(mark, "sycl-decoration-7744", 6)
PROPERTY(aligned, "sycl-alignment", 64)
sycl::ext::oneapi::device_global<int, decltype(ext::properties{
    ext::host_access<ext::host_access_enum::read>, ext::init_mode<ext::init_mode_enum::reset>,
    ext::implement_in_csr<true>, aligned{}, mark{}})> global;
void start(sycl::queue &q, int *p) {
  q.single_task<class sub_group_16>(ext::properties{ext::sub_group_size<16>}, [=] { *p = 1; });
  q.single_task<class sub_group_32>(ext::properties{ext::sub_group_size<32>}, [=] { *p = 1; });
  q.single_task<class group_8_4>(ext::properties{ext::work_group_size<8, 4>}, [=] { *p = 1; });
  q.single_task<class group_32>(ext::properties{ext::work_group_size<32>}, [=] { *p = 1; });
  q.single_task<class hint>(ext::properties{ext::work_group_size_hint<4, 8>}, [=] { *p = 1; });
  q.single_task<class aspects>(ext::properties{ext::device_has<sycl::aspect::fp64>},
                               [=] { *p = 1; });
  q.single_task<class own>(ext::properties{mode{}}, [=] { *p = 1; });
  ext::annotated_ptr pointer(p, ext::properties{ext::no_alias, ext::alignment<16>,
                                                ext::buffer_location<3>, mark{}});
  q.single_task<class parameters>([=] { *pointer = global; });
}
"""


class Build(NamedTuple):
    """The images of a source."""

    sets: list[PropertySets]
    symbols: list[str]
    metadata: list[dict[str, object]]
    spirv: list[bytes]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the build of the source."""
    folder = tmp_path_factory.mktemp("attributes")
    (folder / "a.cpp").write_text(SOURCE)
    words = ["-fsycl", "-fsyclbin", f"-save-temps={folder}", str(folder / "a.cpp")]
    assert main(["c++", *words, "-o", str(folder / "a.syclbin")]) == 0
    return folder


@pytest.fixture(scope="module")
def from_source(folder: Path) -> Build:
    return images_of(folder, "a.images.table", "a.image_{}")


def attributes_only(folder: Path, without: str = "") -> Module:
    """Return the module before splitting, with its properties only as attributes."""
    path = folder / "a.device.spirv64.passes.bc"
    module = Module.parse(Context(), path.read_bytes(), "a.bc")
    module.set_named_metadata(PROPERTIES, [])
    module.set_named_metadata(FACTS, [])
    for kind in KINDS:
        module.set_function_metadata(kind, dict.fromkeys(module.function_metadata(kind)))
    if without:
        functions = module.function_attributes(without)
        module.set_function_attributes({name: {without: None} for name in functions})
        parameters = module.parameter_attributes(without)
        module.set_parameter_attributes({key: {without: None} for key in parameters})
        variables = module.global_variable_attributes(without)
        module.set_global_variable_attributes({name: {without: None} for name in variables})
    return module


def split(module: Module, folder: Path) -> Build:
    """Return the images that `dovetail post-link` writes."""
    (folder / "in.bc").write_bytes(module.to_bitcode())
    words = ["-split=auto", "-properties", "-symbols", "-emit-kernel-names"]
    words += ["-emit-program-metadata", "-device-globals"]
    assert main(["post-link", *words, str(folder / "in.bc"), "-o", str(folder / "o.table")]) == 0
    return images_of(folder, "o.table", "o_{}")


def images_of(folder: Path, table: str, pattern: str) -> Build:
    count = len((folder / table).read_text().splitlines()) - 1
    stems = [folder / pattern.format(number) for number in range(count)]
    modules = [Module.parse(Context(), Path(f"{s}.bc").read_bytes(), "image") for s in stems]
    return Build(
        [dict(published(parse_property_sets(Path(f"{s}.prop").read_bytes()))) for s in stems],
        [Path(f"{stem}.sym").read_text() for stem in stems],
        [{kind: module.function_metadata(kind) for kind in KINDS} for module in modules],
        [emit_spirv(DeviceImage(module, (), ImageInfo())) for module in modules],
    )


def published(sets: PropertySets) -> Iterator[tuple[str, dict[str, int | bytes]]]:
    """Return DPC++'s sets; Dovetail's contain kernels and places, which only facts have."""
    return ((name, dict(held)) for name, held in sets.items() if not name.startswith("Dovetail/"))


def test_attributes_give_the_same_images_as_the_source(
    folder: Path, tmp_path: Path, from_source: Build
) -> None:
    build = split(attributes_only(folder), tmp_path)
    assert build.symbols == from_source.symbols
    assert build.sets == from_source.sets
    assert build.metadata == from_source.metadata
    assert build.spirv == from_source.spirv
    assert len(build.symbols) == 6


def names_of(place: PropertyCarrier) -> list[str]:
    return [name for name, row in TABLE.items() if place in row.places]


PLACES = [
    *((name, "function_attributes") for name in METADATA_OF_PROPERTIES),
    ("sycl-execution-mode-7001", "function_attributes"),
    *((name, "parameter_attributes") for name in names_of(PropertyCarrier.PARAMETER)),
    ("sycl-decoration-7744", "parameter_attributes"),
    *((name, "global_variable_attributes") for name in names_of(PropertyCarrier.VARIABLE)),
    ("sycl-decoration-7744", "global_variable_attributes"),
]


@pytest.mark.parametrize(("name", "place"), PLACES)
def test_each_property_of_the_table_counts(
    folder: Path, tmp_path: Path, from_source: Build, name: str, place: str
) -> None:
    assert getattr(attributes_only(folder), place)(name), "so that something is tested"
    assert split(attributes_only(folder, without=name), tmp_path) != from_source


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        (
            '"sycl-sub-group-size"="x"',
            "a.ll: function 'k': property 'sycl-sub-group-size': expected a size, got 'x'",
        ),
        (
            '"sycl-work-group-size"="1,2,3,4"',
            "a.ll: function 'k': property 'sycl-work-group-size': expected one to three"
            " comma-separated sizes, got '1,2,3,4'",
        ),
        (
            '"sycl-device-has"="6,5000"',
            "a.ll: function 'k': property 'sycl-device-has': there is no aspect 5000",
        ),
    ],
)
def test_invalid_attributes(attribute: str, message: str) -> None:
    module = Module.parse(
        Context(), f"define spir_kernel void @k() {attribute} {{ ret void }}".encode(), "a.ll"
    )
    with pytest.raises(IRError) as caught:
        link_modules([DeviceModule(module, Facts())])
    assert caught.value.message == message
