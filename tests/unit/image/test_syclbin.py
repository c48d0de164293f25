"""SYCLBIN: golden bytes, Intel's files, errors."""

import struct
from pathlib import Path

import pytest

from dovetail.errors import FormatError
from dovetail.image import (
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    NativeImage,
    PropertySets,
    SyclBin,
    read_offload_binary,
    read_program,
    read_syclbin,
    write_offload_binary,
    write_program,
    write_syclbin,
)

DATA = Path(__file__).parent / "data"

PROGRAM = SyclBin.of(
    BundleState.INPUT,
    [
        AbstractModule(
            {"SYCL/kernel names": {"k": 1}},
            (IRModule.of(IRType.SPIRV, "spir64", b"abcde"), IRModule.of(IRType.PTX, "n", b"")),
        ),
        AbstractModule({"SYCL/kernel names": {"refused": 1}}),
        AbstractModule({}, (), (NativeImage.of("intel_gpu_pvc", "spir64_gen", b"xyz"),)),
    ],
)


def expected_module(
    names: list[str], requirements: dict[str, int | bytes], program: dict[str, int | bytes]
) -> PropertySets:
    sets: PropertySets = {"SYCL/program metadata": program} if program else {}
    sets["SYCL/misc properties"] = {"optLevel": 2}
    sets["SYCL/kernel names"] = dict.fromkeys(names, 1)
    sets["SYCL/kernel param opt"] = {}
    sets["SYCL/device requirements"] = requirements
    return sets


def names(*kernels: str) -> list[str]:
    return [prefix + kernel for kernel in kernels for prefix in ("rtc_0$", "")]


def sizes(code: str, *values: int) -> bytes:
    return struct.pack(f"<{len(values)}{code}", *values)


REFERENCE = [
    expected_module(names("__sycl_kernel_iotad"), {"aspects": sizes("I", 6)}, {}),
    expected_module(names("__sycl_kernel_iota"), {"aspects": b""}, {}),
]
REFERENCE_SIZES = [
    expected_module(names("__sycl_kernel_dp", "__sycl_kernel_opt"), {"aspects": b""}, {}),
    expected_module(names("__sycl_kernel_decl"), {"aspects": sizes("I", 5, 6)}, {}),
    expected_module(
        names("__sycl_kernel_s1"),
        {"reqd_sub_group_size": 16, "aspects": b""},
        {"__sycl_kernel_s1@reqd_sub_group_size": 16},
    ),
    expected_module(
        names("__sycl_kernel_w1"),
        {
            "work_group_num_dim": 1,
            "reqd_work_group_size_uint64_t": sizes("Q", 8, 1, 1),
            "aspects": b"",
        },
        {
            "__sycl_kernel_w1@work_group_num_dim": 1,
            "__sycl_kernel_w1@reqd_work_group_size": sizes("I", 8, 1, 1),
        },
    ),
    expected_module(
        names("__sycl_kernel_w3"),
        {
            "work_group_num_dim": 3,
            "reqd_work_group_size_uint64_t": sizes("Q", 5, 3, 2),
            "aspects": b"",
        },
        {
            "__sycl_kernel_w3@work_group_num_dim": 3,
            "__sycl_kernel_w3@reqd_work_group_size": sizes("I", 5, 3, 2),
        },
    ),
]


@pytest.mark.parametrize(
    ("name", "modules", "code_sizes"),
    [
        ("reference.syclbin", REFERENCE, [972, 964]),
        ("reference-sizes.syclbin", REFERENCE_SIZES, [528, 280, 304, 304, 304]),
    ],
)
def test_intels_files_are_read(
    name: str, modules: list[PropertySets], code_sizes: list[int]
) -> None:
    program = read_program((DATA / name).read_bytes())
    assert program.metadata == {"SYCLBIN/global metadata": {"state": 1}}
    assert program.state is BundleState.OBJECT
    assert [module.metadata for module in program.abstract_modules] == modules
    for module, size in zip(program.abstract_modules, code_sizes, strict=True):
        assert module.native_images == ()
        (ir,) = module.ir_modules
        assert ir.metadata == {
            "SYCLBIN/ir module metadata": {"target": b"spir64-unknown-unknown", "type": 0}
        }
        assert (ir.ir_type, ir.target) == (IRType.SPIRV, "spir64-unknown-unknown")
        assert (len(ir.code), bytes(ir.code[:4])) == (size, b"\x03\x02\x23\x07")


