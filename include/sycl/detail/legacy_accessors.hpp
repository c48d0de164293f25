// accessor with the targets of SYCL 1.2.1: local memory, and the host's access to a buffer.
#pragma once

#include <sycl/access/mode.hpp>
#include <sycl/access/placeholder.hpp>
#include <sycl/access/target.hpp>
#include <sycl/accessor.hpp>
#include <sycl/detail/declarations.hpp>
#include <sycl/host_accessor.hpp>
#include <sycl/local_accessor.hpp>

namespace sycl {
inline namespace _V1 {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

template <typename DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder,
          typename... Properties>
class accessor<DataT, Dimensions, Mode, target::local, IsPlaceholder,
               detail::property_pack<Properties...>> : public local_accessor<DataT, Dimensions> {
public:
  using local_accessor<DataT, Dimensions>::local_accessor;
  using local_accessor<DataT, Dimensions>::operator=;
};

template <typename DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder,
          typename... Properties>
class accessor<DataT, Dimensions, Mode, target::host_buffer, IsPlaceholder,
               detail::property_pack<Properties...>>
    : public host_accessor<DataT, Dimensions, Mode> {
public:
  using host_accessor<DataT, Dimensions, Mode>::host_accessor;
  using host_accessor<DataT, Dimensions, Mode>::operator=;
};

namespace detail {
inline constexpr target host_target = target::host_buffer;
}

#pragma clang diagnostic pop

} // namespace _V1
} // namespace sycl
