// Finds a Python that has Dovetail, and its shared library.
#pragma once

#include <climits>
#include <cstddef>

namespace dovetail {

struct python_location {
  char interpreter[PATH_MAX];
  char library[PATH_MAX];
  bool is_bundle; // it comes with the program, and needs nothing else
};

// Where a message goes; longer ones are cut.
struct message {
  char *text;
  std::size_t size;

  [[gnu::format(printf, 2, 3)]] void set(const char *format, ...) const;
};

// Returns false and sets the message if there is none.
bool find_python(python_location &found, const message &problem);

} // namespace dovetail
