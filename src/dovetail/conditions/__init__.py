"""Condition expressions: which devices a piece of code is for, by their aspects and architecture.

    condition = read_condition((AND, ASPECT, 6, NOT, ARCHITECTURE, 20))
    in_words(condition)                         # fp64 and not intel_gpu_pvc
    holds(condition, device_has, architecture)  # for a device
    resolve(condition, target, table).holds     # for a target of the table
    normalize(condition)                        # equivalent conditions give the same integers

docs/conditions.md describes the language and the normal form. Nothing here needs LLVM.
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions.evaluation import (
        Resolution,
        architecture_matters,
        holds,
        resolve,
    )
    from dovetail.conditions.expression import (
        AND,
        ARCHITECTURE,
        ASPECT,
        LONGEST,
        NOT,
        OR,
        Condition,
        condition_from_bytes,
        condition_to_bytes,
        fold,
        read_condition,
    )
    from dovetail.conditions.normal import (
        Normal,
        conjunction,
        disjunction,
        negation,
        normalize,
    )
    from dovetail.conditions.proof import always_has
    from dovetail.conditions.words import in_words

__all__ = [
    "AND",
    "ARCHITECTURE",
    "ASPECT",
    "LONGEST",
    "NOT",
    "OR",
    "Condition",
    "Normal",
    "Resolution",
    "always_has",
    "architecture_matters",
    "condition_from_bytes",
    "condition_to_bytes",
    "conjunction",
    "disjunction",
    "fold",
    "holds",
    "in_words",
    "negation",
    "normalize",
    "read_condition",
    "resolve",
]

__getattr__ = on_demand(
    __name__,
    {
        "evaluation": ("Resolution", "architecture_matters", "holds", "resolve"),
        "expression": (
            "AND",
            "ARCHITECTURE",
            "ASPECT",
            "LONGEST",
            "NOT",
            "OR",
            "Condition",
            "condition_from_bytes",
            "condition_to_bytes",
            "fold",
            "read_condition",
        ),
        "normal": ("Normal", "conjunction", "disjunction", "negation", "normalize"),
        "proof": ("always_has",),
        "words": ("in_words",),
    },
)
