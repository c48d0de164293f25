"""Condition expressions: on which devices code runs, by their aspects and architecture.

    condition = read_condition((AND, ASPECT, 6, NOT, ARCHITECTURE, 20))
    in_words(condition)                         # fp64 and not intel_gpu_pvc
    holds(condition, device_has, architecture)  # on a device
    resolve(condition, target, table).holds     # for a target of the table
    normalize(condition)                        # equivalent conditions give the same integers

docs/conditional-code.md describes the language and the normal form. No LLVM is needed here.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions.evaluation import (
        ConditionResolution as ConditionResolution,
        architecture_matters as architecture_matters,
        holds as holds,
        resolve as resolve,
    )
    from dovetail.conditions.expression import (
        AND as AND,
        ARCHITECTURE as ARCHITECTURE,
        ASPECT as ASPECT,
        MAX_INTEGERS as MAX_INTEGERS,
        NOT as NOT,
        OR as OR,
        Condition as Condition,
        condition_from_bytes as condition_from_bytes,
        condition_to_bytes as condition_to_bytes,
        fold as fold,
        read_condition as read_condition,
    )
    from dovetail.conditions.normal import (
        Normal as Normal,
        conjunction as conjunction,
        disjunction as disjunction,
        negation as negation,
        normalize as normalize,
    )
    from dovetail.conditions.proof import always_has as always_has
    from dovetail.conditions.words import in_words as in_words
