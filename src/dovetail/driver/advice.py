"""What to do about errors whose cause is how a program is built, which clang cannot know."""

import re

from dovetail.driver.units import units_of
from dovetail.frontend import Flags, error_heads
from dovetail.targets.macros import architecture_macro

_ASKS_FOR_A_TARGET = re.compile(r"static assertion failed.*-fsycl-targets=")


def target_macro_advice(messages: str, flags: Flags) -> str:
    """Return what to do if device code asserts that a target's macro is defined; may be empty.

    Code that several targets share sees none of their macros. Compiled once for each, it sees one.
    """
    shared = [unit.targets for unit in units_of(flags) if len(unit.targets) > 1]
    if not shared or not any(_ASKS_FOR_A_TARGET.match(e.message) for e in error_heads(messages)):
        return ""
    names = [target.name for targets in shared for target in targets]
    if not all(map(architecture_macro, names)):
        return ""
    listed = ", ".join(f"'{name}'" for name in names)
    return (
        f"device code is compiled once for {listed}, so none of their macros is defined in it;"
        " with -fsycl-device-if=macros it is compiled for each of them"
    )
