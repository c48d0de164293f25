"""Math functions for targets without SPIR-V.

Object files contain calls of functions such as `__spirv_ocl_sin`. Their definitions are generated
at link time, since only then is it known which math library is installed. `table` lists the
implementations of each function, `bodies` generates their code.
"""

from dovetail.codegen.math.bodies import MathBodies, math_bodies

__all__ = ["MathBodies", "math_bodies"]
