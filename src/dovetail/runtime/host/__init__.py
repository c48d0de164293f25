"""Running the host code of a SYCL program in this process.

In: a packaged program and its host code as a shared object. Host code calls the runtime through the
table of C functions in `include/sycl/detail/host/api.hpp`; this package fills in the table, loads
the shared object and calls its `main`. See `docs/runtime.md`.
"""

from dovetail.runtime.host.process import call_main, run

__all__ = ["call_main", "run"]
