#include "constants.hpp"

// Another variable than the one in main.cpp.
static constexpr sycl::specialization_id<int> own{100};

int number_plus(sycl::kernel_handler handler, int addend) {
  return handler.get_specialization_constant<shared::number>() + addend +
         handler.get_specialization_constant<own>();
}

int number_of_other(int set_to) {
  sycl::queue &queue = the_queue();
  int *result = sycl::malloc_shared<int>(1, queue);
  queue
      .submit([&](sycl::handler &group) {
        if (set_to)
          group.set_specialization_constant<own>(set_to);
        group.single_task([=](sycl::kernel_handler handler) {
          *result = handler.get_specialization_constant<own>() +
                    handler.get_specialization_constant<shared::number>();
        });
      })
      .wait();
  int value = *result;
  sycl::free(result, queue);
  return value;
}
