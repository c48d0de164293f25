// The bodies of the host's classes.
//
// They require complete classes, so they follow all declarations: detail/precompiled.hpp includes
// this file last, and no header that declares a class includes these. Device compilations omit
// them.
#pragma once

#include <sycl/detail/host/buffer.hpp>
#include <sycl/detail/host/build.hpp>
#include <sycl/detail/host/context.hpp>
#include <sycl/detail/host/device.hpp>
#include <sycl/detail/host/device_details.hpp>
#include <sycl/detail/host/device_selector.hpp>
#include <sycl/detail/host/errc.hpp>
#include <sycl/detail/host/event.hpp>
#include <sycl/detail/host/exception.hpp>
#include <sycl/detail/host/get_kernel_bundle.hpp>
#include <sycl/detail/host/handler.hpp>
#include <sycl/detail/host/kernel.hpp>
#include <sycl/detail/host/kernel_bundle.hpp>
#include <sycl/detail/host/kernel_id.hpp>
#include <sycl/detail/host/platform.hpp>
#include <sycl/detail/host/property_list.hpp>
#include <sycl/detail/host/queue.hpp>
#include <sycl/detail/host/reduction.hpp>
#include <sycl/detail/host/stream.hpp>
#include <sycl/detail/host/stream_text.hpp>
#include <sycl/detail/host/usm.hpp>
