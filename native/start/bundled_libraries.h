// The system's libraries that Python and its modules need, in a bundle.
#pragma once

namespace dovetail {

// Loads those of the folder `system` next to Python's library that this machine lacks. Does nothing
// without such a folder.
void load_missing_libraries(const char *python_library);

} // namespace dovetail
