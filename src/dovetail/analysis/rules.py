"""The rules that device code is held to, and what `-W` options make of them.

Words that concern these rules are read as clang reads its own: the last one wins, `-w` silences
every warning, and an error by default stays one.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from dovetail.facts import Violation

Level = Literal["note", "warning", "error"]

_EVERYTHING = "everything"


class Rule(NamedTuple):
    """One rule."""

    name: str
    level: Level
    """A warning can be switched off and made an error, others neither."""
    summary: str
    help: str
    """What is wrong about it, and what to do."""
    advice: str = ""
    """What to do, alone; empty if the help is short enough."""


UNDECLARED_ASPECT = Rule(
    "sycl-undeclared-aspect",
    "warning",
    "A function uses an aspect that its attribute does not list",
    "A function with device_has or requires promises that it and everything it calls use no other"
    " aspects than those. Add the aspect to the list, or do without what needs it.",
)
MISMATCHED_ASPECTS = Rule(
    "sycl-mismatched-aspects",
    "warning",
    "Declarations of one function list different aspects",
    "Callers believe the declaration that they see. Put the attribute on one declaration, in a"
    " header that every source includes.",
)
MISMATCHED_EXTERNAL = Rule(
    "sycl-mismatched-external",
    "error",
    "A kernel is SYCL_EXTERNAL in one source and not in the one that defines it",
    "Only a kernel that is SYCL_EXTERNAL where it is defined is there for other sources to call."
    " Mark it there too, best on one declaration, in a header that every source includes.",
)
SIZE_WITHOUT_KERNEL = Rule(
    "sycl-size-without-kernel",
    "warning",
    "A function that is no kernel requires a size",
    "Sizes of work-groups and sub-groups are required by kernels. Move the attribute to each kernel"
    " that calls the function.",
)
MISMATCHED_REQUIREMENTS = Rule(
    "sycl-mismatched-requirements",
    "error",
    "A kernel requires two different things",
    "What a kernel requires can be said by properties and by attributes, of the kernel and of the"
    " operator() of its object. They disagree. Leave one of them out.",
)
RECURSION = Rule(
    "sycl-recursion",
    "error",
    "Device code calls itself",
    "SYCL forbids recursion in device code, since devices may have no stack. Write a loop.",
)
MISFIT = Rule(
    "sycl-kernel-does-not-fit",
    "note",
    "A kernel needs what a target does not have",
    "The kernel cannot run on that target. Let the host choose another kernel there, or write this"
    " one without the feature.",
)
FIXED_TARGETS = Rule(
    "sycl-fixed-targets",
    "warning",
    "A kernel cannot run on a target that the program is fixed to",
    "-fsycl-fixed-targets= lists all targets that the program is to run on, and one of them lacks"
    " what the kernel needs. Let the host choose another kernel there, or leave the target out.",
)
UNKNOWN_ASPECT = Rule(
    "sycl-unknown-aspect",
    "warning",
    "A condition depends on an aspect of which a target is not known to have it or not",
    "Code that is made ahead of time cannot ask the device, so the aspect is taken to be missing."
    " A device configuration file can tell (-fsycl-device-config-file=).",
)
UNKNOWN_ARCHITECTURE = Rule(
    "sycl-unknown-architecture",
    "error",
    "A condition depends on the architecture of a target that may be several",
    "Code that is made ahead of time cannot ask the device. Name the devices, one by one:"
    " -fsycl-targets=intel_gpu_pvc, or -device pvc for ocloc.",
)
REFUSED = Rule(
    "does-not-compile",
    "error",
    "A source does not compile",
    "Clang's message says what is wrong.",
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
        REFUSED,
    )
}


_ADVICE = {
    "throw": "Return a value that tells of the failure, and throw on the host.",
    "try": "Nothing throws in device code, so the block can go.",
    "virtual-call": "Make the class a template parameter, or choose by a switch.",
    "indirect-call": "Make the function a template parameter, or choose by a switch.",
    "function-pointer": "Make the function a template parameter, or choose by a switch.",
    "allocation": "Pass memory to the kernel as an argument, or use local memory.",
    "variadic": "Give the function a parameter pack, or a fixed list of parameters.",
    "thread-local": "Use a local variable, or local memory of the work-group.",
    "global-variable": "Make it constexpr, or pass it to the kernel as an argument.",
    "long-double": "Use double or float.",
    "undefined-function": "Mark it SYCL_EXTERNAL here and in the source that defines it, and add"
    " that source; or define it in this one.",
}
"""What to do instead of what SYCL forbids."""

_ADVICE_BY_NAME = {
    "std::": "Compiled parts of the standard library do not exist on devices; use SYCL's own.",
    "printf": "Device code cannot print; write to memory, and print on the host.",
}
"""For what no source of the user's defines, by how the name of the function begins."""


