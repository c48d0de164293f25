// All of the device library, as one module.

#include "complex.cpp"
#include "integers.cpp"
#include "math.cpp"
#include "memory.cpp"
