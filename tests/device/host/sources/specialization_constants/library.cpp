// A library: its constants are its own, and a value is set where its kernel is started.
#include "constants.hpp"

static constexpr sycl::specialization_id<int> own{200};

extern "C" int number_of_library(int set_to) {
  sycl::queue &queue = the_queue();
  int *result = sycl::malloc_shared<int>(1, queue);
  queue
      .submit([&](sycl::handler &group) {
        if (set_to) {
          group.set_specialization_constant<own>(set_to);
          group.set_specialization_constant<shared::number>(set_to + 1);
        }
        group.single_task([=](sycl::kernel_handler handler) {
          *result = handler.get_specialization_constant<own>() * 1000 +
                    handler.get_specialization_constant<shared::number>();
        });
      })
      .wait();
  int value = *result;
  sycl::free(result, queue);
  return value;
}
