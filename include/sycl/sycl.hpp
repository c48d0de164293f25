// All of SYCL that these headers implement.
#pragma once

// Many programs have macros of these names, which would expand in the middle of declarations.
#pragma push_macro("min")
#pragma push_macro("max")
#undef min
#undef max

#include <sycl/detail/precompiled.hpp>

// Headers that depend on the list of targets, and on how conditions on devices are resolved.
#include <sycl/device_aspect_traits.hpp>
#include <sycl/ext/oneapi/experimental/device_architecture.hpp>
#include <sycl/ext/oneapi/experimental/device_if.hpp>

#pragma pop_macro("max")
#pragma pop_macro("min")
