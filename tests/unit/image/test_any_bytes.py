"""Readers return or raise `FormatError` for any bytes, and writing is the inverse of reading."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fuzz.objects import archive, elf, member
from hypothesis import given, strategies as st

from dovetail.errors import FormatError
from dovetail.image import (
    AbstractModule,
    IRModule,
    NativeImage,
    OffloadEntry,
    PropertySets,
    SyclBin,
    decode_info,
    format_file_table,
    format_property_sets,
    format_symbols,
    parse_file_table,
    parse_property_sets,
    parse_symbols,
    read_info,
    read_offload_binary,
    read_program,
    read_syclbin,
    write_offload_binary,
    write_program,
    write_syclbin,
)
from dovetail.image.archive import read_archive
from dovetail.image.device_section import (
    SECTION,
    DeviceCode,
    DeviceSection,
    read_device_section,
    write_device_section,
)
from dovetail.image.elf import sections_named
from dovetail.image.schema import SCHEMA

DATA = Path(__file__).parent / "data"

NAMES = st.text(st.characters(categories=["L", "N"], include_characters="/ @_"), min_size=1)
PROPERTIES = st.dictionaries(
    NAMES, st.integers(0, 2**32 - 1) | st.binary(max_size=12), min_size=1, max_size=2
)
METADATA = st.dictionaries(NAMES, PROPERTIES, max_size=2)
CODE = st.binary(max_size=20)
MODULES = st.builds(
    AbstractModule,
    METADATA,
    st.lists(st.builds(IRModule, METADATA, CODE), max_size=2).map(tuple),
    st.lists(st.builds(NativeImage, METADATA, CODE), max_size=2).map(tuple),
)
PROGRAMS = st.builds(SyclBin, METADATA, st.lists(MODULES, max_size=3).map(tuple))


CARRIED = DeviceSection((DeviceCode("t", b"x", "s", ("f", "g")),), (("-O2",),))


def seeds() -> list[bytes]:
    """Small valid files of every kind, and Intel's."""
    sets: PropertySets = {"Dovetail/kernels": {"k": b'{"name":"k"}'}}
    module = AbstractModule(sets, (IRModule(sets, b"ab"),), (NativeImage(sets, b"c"),))
    program = SyclBin(sets, (module, AbstractModule({}), module))
    entry = OffloadEntry(1, 8, 0, {"triple": "t", "arch": "a"}, b"x")
    return [
        elf((b".text", b"code"), (b".data", b"abc"), (b".data", b"de")),
        elf((SECTION.encode(), write_device_section(CARRIED))),
        archive(member("//", b"long_name.o/\n"), member("/0", b"a"), member("#1/2", b"n\0b")),
        write_syclbin(program),
        write_program(program),
        write_offload_binary([entry, entry]),
        write_offload_binary([entry, entry], version=1),
        *(path.read_bytes() for path in sorted(DATA.glob("*.syclbin"))),
    ]


