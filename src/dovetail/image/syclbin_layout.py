"""Where SYCLBIN, version 1, has what: the headers, tables and constants reader and writer share."""

from struct import Struct

MAGIC = 0x53594249
VERSION = 1

# Magic, version; counts of abstract modules, IR modules and native images; four bytes that the
# compiler's alignment leaves unused; sizes of the metadata and binary tables; offset and size of
# the global metadata.
FILE_HEADER = Struct("<5I4xQQQQ")

# Offset and size of the metadata; count and first index of its IR modules, and of native images.
ABSTRACT_MODULE = Struct("<QQIIII")

# Offset and size of the metadata, offset and size of the code; IR modules and native images alike.
CODE = Struct("<QQQQ")