@pytest.mark.parametrize("name", ["reference.syclbin", "reference-sizes.syclbin"])
def test_intels_files_can_be_rewritten(name: str) -> None:
    program = read_program((DATA / name).read_bytes())
    again = read_program(write_program(program))
    assert again.metadata == program.metadata
    for ours, theirs in zip(again.abstract_modules, program.abstract_modules, strict=True):
        assert ours.ir_modules == theirs.ir_modules
        # Empty sets are not written.
        assert ours.metadata == {name: sets for name, sets in theirs.metadata.items() if sets}


def test_golden() -> None:
    ir_set = b"[SYCLBIN/ir module metadata]\ntype=1|1\ntarget=2|IAAAAAAAAAgb\n"
    program = SyclBin.of(
        BundleState.EXECUTABLE, [AbstractModule({}, (IRModule.of(IRType.PTX, "n", b"12345"),))]
    )
    global_set = b"[SYCLBIN/global metadata]\nstate=1|2\n"
    metadata = global_set + ir_set
    assert write_syclbin(program) == (
        struct.pack("<5I4x4Q", 0x53594249, 1, 1, 1, 0, len(metadata), 5, 0, len(global_set))
        + struct.pack("<QQIIII", len(global_set), 0, 1, 0, 0, 0)
        + struct.pack("<QQQQ", len(global_set), len(ir_set), 0, 5)
        + metadata + bytes(-len(metadata) % 8)
        + b"12345\0\0\0"
    )  # fmt: skip


def test_a_program_is_read_back_with_its_codeless_module() -> None:
    program = read_program(write_program(PROGRAM))
    assert program == PROGRAM
    assert program.abstract_modules[1].ir_modules == ()
    image = program.abstract_modules[2].native_images[0]
    assert (image.arch, image.target) == ("intel_gpu_pvc", "spir64_gen")


def test_code_starts_aligned_and_is_not_copied() -> None:
    data = write_syclbin(PROGRAM)
    for module in read_syclbin(data).abstract_modules:
        for part in (*module.ir_modules, *module.native_images):
            assert isinstance(part.code, memoryview)
            assert part.code.obj is data
    assert data.find(b"abcde") % 8 == data.find(b"xyz") % 8 == 0


def test_writing_is_deterministic() -> None:
    assert write_program(PROGRAM) == write_program(read_program(write_program(PROGRAM)))


def test_a_bare_program_is_read() -> None:
    assert read_program(write_syclbin(PROGRAM)) == PROGRAM


def test_other_files_are_rejected() -> None:
    for data in (b"", b"\x7fELF" + bytes(100)):
        with pytest.raises(FormatError, match="byte 0: expected the magic"):
            read_program(data)
    (entry,) = read_offload_binary(write_program(PROGRAM))
    with pytest.raises(FormatError, match=r"expected one SYCLBIN .* got 2"):
        read_program(write_offload_binary([entry, entry]))


def test_errors_in_a_wrapped_program_name_the_byte_of_the_file() -> None:
    data = bytearray(write_program(PROGRAM))
    data[72 + 4] = 9
    with pytest.raises(FormatError, match="byte 76: version 9"):
        read_program(data)


@pytest.mark.parametrize("offset", [8, 12, 16])
def test_impossible_counts_in_a_wrapped_program_are_rejected(offset: int) -> None:
    data = bytearray(write_program(PROGRAM))
    struct.pack_into("<I", data, 72 + offset, 2**32 - 1)
    with pytest.raises(FormatError, match=f"byte {72 + offset}: the table of .* extends to byte"):
        read_program(data)


def test_truncated_wrapped_programs_are_rejected() -> None:
    data = write_program(PROGRAM)
    for size in range(len(data)):
        with pytest.raises(FormatError, match="byte"):
            read_program(data[:size])


def test_values_are_validated_on_access() -> None:
    with pytest.raises(FormatError, match="expected one of 0, 1, 2, got 3"):
        _ = SyclBin({"SYCLBIN/global metadata": {"state": 3}}, ()).state
    with pytest.raises(FormatError, match="set 'SYCLBIN/global metadata' is missing"):
        _ = SyclBin({}, ()).state
    with pytest.raises(FormatError, match=r"'target' of set .* is missing"):
        _ = IRModule({"SYCLBIN/ir module metadata": {"type": 0}}, b"").target
    with pytest.raises(FormatError, match="expected one of 0, 1, 2, got 9"):
        _ = IRModule({"SYCLBIN/ir module metadata": {"type": 9}}, b"").ir_type
    with pytest.raises(FormatError, match=r"'arch' of set .*: expected a byte array"):
        _ = NativeImage({"SYCLBIN/native device code image metadata": {"arch": 9}}, b"").arch


