"""Functions on numbers for devices that are not given SPIR-V.

Objects carry calls of `__spirv_ocl_sin` and its kin, since which library there is for them is the
business of the machine that links. `table` says what each function is made of, `bodies` writes it.
"""

from dovetail.codegen.math.bodies import MathBodies, math_bodies

__all__ = ["MathBodies", "math_bodies"]
