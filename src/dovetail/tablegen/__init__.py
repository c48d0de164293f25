"""A TableGen back-end: generates tables in C++ or Python from `DynamicTable` records.

`records` runs `llvm-tblgen` and parses its output; `tables` collects the rows of `DynamicTable`
records; `source_text` generates the C++ or Python source.
"""

from dovetail.tablegen.records import (
    INCLUDE_DIRECTORY as INCLUDE_DIRECTORY,
    read_records as read_records,
)
from dovetail.tablegen.source_text import cpp_tables as cpp_tables, python_tables as python_tables
from dovetail.tablegen.tables import DynamicTable as DynamicTable, dynamic_tables as dynamic_tables
