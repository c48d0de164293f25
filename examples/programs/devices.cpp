// Looks at platforms and devices, and chooses one in each of the usual ways.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <string>
#include <vector>

static bool sensible(const sycl::device &device) {
  std::string name = device.get_info<sycl::info::device::name>();
  std::string vendor = device.get_info<sycl::info::device::vendor>();
  sycl::range<3> sizes = device.get_info<sycl::info::device::max_work_item_sizes<3>>();
  return !name.empty() && !vendor.empty() && sizes.size() > 0 &&
         device.get_info<sycl::info::device::max_compute_units>() > 0 &&
         device.get_info<sycl::info::device::max_work_group_size>() > 0 &&
         device.get_info<sycl::info::device::global_mem_size>() > 0 &&
         device.get_info<sycl::info::device::local_mem_size>() > 0 &&
         device.is_cpu() == device.has(sycl::aspect::cpu) &&
         device.is_gpu() == device.has(sycl::aspect::gpu);
}

int main() {
  bool right = !sycl::platform::get_platforms().empty();
  for (const sycl::platform &platform : sycl::platform::get_platforms()) {
    right = right && !platform.get_info<sycl::info::platform::name>().empty();
    for (const sycl::device &device : platform.get_devices())
      right = right && sensible(device) && device.get_platform() == platform;
  }

  std::vector<sycl::device> devices = sycl::device::get_devices();
  right = right && !devices.empty();

  sycl::queue by_default{sycl::default_selector_v};
  right = right && by_default.get_device() == sycl::device();

  // A selector of one's own: the device with most memory.
  sycl::queue by_memory([](const sycl::device &device) {
    auto bytes = device.get_info<sycl::info::device::global_mem_size>();
    return static_cast<int>(bytes >> 20);
  });
  right = right && sensible(by_memory.get_device());

  for (const sycl::device &device : devices) {
    if (device.is_cpu()) {
      sycl::queue on_cpu{sycl::cpu_selector_v};
      right = right && on_cpu.get_device().is_cpu();
      break;
    }
  }

  sycl::queue of_device{devices.front()};
  sycl::queue copy = of_device;
  right = right && copy == of_device && of_device.get_device() == devices.front();
  right = right && of_device.get_context().get_devices().front() == devices.front();

  std::printf("devices: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
