"""The host side of a SYCL program, run in this process.

In: a packaged program and its host code as a shared object. Host code reaches the runtime through
the table of C functions in `include/sycl/detail/host/api.hpp`; this package fills it in, loads the
shared object and calls its `main`. `docs/host.md` says how the two sides meet.
"""

from dovetail.runtime.host.process import call_main, run

__all__ = ["call_main", "run"]
