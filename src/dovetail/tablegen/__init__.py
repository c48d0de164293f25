"""A back-end for LLVM's TableGen: `DynamicTable` records become tables in C++ or Python.

`llvm-tblgen` reads the language and says which records there are (`records`); `tables` finds the
`DynamicTable`s among them and collects their rows; `source_text` writes them in C++ or Python.
"""

from dovetail.tablegen.records import INCLUDE_DIRECTORY as INCLUDE_DIRECTORY
from dovetail.tablegen.records import read_records as read_records
from dovetail.tablegen.source_text import cpp_tables as cpp_tables
from dovetail.tablegen.source_text import python_tables as python_tables
from dovetail.tablegen.tables import DynamicTable as DynamicTable
from dovetail.tablegen.tables import dynamic_tables as dynamic_tables
