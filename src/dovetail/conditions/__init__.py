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
    )
    from dovetail.conditions.evaluation import (
        architecture_matters as architecture_matters,
    )
    from dovetail.conditions.evaluation import (
        holds as holds,
    )
    from dovetail.conditions.evaluation import (
        resolve as resolve,
    )
    from dovetail.conditions.expression import (
        AND as AND,
    )
    from dovetail.conditions.expression import (
        ARCHITECTURE as ARCHITECTURE,
    )
    from dovetail.conditions.expression import (
        ASPECT as ASPECT,
    )
    from dovetail.conditions.expression import (
        MAX_INTEGERS as MAX_INTEGERS,
    )
    from dovetail.conditions.expression import (
        NOT as NOT,
    )
    from dovetail.conditions.expression import (
        OR as OR,
    )
    from dovetail.conditions.expression import (
        Condition as Condition,
    )
    from dovetail.conditions.expression import (
        condition_from_bytes as condition_from_bytes,
    )
    from dovetail.conditions.expression import (
        condition_to_bytes as condition_to_bytes,
    )
    from dovetail.conditions.expression import (
        fold as fold,
    )
    from dovetail.conditions.expression import (
        read_condition as read_condition,
    )
    from dovetail.conditions.normal import (
        Normal as Normal,
    )
    from dovetail.conditions.normal import (
        conjunction as conjunction,
    )
    from dovetail.conditions.normal import (
        disjunction as disjunction,
    )
    from dovetail.conditions.normal import (
        negation as negation,
    )
    from dovetail.conditions.normal import (
        normalize as normalize,
    )
    from dovetail.conditions.proof import always_has as always_has
    from dovetail.conditions.words import in_words as in_words
