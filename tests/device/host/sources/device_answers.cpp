// What devices answer, a line for each question; then whom selectors choose.
#include <cstdio>
#include <string>
#include <sycl/sycl.hpp>

template <typename Query> void print(const sycl::device &d, const char *name) {
  auto answer = d.get_info<Query>();
  if constexpr (std::is_same_v<decltype(answer), std::string>)
    std::printf("%s %s\n", name, answer.c_str());
  else
    std::printf("%s %llu\n", name, static_cast<unsigned long long>(answer));
}

template <typename T> void print_list(const char *name, const T &list, std::size_t count) {
  std::printf("%s", name);
  for (std::size_t i = 0; i < count; ++i)
    std::printf(" %zu", static_cast<std::size_t>(list[i]));
  std::puts("");
}

template <typename Selector> void choose(const char *name, const Selector &selector) {
  try {
    std::printf("%s\t%s\n", name,
                sycl::device(selector).get_info<sycl::info::device::name>().c_str());
  } catch (const sycl::exception &e) {
    std::printf("%s\tthrows %d %s\n", name, e.code().value(), e.what());
  }
}

int main() {
  namespace info = sycl::info::device;
  for (const sycl::device &d : sycl::device::get_devices()) {
#define PRINT(QUERY) print<info::QUERY>(d, #QUERY)
    PRINT(name);
    PRINT(vendor);
    PRINT(driver_version);
    PRINT(version);
    PRINT(device_type);
    PRINT(vendor_id);
    PRINT(max_compute_units);
    PRINT(max_clock_frequency);
    PRINT(address_bits);
    PRINT(max_work_group_size);
    PRINT(max_num_sub_groups);
    PRINT(local_mem_size);
    PRINT(global_mem_size);
    PRINT(max_mem_alloc_size);
    auto sizes = d.get_info<info::sub_group_sizes>();
    print_list("sub_group_sizes", sizes, sizes.size());
    print_list("max_work_item_sizes", d.get_info<info::max_work_item_sizes<3>>(), 3);
    auto aspects = d.get_info<info::aspects>();
    print_list("aspects", aspects, aspects.size());
    std::printf("has");
    for (int number = 0; number < 128; ++number)
      if (d.has(static_cast<sycl::aspect>(number)))
        std::printf(" %d", number);
    std::puts("");
    std::string words;
    for (const std::string &extension : d.get_info<info::extensions>())
      words += " " + extension;
    std::printf("extensions%s\n", words.c_str());
    std::printf("backend %d\n", static_cast<int>(d.get_backend()));
    namespace experimental = sycl::ext::oneapi::experimental;
    std::printf("architecture %d\n",
                static_cast<int>(d.get_info<experimental::info::device::architecture>()));
    std::printf("architecture_is");
    for (int number = -1; number < 128; ++number)
      if (d.ext_oneapi_architecture_is(static_cast<experimental::architecture>(number)))
        std::printf(" %d", number);
    std::puts("");
    std::printf("is %d %d %d\n", d.is_cpu(), d.is_gpu(), d.is_accelerator());
  }
  std::puts("selectors");
  using sycl::aspect;
  choose("default", sycl::default_selector_v);
  choose("cpu", sycl::cpu_selector_v);
  choose("gpu", sycl::gpu_selector_v);
  choose("accelerator", sycl::accelerator_selector_v);
  choose("fp64", sycl::aspect_selector(aspect::fp64));
  choose("fp16 and not fp64", sycl::aspect_selector({aspect::fp16}, {aspect::fp64}));
  choose("atomic64 and emulated", sycl::aspect_selector<aspect::atomic64, aspect::emulated>());
  choose("anyone", [](const sycl::device &) { return 0; });
  choose("nobody", [](const sycl::device &) { return -1; });
}
