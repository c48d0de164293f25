"""Images whose kernels can fail an assertion list them, and have a kernel that reads the record."""

from collections.abc import Callable

from dovetail.assertion_record import LLVM_TYPE, VARIABLE
from dovetail.postlink import PostLinked

Split = Callable[..., PostLinked]

SOURCE = f"""
    @{VARIABLE} = linkonce_odr addrspace(1) global {LLVM_TYPE} zeroinitializer
    define linkonce_odr spir_func void @__assert_fail() {{
      store i32 1, ptr addrspace(1) @{VARIABLE}
      ret void }}
    define spir_kernel void @safe() #0 {{ ret void }}
    define spir_kernel void @first() #0 {{ call spir_func void @__assert_fail()
      ret void }}
    define spir_kernel void @second() #0 {{ call spir_func void @__assert_fail()
      ret void }}
    attributes #0 = {{ "sycl-module-id"="a.cpp" }}
"""


def test_kernels_that_can_fail(split: Split) -> None:
    (image,) = split(SOURCE).images()
    assert image.info.asserting_kernels == ("first", "second")
    linkage = {variable.name: variable.linkage for variable in image.module.global_variables()}
    assert linkage == {VARIABLE: "internal"}
    image.module.verify()


def test_reader_is_named_after_the_first_kernel(split: Split) -> None:
    def readers(mode: str) -> list[list[str]]:
        return [
            [
                function.name
                for function in image.module.functions()
                if function.name.startswith("__dovetail_assertion_of_")
            ]
            for image in split(SOURCE, mode=mode).images()
        ]

    assert readers("none") == [["__dovetail_assertion_of_first"]]
    assert readers("kernel") == [
        [],
        ["__dovetail_assertion_of_first"],
        ["__dovetail_assertion_of_second"],
    ]
