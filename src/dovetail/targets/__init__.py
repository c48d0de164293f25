"""What every target can do: the one place that knows, asked by all other parts.

    from dovetail.targets import default_table

    table = default_table()
    table["intel_gpu_pvc"].has("fp64")          # True
    table["intel_gpu_12_60_7"].sub_group_sizes  # (16, 32): an alias
    table["spir64"].verdict("fp64")             # "may"

The default configuration is `devices.td`, turned into a Python module when the package is built.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.targets.aspects import aspect_name as aspect_name
    from dovetail.targets.aspects import aspect_names as aspect_names
    from dovetail.targets.aspects import aspect_number as aspect_number

from dovetail.targets.table import Table as Table
from dovetail.targets.table import default_table as default_table
from dovetail.targets.table import target_of_identifier as target_of_identifier
from dovetail.targets.target import Fit as Fit
from dovetail.targets.target import Target as Target


def __getattr__(name: str) -> object:
    """The list of aspects is loaded by who asks for it."""
    if name.startswith("aspect_"):
        from dovetail.targets import aspects

        return getattr(aspects, name)
    raise AttributeError(f"module 'dovetail.targets' has no attribute '{name}'")
