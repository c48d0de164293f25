// The whole of SYCL, as far as these headers offer it.
#pragma once

#include <sycl/detail/precompiled.hpp>

// What depends on the list of targets.
#include <sycl/device_aspect_traits.hpp>
