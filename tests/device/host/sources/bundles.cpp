// Kernel bundles on a real device: made, built, asked and used; prints what is not as it should be.
#include <cstdio>
#include <string>
#include <sycl/sycl.hpp>
#include <unordered_set>

#define EXPECT(CONDITION)                                                                          \
  if (!(CONDITION))                                                                                \
  std::printf("line %d: not %s\n", __LINE__, #CONDITION)

class first;
class second;
class grouped;
class on_accelerators;

constexpr auto input = sycl::bundle_state::input;
constexpr auto object = sycl::bundle_state::object;
constexpr auto executable = sycl::bundle_state::executable;

// The number of what the function throws, and its text.
template <typename Function> std::string thrown(Function function) {
  try {
    function();
  } catch (const sycl::exception &e) {
    return std::to_string(e.code().value()) + " " + e.what();
  }
  return "nothing";
}

std::string names(const std::vector<sycl::kernel_id> &ids) {
  std::string text;
  for (const sycl::kernel_id &id : ids)
    text += std::string(text.empty() ? "" : " ") + id.get_name();
  return text;
}

struct starter {
  sycl::queue q;
  int *result;

  void start_first(const sycl::kernel_bundle<executable> &bundle) {
    q.submit([&](sycl::handler &h) {
       h.use_kernel_bundle(bundle);
       h.single_task<first>([result = result] { ++*result; });
     }).wait();
  }
  void start_second(const sycl::kernel_bundle<executable> &bundle) {
    q.submit([&](sycl::handler &h) {
       h.use_kernel_bundle(bundle);
       h.single_task<second>([result = result] { *result += 10; });
     }).wait();
  }
};

int main() {
  sycl::queue q;
  sycl::context context = q.get_context();
  sycl::device device = q.get_device();
  starter s{q, sycl::malloc_shared<int>(1, q)};
  *s.result = 0;
  sycl::nd_range<2> in_groups({2, 32}, {2, 32});
  q.parallel_for<grouped>(in_groups, [](sycl::nd_item<2>) [[sycl::reqd_work_group_size(2, 32)]] {});
  auto start_refused = [&] {
    q.single_task<on_accelerators>([]() [[sycl::device_has(sycl::aspect::accelerator)]] {});
  };

  std::vector<sycl::kernel_id> ids = sycl::get_kernel_ids();
  std::unordered_set<sycl::kernel_id> different(ids.begin(), ids.end());
  EXPECT(ids.size() == 4 && different.size() == 4);
  EXPECT(different.count(sycl::get_kernel_id<grouped>()) == 1);
  std::printf("%s\n", names({sycl::get_kernel_id<second>()}).c_str());

  // By every way from input to what runs.
  auto in = sycl::get_kernel_bundle<input>(context);
  auto compiled = sycl::compile(in);
  s.start_first(sycl::get_kernel_bundle<executable>(context));
  s.start_first(sycl::get_kernel_bundle<executable>(context, {device}));
  s.start_first(sycl::get_kernel_bundle<first, executable>(context));
  s.start_first(sycl::build(in));
  s.start_first(sycl::link(compiled));
  s.start_first(sycl::link({compiled, sycl::get_kernel_bundle<object>(context)}, {device}));
  auto only_first = sycl::get_kernel_bundle<executable>(context, {sycl::get_kernel_id<first>()});
  auto only_second = sycl::get_kernel_bundle<executable>(context, {sycl::get_kernel_id<second>()});
  auto joined = sycl::join(std::vector{only_first, only_second});
  s.start_first(joined);
  s.start_second(joined);
  EXPECT(*s.result == 17);
  EXPECT(names(joined.get_kernel_ids()) == "first second");

  std::printf("%s\n", thrown([&] { s.start_second(only_first); }).c_str());
  sycl::context other(device);
  std::printf("%s\n",
              thrown([&] { s.start_first(sycl::get_kernel_bundle<executable>(other)); }).c_str());
  EXPECT(*s.result == 17);

  sycl::kernel kernel = sycl::get_kernel_bundle<executable>(context).get_kernel<grouped>();
  namespace info = sycl::info::kernel_device_specific;
  EXPECT(kernel.get_info<info::compile_work_group_size>(device) == sycl::range<3>(1, 2, 32));
  EXPECT(kernel.get_info<info::work_group_size>(device) == 64);
  kernel = only_first.get_kernel<first>();
  EXPECT(kernel.get_info<info::compile_work_group_size>(device) == sycl::range<3>(0, 0, 0));
  EXPECT(kernel.get_info<info::work_group_size>(device) ==
         device.get_info<sycl::info::device::max_work_group_size>());
  EXPECT(kernel.get_backend() == sycl::backend::opencl);

  // What no device can run: errc::invalid here, errc::kernel_not_supported there, the same text.
  std::string refused = thrown(start_refused);
  EXPECT(refused.substr(0, 3) == "13 ");
  EXPECT(thrown([&] { sycl::get_kernel_bundle<on_accelerators, executable>(context); }) ==
         "8 " + refused.substr(3));
  EXPECT(!in.has_kernel<on_accelerators>() && in.get_kernel_ids().size() == 3);
}
