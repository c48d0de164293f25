// All of SYCL that these headers implement.
#pragma once

#include <sycl/detail/suspend_macros.inc>

#include <sycl/detail/precompiled.hpp>

// Headers that depend on the list of targets, and on how conditions on devices are resolved.
#include <sycl/device_aspect_traits.hpp>
#include <sycl/ext/oneapi/experimental/device_architecture.hpp>
#include <sycl/ext/oneapi/experimental/device_if.hpp>

#include <sycl/detail/restore_macros.inc>
