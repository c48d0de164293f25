"""The table of all passes: name, class and help text."""

from typing import NamedTuple


class PassEntry(NamedTuple):
    """One row of the registry."""

    location: str
    """`module:class`"""
    help: str
    only_with: tuple[str, ...] = ()
    """The beginnings of names of functions and attributes. In modules without any, the pass has
    nothing to do; if it is given without options, it is not loaded."""


PASSES: dict[str, PassEntry] = {
    "attach-facts": PassEntry(
        "dovetail.passes.attach_facts:AttachFacts",
        "attach compile-time properties to functions and variables",
    ),
    "device-globals": PassEntry(
        "dovetail.passes.device_globals:DeviceGlobals",
        "attach the identifiers of device globals, by which the host refers to them",
        ("sycl-device-global-size",),
    ),
    "specialization-constants": PassEntry(
        "dovetail.passes.specialization_constants:SpecializationConstants",
        "split reads of specialization constants into reads of scalars",
        ("_Z37__dovetail_readSpecializationConstant",),
    ),
    "conditional-callers": PassEntry(
        "dovetail.passes.conditional_callers:ConditionalCallers",
        "generate conditional calls, which call a function only on some devices",
        ("sycl-call-if-on-device-conditionally",),
    ),
    "kernel-entries": PassEntry(
        "dovetail.passes.kernel_entries:KernelEntries",
        "generate entry points for kernels that are plain functions",
    ),
    "inner-arguments": PassEntry(
        "dovetail.passes.inner_arguments:InnerArguments",
        "add kernel parameters for members of kernel objects, such as local accessors",
    ),
    "group-scope": PassEntry(
        "dovetail.passes.group_scope:GroupScope",
        "lower hierarchical kernels, in which one work-item runs code for its work-group",
        ("dovetail-work-group-scope",),
    ),
    "local-memory": PassEntry(
        "dovetail.passes.local_memory:LocalMemory",
        "replace the headers' local-memory allocation calls with variables",
        ("__sycl_allocateLocalMemory", "_Z23__dovetail_groupScratch"),
    ),
    "attach-aspects": PassEntry(
        "dovetail.passes.attach_aspects:AttachAspects",
        "attach used and declared aspects and required sizes to functions",
    ),
    "assertions": PassEntry(
        "dovetail.passes.assertions:Assertions",
        "define the handler of failed assertions, which reports them or stops the kernel",
        ("__assert_fail", "_ZSt21__glibcxx_assert_fail"),
    ),
    "printf": PassEntry(
        "dovetail.passes.printf:Printf",
        "for SPIR-V, rename printf calls to the names that LLVM's back-end recognizes",
        ("printf", "_Z18__spirv_ocl_printf"),
    ),
    "library-functions": PassEntry(
        "dovetail.passes.library_functions:LibraryFunctions",
        "define the functions of C's library that device code calls",
    ),
    "built-ins": PassEntry(
        "dovetail.passes.built_ins:BuiltIns",
        "define device functions, for back-ends that do not implement them",
    ),
    "class-addresses": PassEntry(
        "dovetail.passes.class_addresses:ClassAddresses",
        "add the aspect fp64 to functions that address members of a class with a double",
    ),
    "optimize": PassEntry(
        "dovetail.passes.optimize:Optimize",
        "run LLVM's optimizer",
    ),
    "remaining-types": PassEntry(
        "dovetail.passes.remaining_types:RemainingTypes",
        "add the aspects of types that remain after optimization",
    ),
}
