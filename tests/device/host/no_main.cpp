// A library that is no program, but whose constructor and destructor use the runtime.

#include "support.hpp"

namespace other {
int main() { return 0; }
} // namespace other

static queue q;
