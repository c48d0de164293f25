// Uses a library. Its kernel has a constant in code that only some devices run.
#include "constants.hpp"

using namespace sycl::ext::oneapi::experimental;

static constexpr sycl::specialization_id<int> own{300};

extern "C" int number_of_library(int set_to);

static int number_of_program(int set_to) {
  sycl::queue &queue = the_queue();
  int *result = sycl::malloc_shared<int>(1, queue);
  *result = 0;
  queue
      .submit([&](sycl::handler &group) {
        if (set_to)
          group.set_specialization_constant<own>(set_to);
        group.single_task([=](sycl::kernel_handler handler) {
          if_device_has<sycl::aspect::cpu>([=] {
            *result += handler.get_specialization_constant<own>();
          }).otherwise([=] { *result -= handler.get_specialization_constant<shared::number>(); });
          if_device_has<sycl::aspect::gpu>([=] { *result += 7; });
        });
      })
      .wait();
  int value = *result;
  sycl::free(result, queue);
  return value;
}

int main() {
  const bool is_cpu = the_queue().get_device().has(sycl::aspect::cpu);
  const int initial = number_of_program(0), set = number_of_program(5);
  if (is_cpu)
    CHECK(initial == 300 && set == 5);
  else
    CHECK(initial == 2 && set == 2);
  CHECK(number_of_library(0) == 200005 && number_of_library(40) == 40041);
  CHECK(number_of_library(0) == 200005);
  std::printf("done\n");
}
