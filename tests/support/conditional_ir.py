"""Device IR with calls that are made under conditions, as text."""

from dovetail.conditions import ASPECT, NOT

CPU, FP16, FP64 = 1, 5, 6
DECLARATIONS = """
declare void @call_if_on_device_conditionally_G_1(ptr, i32, i32) #0
declare void @call_if_on_device_conditionally_G_2(ptr, i32, i32, i32) #0
attributes #0 = { convergent "sycl-call-if-on-device-conditionally" }
!5 = !{i32 5}
!6 = !{i32 6}
"""


def when(aspect: int, action: str) -> str:
    """A call that is made if a device has an aspect."""
    return (
        f"call void @call_if_on_device_conditionally_G_1(ptr @{action}, i32 {ASPECT}, i32 {aspect})"
    )


def unless(aspect: int, action: str) -> str:
    return (
        f"call void @call_if_on_device_conditionally_G_2(ptr @{action}, i32 {NOT}, i32 {ASPECT},"
        f" i32 {aspect})"
    )


def plain(callee: str) -> str:
    return f"call void @{callee}()"


def function(name: str, *calls: str, marks: str = "") -> str:
    return "\n".join([f"define void @{name}() {marks} {{", *calls, "ret void }\n"])


def kernel(name: str, *calls: str, marks: str = "") -> str:
    return function(name, *calls, marks=marks).replace("define", "define spir_kernel")


def text(*functions: str) -> str:
    return "".join(functions) + DECLARATIONS
