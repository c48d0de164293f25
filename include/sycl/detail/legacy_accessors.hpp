// accessor with the targets of SYCL 1.2.1, local memory and the host's access to a buffer, and with
// its access mode `atomic`.
#pragma once

#include <sycl/access/address_space.hpp>
#include <sycl/access/mode.hpp>
#include <sycl/access/placeholder.hpp>
#include <sycl/access/target.hpp>
#include <sycl/accessor.hpp>
#include <sycl/detail/atomic_elements.hpp>
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

template <typename DataT, int Dimensions, access::placeholder IsPlaceholder, typename... Properties>
class accessor<DataT, Dimensions, access_mode::atomic, target::device, IsPlaceholder,
               detail::property_pack<Properties...>>
    : public detail::atomic_elements<
          accessor<DataT, Dimensions, access_mode::read_write, target::device, IsPlaceholder,
                   detail::property_pack<Properties...>>,
          DataT, Dimensions, access::address_space::global_space> {
public:
  using accessor::atomic_elements::atomic_elements;
};

template <typename DataT, int Dimensions, access::placeholder IsPlaceholder, typename... Properties>
class accessor<DataT, Dimensions, access_mode::atomic, target::local, IsPlaceholder,
               detail::property_pack<Properties...>>
    : public detail::atomic_elements<local_accessor<DataT, Dimensions>, DataT, Dimensions,
                                     access::address_space::local_space> {
public:
  using accessor::atomic_elements::atomic_elements;
};

namespace detail {
inline constexpr target host_target = target::host_buffer;
}

#pragma clang diagnostic pop

} // namespace _V1
} // namespace sycl
