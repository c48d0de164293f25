// Each line with DEPRECATED uses one thing that SYCL 2020 deprecates; no other line does. DPC++
// warns of the same lines.
#include <sycl/sycl.hpp>

sycl::vec<int, 2> elements;
auto count = elements.get_count(); // DEPRECATED
auto size = elements.get_size();   // DEPRECATED
auto byte_size = elements.byte_size();

sycl::byte number;     // DEPRECATED
sycl::uint positive;   // DEPRECATED
sycl::ulonglong large; // DEPRECATED
sycl::cl_int integer;  // DEPRECATED
sycl::opencl::cl_int other_integer;
constexpr auto old_aspect = sycl::aspect::int64_base_atomics; // DEPRECATED
constexpr auto new_aspect = sycl::aspect::atomic64;
constexpr auto global = sycl::access::target::global_buffer;      // DEPRECATED
constexpr auto constants = sycl::access::target::constant_buffer; // DEPRECATED
constexpr auto local = sycl::access::target::local;               // DEPRECATED
constexpr auto host = sycl::access::target::host_buffer;          // DEPRECATED
constexpr auto target = sycl::access::target::device;
constexpr auto discard = sycl::access::mode::discard_write;
constexpr auto space = sycl::access::address_space::constant_space; // DEPRECATED
constexpr auto other_space = sycl::access::address_space::local_space;

void atomics(sycl::queue &queue, sycl::buffer<int> &buffer) {
  queue.submit([&](sycl::handler &handler) {
    auto element = buffer.get_access<sycl::access::mode::atomic>(handler);
    sycl::accessor plain(buffer, handler);
    handler.single_task([=] {
      element[0].fetch_add(1);
      sycl::atomic_fetch_max(element[1], 1);
      sycl::atomic<int> object(plain.get_multi_ptr<sycl::access::decorated::no>()); // DEPRECATED
      object.store(1);
    });
  });
}

void ranges(sycl::queue &queue, sycl::range<1> range, sycl::id<1> offset, int *p) {
  sycl::nd_range<1> shape(range, range, offset); // DEPRECATED
  (void)shape.get_offset();                      // DEPRECATED
  sycl::nd_range<1> other_shape(range, range);
  queue.submit([&](sycl::handler &handler) {
    const auto kernel = [=](sycl::item<1> item) { *p = item.get_id(0); };
    handler.parallel_for(range, offset, kernel); // DEPRECATED
  });
  queue.parallel_for(other_shape, [=](sycl::nd_item<1> item) {
    item.barrier();          // DEPRECATED
    (void)item.get_offset(); // DEPRECATED
    sycl::group_barrier(item.get_group());
    *p = 1;
  });
}

void buffers(sycl::queue &queue, sycl::buffer<int> buffer) {
  (void)buffer.get_count();                            // DEPRECATED
  (void)buffer.get_size();                             // DEPRECATED
  (void)buffer.get_access<sycl::access::mode::read>(); // DEPRECATED
  (void)buffer.get_host_access();
  queue.submit([&](sycl::handler &handler) {
    auto access = buffer.get_access<sycl::access::mode::read_write>(handler);
    sycl::local_accessor<int, 1> shared(4, handler);
    handler.single_task([=] {
      *access.get_pointer() = 1;      // DEPRECATED
      *shared.get_pointer() = 1;      // DEPRECATED
      access[0] = access.get_count(); // DEPRECATED
      *access.template get_multi_ptr<sycl::access::decorated::no>() = 1;
    });
  });
}

sycl::default_selector old_default; // DEPRECATED
sycl::queue first{old_default};     // DEPRECATED
sycl::gpu_selector old_gpu;         // DEPRECATED
sycl::queue second{old_gpu};        // DEPRECATED
sycl::queue third{sycl::default_selector_v};
struct any_selector : sycl::device_selector { // DEPRECATED
  int operator()(const sycl::device &) const override { return 1; }
};
sycl::queue fourth = any_selector();                    // DEPRECATED
sycl::queue fifth(any_selector(), [](auto) {});         // DEPRECATED
sycl::queue sixth(first.get_context(), any_selector()); // DEPRECATED
sycl::device chosen{any_selector()};                    // DEPRECATED
sycl::platform platform_of_chosen{any_selector()};      // DEPRECATED
sycl::device unwarned = any_selector().select_device();
bool has_extension(sycl::device &device) {
  return device.has_extension("cl_khr_fp64"); // DEPRECATED
}
bool platform_has_extension(sycl::platform &platform) {
  return platform.has_extension("cl_khr_fp64"); // DEPRECATED
}
auto extensions = sycl::device().get_info<sycl::info::device::extensions>();      // DEPRECATED
auto of_platform = sycl::platform().get_info<sycl::info::platform::extensions>(); // DEPRECATED
auto profile = sycl::platform().get_info<sycl::info::platform::profile>();        // DEPRECATED
