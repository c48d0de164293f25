// The one exception of the bridge. Python sees it as dovetail.errors.IRError.
#pragma once

#include <stdexcept>

namespace dovetail {

struct IRError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace dovetail
