// A buffer that uses the program's memory in place: with the property use_host_ptr, a host_accessor
// has the addresses of that memory, and so do kernels on devices that reach it.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t width = 64, height = 48, n = width * height;

  std::vector<int> picture(n);
  for (std::size_t i = 0; i < n; ++i)
    picture[i] = static_cast<int>(i % 256);
  const std::vector<int> original = picture;

  sycl::queue queue;
  const bool reaches_host = queue.get_device().has(sycl::aspect::usm_system_allocations);
  bool same_address = false, same_in_kernel = false;
  std::vector<std::uintptr_t> seen(1);
  {
    sycl::buffer<int, 2> buffer(picture.data(), sycl::range<2>(height, width),
                                {sycl::property::buffer::use_host_ptr()});
    sycl::buffer<std::uintptr_t> seen_buffer(seen);

    // The kernel inverts the picture, and notes where it lies.
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor pixel(buffer, handler, sycl::read_write);
      sycl::accessor address(seen_buffer, handler, sycl::write_only);
      handler.parallel_for(buffer.get_range(), [=](sycl::id<2> at) {
        pixel[at] = 255 - pixel[at];
        if (at[0] == 0 && at[1] == 0)
          address[0] = reinterpret_cast<std::uintptr_t>(&pixel[at]);
      });
    });

    // The host sees the result in its own memory, and changes one line there.
    sycl::host_accessor pixel(buffer, sycl::read_write);
    same_address = &pixel[0][0] == picture.data();
    for (std::size_t x = 0; x < width; ++x)
      pixel[1][x] = -1;
  }
  same_in_kernel = seen[0] == reinterpret_cast<std::uintptr_t>(picture.data());

  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    wrong += picture[i] != (i / width == 1 ? -1 : 255 - original[i]);
  const bool right = wrong == 0 && same_address && (same_in_kernel || !reaches_host);
  std::printf("host memory in place: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
