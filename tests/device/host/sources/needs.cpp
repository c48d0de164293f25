// Kernels with different needs, each started once: a line for each says what came of it. All ways
// to ask beforehand have to give the same answer.
#include <cstdio>
#include <string>
#include <sycl/sycl.hpp>

class plain;
class uses_fp64;
class uses_fp16;
class uses_atomic64;
class sub_groups_of_8;
class sub_groups_of_16;
class sub_groups_of_32;
class work_groups_of_2_by_32;
class work_groups_of_a_million;
class says_gpu;
class says_cpu;

void inner(float *data) {
  double wide = data[0];
  data[0] = static_cast<float>(wide * 1.5);
}
void outer(float *data) { inner(data); }

constexpr auto executable = sycl::bundle_state::executable;

struct program {
  sycl::queue q;
  int *result = sycl::malloc_shared<int>(1, q);

  // Whether nothing that can be asked of the kernel disagrees with what became of it.
  template <typename Name> bool agrees(bool ran) {
    sycl::context context = q.get_context();
    sycl::device device = q.get_device();
    sycl::kernel_id id = sycl::get_kernel_id<Name>();
    sycl::kernel_bundle all = sycl::get_kernel_bundle<sycl::bundle_state::input>(context);
    return sycl::is_compatible<Name>(device) == ran && sycl::is_compatible({id}, device) == ran &&
           sycl::has_kernel_bundle<Name, executable>(context) == ran &&
           sycl::has_kernel_bundle<executable>(context, {id}) == ran &&
           all.has_kernel<Name>() == ran && all.has_kernel(id, device) == ran;
  }

  // What can be had of the kernel alone, if anything.
  template <typename Name> bool builds() {
    try {
      return sycl::get_kernel_bundle<Name, executable>(q.get_context()).template has_kernel<Name>();
    } catch (const sycl::exception &e) {
      return false;
    }
  }

  template <typename Name, typename Start> void attempt(const char *label, Start start) {
    *result = 0;
    std::string text;
    try {
      start();
      q.wait();
    } catch (const sycl::exception &e) {
      text = std::to_string(e.code().value()) + " " + e.what();
    }
    bool ran = *result == 42;
    const char *doubt = agrees<Name>(ran) && builds<Name>() == ran ? "" : " (and something else)";
    std::printf("%s: %s%s%s\n", label, ran ? "ran" : "", text.c_str(), doubt);
  }
};

int main() {
  program p;
  sycl::queue q = p.q;
  int *result = p.result;
  float *data = sycl::malloc_shared<float>(1, q);
  auto *counter = sycl::malloc_shared<long long>(1, q);

  p.attempt<plain>("plain", [&] { q.single_task<plain>([=] { *result = 42; }); });
  p.attempt<uses_fp64>("fp64", [&] {
    *data = 28;
    q.single_task<uses_fp64>([=] {
      outer(data);
      *result = static_cast<int>(*data);
    });
  });
  p.attempt<uses_fp16>("fp16", [&] {
    *data = 21;
    q.single_task<uses_fp16>([=] {
      sycl::half small = *data;
      *result = static_cast<int>(static_cast<float>(small + small));
    });
  });
  p.attempt<uses_atomic64>("atomic64", [&] {
    *counter = 40;
    q.single_task<uses_atomic64>([=] {
      sycl::atomic_ref<long long, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(
          *counter);
      sum += 2;
      *result = static_cast<int>(sum.load());
    });
  });
  sycl::nd_range<1> one_group(32, 32);
  p.attempt<sub_groups_of_8>("sub_group_8", [&] {
    q.parallel_for<sub_groups_of_8>(one_group,
                                    [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(8)]] {
                                      if (item.get_sub_group().get_max_local_range()[0] == 8)
                                        *result = 42;
                                    });
  });
  p.attempt<sub_groups_of_16>("sub_group_16", [&] {
    q.parallel_for<sub_groups_of_16>(one_group,
                                     [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
                                       if (item.get_sub_group().get_max_local_range()[0] == 16)
                                         *result = 42;
                                     });
  });
  p.attempt<sub_groups_of_32>("sub_group_32", [&] {
    q.parallel_for<sub_groups_of_32>(one_group,
                                     [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(32)]] {
                                       if (item.get_sub_group().get_max_local_range()[0] == 32)
                                         *result = 42;
                                     });
  });
  p.attempt<work_groups_of_2_by_32>("work_group_2x32", [&] {
    // The runtime makes the work-groups that the kernel requires.
    q.parallel_for<work_groups_of_2_by_32>(
        sycl::range<2>(4, 64),
        [=](sycl::item<2>) [[sycl::reqd_work_group_size(2, 32)]] { *result = 42; });
  });
  p.attempt<work_groups_of_a_million>("work_group_1000000", [&] {
    q.parallel_for<work_groups_of_a_million>(
        sycl::range<1>(1000000),
        [=](sycl::item<1>) [[sycl::reqd_work_group_size(1000000)]] { *result = 42; });
  });
  p.attempt<says_gpu>("says_gpu", [&] {
    q.single_task<says_gpu>([=]() [[sycl::device_has(sycl::aspect::gpu)]] { *result = 42; });
  });
  p.attempt<says_cpu>("says_cpu", [&] {
    q.single_task<says_cpu>([=]() [[sycl::device_has(sycl::aspect::cpu)]] { *result = 42; });
  });
  p.attempt<plain>("plain again", [&] {
    // Caught where the kernel was named, and another one started in its place.
    q.submit([&](sycl::handler &h) {
      try {
        h.single_task<class says_accelerator>(
            [=]() [[sycl::device_has(sycl::aspect::accelerator)]] { *result = 1; });
      } catch (const sycl::exception &e) {
        h.single_task<class in_its_place>([=] { *result = 42; });
      }
    });
  });
}
