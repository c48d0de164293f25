// Tags that set the mode of an accessor with a deduced type: read_only, write_only, read_write.
#pragma once

#include <sycl/access/mode.hpp>
#include <sycl/access/target.hpp>

namespace sycl {
inline namespace _V1 {

template <access_mode> struct mode_tag_t {
  explicit mode_tag_t() = default;
};

template <access_mode, target> struct mode_target_tag_t {
  explicit mode_target_tag_t() = default;
};

inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::write> write_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};

inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task>
    read_write_host_task{};

} // namespace _V1
} // namespace sycl