def rule_of_violation(violation: "Violation") -> Rule:
    """The rule behind something that the front-end found."""
    name = violation.rule
    by_name = (
        advice
        for start, advice in _ADVICE_BY_NAME.items()
        if violation.what.startswith(f"calls '{start}")
    )
    general = _ADVICE.get(name, "Do it on the host, or in another way.")
    advice = next(by_name, general)
    return Rule(
        f"sycl-{name}",
        "error",
        "Device code does what SYCL forbids",
        "SYCL forbids this in device code: functions that a kernel or a SYCL_EXTERNAL function"
        f" reaches. {advice}",
        advice,
    )


class _State(NamedTuple):
    """What the words so far have made of one warning."""

    level: Level | None = "warning"
    stays_warning: bool = False


class WarningOptions(NamedTuple):
    """What becomes of warnings; without words, each is given as a warning."""

    states: Mapping[str, _State] = MappingProxyType({})
    all_are_errors: bool = False
    none_is_given: bool = False

    def level(self, rule: Rule) -> Level | None:
        """How a finding of that rule is given, if at all."""
        if rule.level != "warning":
            return rule.level
        state = self.states.get(rule.name, _State())
        if self.none_is_given or state.level is None:
            return None
        if self.all_are_errors and not state.stays_warning:
            return "error"
        return state.level

    def flag(self, rule: Rule) -> str:
        """What stands in brackets behind a message; empty if no option changes the rule."""
        if rule.level != "warning":
            return ""
        return f"-Werror,-W{rule.name}" if self.level(rule) == "error" else f"-W{rule.name}"


def read_warning_words(words: Iterable[str]) -> WarningOptions:
    """What `-W` words, and `-w`, say about our rules; others are passed over."""
    states = {name: _State() for name, rule in RULES.items() if rule.level == "warning"}
    all_are_errors = none_is_given = False
    for word in words:
        match word:
            case "-Werror":
                all_are_errors = True
            case "-Wno-error":
                all_are_errors = False
            case "-w":
                none_is_given = True
            case _:
                action, name = _split(word)
                for each in states if name == _EVERYTHING else [name]:
                    if each in states:
                        states[each] = _changed(states[each], action, name)
    return WarningOptions(states, all_are_errors, none_is_given)


def words_for_clang(words: Sequence[str]) -> tuple[str, ...]:
    """The words that clang knows too: it would warn of the names that it does not know."""
    return tuple(word for word in words if _split(word)[1] not in RULES)


_PREFIXES = ("-Wno-error=", "-Werror=", "-Wno-", "-W")


def _split(word: str) -> tuple[str, str]:
    """`-Wno-error=x` as `-Wno-error=` and `x`."""
    prefix = next((prefix for prefix in _PREFIXES if word.startswith(prefix)), "")
    return prefix, word[len(prefix) :]


def _changed(state: _State, action: str, name: str) -> _State:
    match action:
        case "-W":
            return state._replace(level=state.level or "warning")
        case "-Wno-":
            return state._replace(level=None)
        case _ if name == _EVERYTHING:
            return state  # as clang has it: only -Weverything and -Wno-everything mean all
        case "-Werror=":
            return _State("error")
        case _:
            return _State("warning" if state.level else None, stays_warning=True)
