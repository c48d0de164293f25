"""How to see a failure again."""

import shlex

from dovetail.driver.actions import Action, Phase
from dovetail.errors import IRError


def with_advice(error: IRError, root: Action) -> IRError:
    """LLVM refused what clang had accepted: say how to see the failure again."""
    refused = [action for action in root.in_order() if action.phase is Phase.PASSES]
    if error.hint or not refused or refused[0].source is None:
        return error
    command = shlex.join(["dovetail", "opt", "-p", refused[0].pipeline])
    return IRError(
        error.message,
        hint=f"-save-temps keeps what clang made of each source; the passes again: {command}"
        " --facts NAME.facts.json NAME.bc",
    )
