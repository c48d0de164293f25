// A program that uses queues in most ways; prints what went wrong, then the device's kind.
#include <iostream>
#include <sycl/sycl.hpp>
#include <vector>

static int errors = 0;

static void check(bool is_right, const char *what) {
  if (is_right)
    return;
  std::cout << "wrong: " << what << "\n";
  errors++;
}

static void use_buffers(sycl::queue &queue) {
  std::vector<int> values(1000, 1);
  {
    sycl::buffer<int> buffer(values.data(), sycl::range<1>(values.size()));
    queue.submit([&](sycl::handler &h) {
      sycl::accessor all(buffer, h, sycl::read_write);
      h.parallel_for(sycl::range<1>(1000), [=](sycl::id<1> i) { all[i] += i[0]; });
    });
    queue.submit([&](sycl::handler &h) {
      sycl::accessor all(buffer, h, sycl::read_write_host_task);
      h.host_task([=] {
        for (size_t i = 0; i < 1000; i++)
          all[i] *= 2;
      });
    });
    queue.submit([&](sycl::handler &h) {
      sycl::accessor all(buffer, h, sycl::read_write);
      h.parallel_for(sycl::range<1>(1000), [=](sycl::id<1> i) { all[i] -= 1; });
    });
    check(sycl::host_accessor(buffer, sycl::read_only)[10] == 21, "a host accessor");
  }
  for (int i = 0; i < 1000; i++)
    check(values[i] == 2 * (i + 1) - 1, "a buffer");
}

static void use_local_memory(sycl::queue &queue) {
  constexpr size_t group = 64;
  // Beyond the 48 KiB that CUDA allows by itself.
  constexpr size_t room = 15000;
  int *sums = sycl::malloc_shared<int>(4, queue);
  queue.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> part(group, h), large(room, h);
    h.parallel_for(sycl::nd_range<1>(4 * group, group), [=](sycl::nd_item<1> item) {
      auto i = item.get_local_id(0);
      part[i] = item.get_global_id(0);
      large[room - 1 - i] = 1;
      sycl::group_barrier(item.get_group());
      if (i)
        return;
      int sum = 0;
      for (size_t j = 0; j < group; j++)
        sum += part[j] + large[room - 1 - j];
      sums[item.get_group(0)] = sum;
    });
  });
  queue.wait();
  for (int number = 0; number < 4; number++)
    check(sums[number] == 2080 + 4096 * number, "local memory");
  sycl::free(sums, queue);
}

static void use_copies(sycl::queue &queue) {
  std::vector<double> source(500, 2.5), target(500);
  double *device = sycl::malloc_device<double>(500, queue);
  double *host = sycl::malloc_host<double>(500, queue);
  auto filled = queue.fill(device, 1.5, 500);
  auto first = queue.submit([&](sycl::handler &h) {
    h.depends_on(filled);
    h.memcpy(host, device, 250 * sizeof(double));
  });
  auto second = queue.memcpy(device, source.data(), 250 * sizeof(double), filled);
  auto third = queue.memset(host + 400, 0, 100 * sizeof(double));
  queue.memcpy(target.data(), device, 500 * sizeof(double), {first, second, third}).wait();
  check(target[0] == 2.5 && target[499] == 1.5, "a copy from the device");
  check(host[0] == 1.5 || host[0] == 2.5, "a copy to host memory");
  check(host[400] == 0, "a memset");
  sycl::free(device, queue);
  sycl::free(host, queue);
}

static void use_times(const sycl::device &device) {
  sycl::queue queue(device, sycl::property::queue::enable_profiling());
  auto event = queue.single_task([] {});
  event.wait();
  namespace times = sycl::info::event_profiling;
  auto submitted = event.get_profiling_info<times::command_submit>();
  auto started = event.get_profiling_info<times::command_start>();
  auto ended = event.get_profiling_info<times::command_end>();
  check(submitted <= started && started <= ended, "times");
}

static void use_two_queues(const sycl::device &device) {
  sycl::queue one(device, sycl::property::queue::in_order()), other(device);
  int *value = sycl::malloc_shared<int>(1, one);
  *value = 1;
  for (int round = 0; round < 5; round++) {
    auto added = one.single_task([=] { *value += 1; });
    auto doubled = other.submit([&](sycl::handler &h) {
      h.depends_on(added);
      h.single_task([=] { *value *= 2; });
    });
    one.ext_oneapi_submit_barrier({doubled});
  }
  one.wait();
  check(*value == 94, "two queues");
  sycl::free(value, one);
}

constexpr sycl::specialization_id<int> step{1};

static void use_specialization_constants(sycl::queue &queue) {
  int *value = sycl::malloc_shared<int>(1, queue);
  *value = 0;
  for (int number : {0, 5, 0, 20})
    queue
        .submit([&](sycl::handler &h) {
          if (number)
            h.set_specialization_constant<step>(number);
          h.single_task([=](sycl::kernel_handler handler) {
            *value += handler.get_specialization_constant<step>();
          });
        })
        .wait();
  check(*value == 27, "specialization constants");
  sycl::free(value, queue);
}

int main() {
  sycl::queue queue, in_order{sycl::property::queue::in_order()};
  for (auto *each : {&queue, &in_order}) {
    use_buffers(*each);
    use_local_memory(*each);
    use_copies(*each);
    use_specialization_constants(*each);
  }
  use_times(queue.get_device());
  use_two_queues(queue.get_device());
  bool is_cuda = queue.get_backend() == sycl::backend::ext_oneapi_cuda;
  std::cout << errors << " errors on " << (is_cuda ? "CUDA" : "another back-end") << "\n";
  return errors != 0;
}