INTERESTING = st.sampled_from([0, 1, 7, 8, 32, 255, 2**31, 2**32 - 1, 2**63, 2**64 - 8, 2**64 - 1])


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """A valid file with a few fields overwritten, possibly truncated or extended."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    # Most fields are at the front; code follows, which readers do not inspect.
    places = st.integers(0, 63) | st.integers(0, len(data) // 4 - 2)
    for _ in range(draw(st.integers(0, 3))):
        offset = 4 * min(draw(places), len(data) // 4 - 2)
        size = draw(st.sampled_from([1, 4, 8]))
        value = draw(INTERESTING | st.integers(0, 300)) % (1 << 8 * size)
        data[offset : offset + size] = value.to_bytes(size, "little")
    end = draw(st.just(len(data)) | st.integers(0, len(data)))
    return bytes(data[:end]) + draw(st.just(b"") | st.binary(max_size=9))


SEEDS = seeds()


def read_metadata(sets: PropertySets) -> None:
    """Decode all fields of property sets."""
    for row in SCHEMA:
        with suppress(FormatError):
            getattr(
                read_info({name: sets[name] for name in sets if name == row.set_name}), row.field
            )
    with suppress(FormatError):
        decode_info(sets)


def read_everything(data: bytes) -> None:
    """Read `data` as each binary format, and decode everything."""
    for reader in (read_syclbin, read_program):
        try:
            program = reader(data)
        except FormatError:
            continue
        again = read_syclbin(write_syclbin(program))
        assert len(again.abstract_modules) == len(program.abstract_modules)
        for module in program.abstract_modules:
            read_metadata(module.metadata)
    read_texts(data)
    read_objects(data)
    try:
        entries = read_offload_binary(data)
    except FormatError:
        return
    assert read_offload_binary(write_offload_binary(entries)) == entries


def read_objects(data: bytes) -> None:
    """Read `data` as an object file and as an archive; the parts lie within it."""
    with suppress(FormatError):
        sections = sections_named(data, ".data")
        assert sum(len(section.content) for section in sections) <= len(data)
    with suppress(FormatError):
        carried = read_device_section(data)
        assert sum(len(code.bitcode) for code in carried.code) <= len(data)
    with suppress(FormatError):
        assert sum(len(member.content or b"") for member in read_archive(data)) <= len(data)


REWRITERS: list[Callable[[bytes], bytes]] = [
    lambda text: format_property_sets(parse_property_sets(text)),
    lambda text: format_file_table(parse_file_table(text)),
    lambda text: format_symbols(parse_symbols(text)),
]


def read_texts(data: bytes) -> None:
    """Read `data` as each text format."""
    for rewrite in REWRITERS:
        try:
            written = rewrite(data)
        except FormatError:
            continue
        assert rewrite(written) == written


@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    read_everything(data)


@given(mutants())
def test_damaged_files(data: bytes) -> None:
    read_everything(data)


TEXTS = [
    b"[SYCL/kernel names]\nk=1|1\n[SYCL/device requirements]\naspects=2|gAAAAAAAAAgBAAAA\n",
    b"[Code|Properties|Symbols]\na.bc|a.prop|a.sym\nb.bc|b.prop|\n",
    "_Z1fv\n__sycl_kernel_é\n".encode(),
]


@given(st.sampled_from(TEXTS), st.integers(0, 99), st.integers(0, 5), st.binary(max_size=5))
def test_damaged_texts(text: bytes, begin: int, size: int, instead: bytes) -> None:
    read_everything(text[:begin] + instead + text[begin + size :])


SET_NAMES = st.sampled_from(
    [
        "Dovetail/aspect uses",
        "Dovetail/kernels",
        "SYCL/device globals",
        "SYCL/device requirements",
        "SYCL/exported symbols",
        "SYCL/image-requirements",
        "SYCL/imported symbols",
        "SYCL/kernel names",
        "SYCL/misc properties",
        "SYCL/program metadata",
    ]
)
KEYS = st.sampled_from(
    [
        "aspect",
        "aspects",
        "k",
        "k@global_id_mapping",
        "k@reqd_sub_group_size",
        "k@reqd_work_group_size",
        "k@work_group_num_dim",
        "optLevel",
        "reqd_sub_group_size",
        "reqd_work_group_size",
        "reqd_work_group_size_uint64_t",
        "work_group_num_dim",
    ]
)
VALUES = (
    st.integers(0, 2**32 - 1)
    | st.binary(max_size=24)
    | st.sampled_from([b"{}", b'{"fp64":{}}', b'{"parameters":[]}', b"[" * 5000])
)


@given(st.dictionaries(SET_NAMES, st.dictionaries(KEYS, VALUES, max_size=3), max_size=3))
def test_any_property_sets(sets: PropertySets) -> None:
    read_metadata(sets)


@given(PROGRAMS)
def test_programs_are_read_back(program: SyclBin) -> None:
    data = write_program(program)
    assert read_program(data) == program
    assert read_syclbin(write_syclbin(program)) == program
    assert write_program(program) == data
