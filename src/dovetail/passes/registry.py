"""All passes, by name: what each does, and where it is."""

from typing import NamedTuple


class PassEntry(NamedTuple):
    """One row of the registry."""

    location: str
    """`module:class`"""
    help: str


PASSES: dict[str, PassEntry] = {
    "attach-facts": PassEntry(
        "dovetail.passes.attach_facts:AttachFacts",
        "put the properties that the front-end saw on functions",
    ),
    "device-globals": PassEntry(
        "dovetail.passes.device_globals:DeviceGlobals",
        "give device globals the identifiers by which the host knows them",
    ),
    "conditional-callers": PassEntry(
        "dovetail.passes.conditional_callers:ConditionalCallers",
        "turn what is called on some devices alone into conditional calls",
    ),
    "kernel-entries": PassEntry(
        "dovetail.passes.kernel_entries:KernelEntries",
        "give each plain function that is a kernel an entry point that a device can start",
    ),
    "inner-arguments": PassEntry(
        "dovetail.passes.inner_arguments:InnerArguments",
        "give parts of kernel objects, such as local accessors, kernel arguments of their own",
    ),
    "local-memory": PassEntry(
        "dovetail.passes.local_memory:LocalMemory",
        "turn requests for local memory into variables",
    ),
    "attach-aspects": PassEntry(
        "dovetail.passes.attach_aspects:AttachAspects",
        "put what functions use, declare and require on them, as metadata",
    ),
    "assertions": PassEntry(
        "dovetail.passes.assertions:Assertions",
        "let failed assertions stop the work-item and be told of",
    ),
    "built-ins": PassEntry(
        "dovetail.passes.built_ins:BuiltIns",
        "give device functions bodies, where the back-end has none of its own",
    ),
    "class-addresses": PassEntry(
        "dovetail.passes.class_addresses:ClassAddresses",
        "count accesses to objects of classes that hold a double as uses of fp64",
    ),
    "optimize": PassEntry(
        "dovetail.passes.optimize:Optimize",
        "run LLVM's optimiser",
    ),
    "remaining-types": PassEntry(
        "dovetail.passes.remaining_types:RemainingTypes",
        "add what functions use by the types that optimisation leaves in them",
    ),
}
