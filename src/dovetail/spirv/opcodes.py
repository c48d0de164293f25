"""The numbers of instructions, decorations and the like that code here speaks of by name.

A test holds them against the tables from the grammar.
"""

from typing import Final

SOURCE_CONTINUED: Final = 2
SOURCE: Final = 3
SOURCE_EXTENSION: Final = 4
NAME: Final = 5
MEMBER_NAME: Final = 6
STRING: Final = 7
EXTENSION: Final = 10
EXT_INST_IMPORT: Final = 11
MEMORY_MODEL: Final = 14
ENTRY_POINT: Final = 15
EXECUTION_MODE: Final = 16
CAPABILITY: Final = 17
TYPE_INT: Final = 21
SPEC_CONSTANT_OP: Final = 52
FUNCTION: Final = 54
FUNCTION_PARAMETER: Final = 55
FUNCTION_END: Final = 56
VARIABLE: Final = 59
DECORATE: Final = 71
MEMBER_DECORATE: Final = 72
DECORATION_GROUP: Final = 73
GROUP_DECORATE: Final = 74
GROUP_MEMBER_DECORATE: Final = 75
SWITCH: Final = 251
MODULE_PROCESSED: Final = 330
EXECUTION_MODE_ID: Final = 331
DECORATE_ID: Final = 332
DECORATE_STRING: Final = 5632
MEMBER_DECORATE_STRING: Final = 5633
CONDITIONAL_EXTENSION: Final = 6248
CONDITIONAL_ENTRY_POINT: Final = 6249
CONDITIONAL_CAPABILITY: Final = 6250
