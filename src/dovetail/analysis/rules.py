"""Rules for device code, and the `-W` options that control them.

The options have clang's semantics: the last one wins, `-w` suppresses every warning, and errors
cannot be downgraded.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from dovetail.facts import Violation

Level = Literal["note", "warning", "error"]

_EVERYTHING = "everything"


class Rule(NamedTuple):
    """A rule for device code."""

    name: str
    level: Level
    """Only warnings can be disabled or turned into errors."""
    summary: str
    help: str
    """What is wrong, and how to fix it."""
    advice: str = ""
    """Only how to fix it; empty if the help is short enough."""


UNDECLARED_ASPECT = Rule(
    "sycl-undeclared-aspect",
    "warning",
    "A function uses an aspect that its attribute does not list",
    "A function with device_has or requires declares that it and everything it calls use no other"
    " aspects. Add the aspect to the list, or remove its use.",
)
MISMATCHED_ASPECTS = Rule(
    "sycl-mismatched-aspects",
    "warning",
    "Declarations of one function list different aspects",
    "Callers rely on the declaration that they see. Put the attribute on one declaration, in a"
    " header that every source includes.",
)
MISMATCHED_EXTERNAL = Rule(
    "sycl-mismatched-external",
    "error",
    "A kernel is SYCL_EXTERNAL in one source but not in its definition",
    "Other sources can call a kernel only if its definition is SYCL_EXTERNAL. Add it there,"
    " preferably on one declaration in a header that every source includes.",
)
SIZE_WITHOUT_KERNEL = Rule(
    "sycl-size-without-kernel",
    "warning",
    "A function that is not a kernel requires a size",
    "Only kernels can require work-group and sub-group sizes. Move the attribute to each kernel"
    " that calls the function.",
)
MISMATCHED_REQUIREMENTS = Rule(
    "sycl-mismatched-requirements",
    "error",
    "A kernel has conflicting requirements",
    "Properties and attributes of a kernel, and of the operator() of its object, can state its"
    " requirements. Here they differ. Remove one of them.",
)
RECURSION = Rule(
    "sycl-recursion",
    "error",
    "Device code is recursive",
    "SYCL forbids recursion in device code, since devices may have no stack. Use a loop.",
)
MISFIT = Rule(
    "sycl-kernel-does-not-fit",
    "note",
    "A target does not meet a kernel's requirements",
    "The kernel cannot run on that target. Choose another kernel there in host code, or write this"
    " one without the feature.",
)
FIXED_TARGETS = Rule(
    "sycl-fixed-targets",
    "warning",
    "A kernel cannot run on one of the fixed targets",
    "-fsycl-fixed-targets= lists all targets that the program is meant to run on, and one of them"
    " does not meet the kernel's requirements. Choose another kernel there in host code, or remove"
    " the target from the list.",
)
UNKNOWN_ASPECT = Rule(
    "sycl-unknown-aspect",
    "warning",
    "A condition depends on an aspect that a target may or may not have",
    "Ahead-of-time builds cannot query the device, so the aspect counts as missing. A device"
    " configuration file can list it (-fsycl-device-config-file=).",
)
UNKNOWN_ARCHITECTURE = Rule(
    "sycl-unknown-architecture",
    "error",
    "A condition depends on the architecture of a target that is one of several",
    "Ahead-of-time builds cannot query the device. Name the devices individually:"
    " -fsycl-targets=intel_gpu_pvc, or -device pvc for ocloc.",
)
DOES_NOT_COMPILE = Rule(
    "does-not-compile",
    "error",
    "A source does not compile",
    "Clang's message describes the error.",
)

RULES = {
    rule.name: rule
    for rule in (
        UNDECLARED_ASPECT,
        MISMATCHED_ASPECTS,
        MISMATCHED_EXTERNAL,
        SIZE_WITHOUT_KERNEL,
        MISMATCHED_REQUIREMENTS,
        RECURSION,
        MISFIT,
        FIXED_TARGETS,
        UNKNOWN_ASPECT,
        UNKNOWN_ARCHITECTURE,
        DOES_NOT_COMPILE,
    )
}


_ADVICE = {
    "throw": "Return an error value, and throw on the host.",
    "try": "Device code does not throw; remove the try block.",
    "virtual-call": "Make the class a template parameter, or use a switch.",
    "indirect-call": "Make the function a template parameter, or use a switch.",
    "function-pointer": "Make the function a template parameter, or use a switch.",
    "allocation": "Pass memory to the kernel as an argument, or use local memory.",
    "variadic": "Use a parameter pack or a fixed list of parameters.",
    "thread-local": "Use a local variable, or local memory of the work-group.",
    "global-variable": "Make it constexpr, or pass it to the kernel as an argument.",
    "long-double": "Use double or float.",
    "int128": "Use 64-bit integers, or _BitInt(128).",
    "variable-length-array": "Use an array of constant length, memory that is passed to the kernel,"
    " or a local_accessor.",
    "rtti": "Use templates, or a member that identifies the class.",
    "inline-assembly": "SPIR-V has no assembly; use SYCL functions, or compile this code only where"
    " __NVPTX__ or __AMDGCN__ is defined.",
    "library-function": "Call it on the host, and pass its result to the kernel. Devices have the"
    " functions of <cmath>, <complex> and <cstring>.",
    "undefined-function": "Mark it SYCL_EXTERNAL here and in the source that defines it, and add"
    " that source; or define it in this one.",
}
"""How to fix violations, by rule."""

_ADVICE_BY_NAME = {
    "printf": "AMD's GPUs cannot print; use sycl::stream.",
}
"""How to fix calls of functions that the user does not define, by the start of their names."""


def rule_of_violation(violation: "Violation") -> Rule:
    """Return the rule of a violation that the front-end reported."""
    name = violation.rule
    by_name = (
        advice
        for start, advice in _ADVICE_BY_NAME.items()
        if violation.what.startswith("calls ") and f" '{start}" in violation.what
    )
    general = _ADVICE.get(name, "Do this in host code, or write it differently.")
    advice = next(by_name, general)
    return Rule(
        f"sycl-{name}",
        "error",
        "Device code uses a feature that SYCL forbids there",
        "SYCL forbids this in device code: functions that a kernel or a SYCL_EXTERNAL function"
        f" reaches. {advice}",
        advice,
    )


class _State(NamedTuple):
    """The state of one warning."""

    level: Level | None = "warning"
    no_error: bool = False
    """Whether `-Werror` does not apply."""


class WarningOptions(NamedTuple):
    """The effect of `-W` options; by default, every warning is enabled."""

    states: Mapping[str, _State] = MappingProxyType({})
    werror: bool = False
    suppress_all: bool = False

    def level(self, rule: Rule) -> Level | None:
        """Return the level of findings of a rule; None if they are suppressed."""
        if rule.level != "warning":
            return rule.level
        state = self.states.get(rule.name, _State())
        if self.suppress_all or state.level is None:
            return None
        if self.werror and not state.no_error:
            return "error"
        return state.level

    def flag(self, rule: Rule) -> str:
        """Return the flag after a message, in brackets there; empty if no option controls it."""
        if rule.level != "warning":
            return ""
        return f"-Werror,-W{rule.name}" if self.level(rule) == "error" else f"-W{rule.name}"


def parse_warning_options(arguments: Iterable[str]) -> WarningOptions:
    """Return the effect of `-W...` and `-w` on the rules here; ignore other arguments."""
    states = {name: _State() for name, rule in RULES.items() if rule.level == "warning"}
    werror = suppress_all = False
    for argument in arguments:
        match argument:
            case "-Werror":
                werror = True
            case "-Wno-error":
                werror = False
            case "-w":
                suppress_all = True
            case _:
                action, name = _split(argument)
                for each in states if name == _EVERYTHING else [name]:
                    if each in states:
                        states[each] = _changed(states[each], action, name)
    return WarningOptions(states, werror, suppress_all)


def without_dovetail_warnings(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments without `-W` options for the rules here, which clang does not know."""
    return tuple(argument for argument in arguments if _split(argument)[1] not in RULES)


_PREFIXES = ("-Wno-error=", "-Werror=", "-Wno-", "-W")


def _split(argument: str) -> tuple[str, str]:
    """Split `-Wno-error=x` into `-Wno-error=` and `x`."""
    prefix = next((prefix for prefix in _PREFIXES if argument.startswith(prefix)), "")
    return prefix, argument[len(prefix) :]


def _changed(state: _State, action: str, name: str) -> _State:
    """Return the state of a rule after an option that names it."""
    match action:
        case "-W":
            return state._replace(level=state.level or "warning")
        case "-Wno-":
            return state._replace(level=None)
        case _ if name == _EVERYTHING:
            return state  # as in clang, only -Weverything and -Wno-everything apply to all
        case "-Werror=":
            return _State("error")
        case _:
            return _State("warning" if state.level else None, no_error=True)
