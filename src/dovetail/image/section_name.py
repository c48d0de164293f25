"""How the section is called that device code travels in, inside of object files."""

SECTION = ".llvm.offloading"
SECTION_TYPE = 0x6FFF4C0B