# In PROGRAM: abstract modules at 56, 88 and 120; IR modules at 152 and 184; the native image at
# 216; metadata from 248.
HUGE = 2**64 - 1
HUGE_COUNT = 2**32 - 1
PATCHES = [
    (0, "<I", 0, 0, "magic"),
    (4, "<I", 2, 4, "version 2"),
    (8, "<I", HUGE_COUNT, 8, "the table of abstract modules extends to"),
    (12, "<I", HUGE_COUNT, 12, "the table of IR modules extends to"),
    (16, "<I", HUGE_COUNT, 16, "the table of native images extends to"),
    (24, "<Q", HUGE, 24, "the metadata extends to"),
    (32, "<Q", HUGE, 32, "the code extends to"),
    (32, "<Q", 0, None, "bytes follow the code"),
    (40, "<Q", HUGE, 40, "the global metadata extends to"),
    (48, "<Q", HUGE, 40, "the global metadata extends to"),
    (48, "<Q", 40, 56, "abstract module 0 overlaps the global metadata"),
    (48, "<Q", 5, 248, "the global metadata: property sets, line 1"),
    (56, "<Q", HUGE, 56, "the metadata of abstract module 0 extends to"),
    (56, "<Q", 0, 56, "overlaps"),
    (72, "<I", 3, 72, "rows up to 3"),
    (72, "<I", HUGE_COUNT, 72, "rows up to"),
    (72, "<I", 1, 152, "rows that no abstract module uses"),
    (76, "<I", HUGE_COUNT, 72, "rows up to"),
    (80, "<I", HUGE_COUNT, 80, "rows up to"),
    (104, "<I", 1, 104, "abstract module 1 uses rows up to 3"),
    (144, "<I", 0, 216, "rows that no abstract module uses"),
    (148, "<I", 1, 144, "rows up to 2"),
    (152, "<Q", HUGE, 152, "the metadata of IR module 0 extends to"),
    (152, "<Q", 0, 152, "overlaps the global metadata"),
    (168, "<Q", HUGE, 168, "the code of IR module 0 extends to"),
    (176, "<Q", HUGE, 168, "the code of IR module 0 extends to"),
    (232, "<Q", 2, 232, "overlaps the code of IR module 0"),
    (240, "<Q", 4, 232, "the code of native image 0 extends to"),
]


@pytest.mark.parametrize(("offset", "layout", "value", "named", "problem"), PATCHES)
def test_a_wrong_claim_is_named(
    offset: int, layout: str, value: int, named: int | None, problem: str
) -> None:
    data = bytearray(write_syclbin(PROGRAM))
    struct.pack_into(layout, data, offset, value)
    with pytest.raises(FormatError) as caught:
        read_syclbin(data)
    if named is not None:
        assert f"byte {named}:" in caught.value.message
    assert problem in caught.value.message


def test_code_belongs_to_one_abstract_module() -> None:
    data = bytearray(write_syclbin(PROGRAM))
    struct.pack_into("<II", data, 104, 1, 0)
    with pytest.raises(FormatError, match="abstract module 1 overlaps abstract module 0"):
        read_syclbin(data)


def test_truncated_files_are_rejected() -> None:
    data = write_syclbin(PROGRAM)
    # The last bytes are the padding after the three bytes of the native image.
    assert read_syclbin(data[:-5]) == PROGRAM
    for size in range(len(data) - 5):
        with pytest.raises(FormatError, match="byte"):
            read_syclbin(data[:size])


def test_data_after_the_code_is_rejected() -> None:
    data = write_syclbin(PROGRAM)
    with pytest.raises(FormatError, match="bytes follow the code"):
        read_syclbin(data + b"\0")
    with pytest.raises(FormatError, match="expected zero as padding, got 1"):
        read_syclbin(data[:-1] + b"\1")


def test_padding_is_zero_except_in_the_header() -> None:
    data = bytearray(write_syclbin(PROGRAM))
    # A C++ writer need not set the padding of its structure.
    data[20:24] = b"\xff" * 4
    assert read_syclbin(data) == PROGRAM
    (metadata_size,) = struct.unpack_from("<Q", data, 24)
    assert metadata_size % 8
    data[248 + metadata_size] = 7
    with pytest.raises(FormatError, match=f"byte {248 + metadata_size}: .* padding, got 7"):
        read_syclbin(data)
