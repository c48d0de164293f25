// Queues, selectors and buffers in the spellings of SYCL 1.2.1 and of DPC++'s extensions.
#include <CL/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using namespace cl::sycl;

int errors = 0;
void expect(bool holds, int line) {
  if (!holds) {
    ++errors;
    std::printf("line %d\n", line);
  }
}
#define EXPECT(...) expect((__VA_ARGS__), __LINE__)

template <typename Function> bool fails(errc expected, const Function &function) {
  try {
    function();
  } catch (const cl::sycl::exception &e) {
    return e.code() == expected;
  }
  return false;
}

class any_device : public device_selector {
public:
  int operator()(const device &) const override { return 1; }
};

void selectors() {
  queue by_default{default_selector{}};
  queue on_cpu(
      cpu_selector{}, [](exception_list) {},
      property_list{property::queue::enable_profiling(), property::queue::in_order()});
  EXPECT(on_cpu.get_device().is_cpu() && on_cpu.is_in_order());
  queue own(any_device{});
  any_device chooses;
  const device_selector &base = chooses;
  EXPECT(queue(base).get_device() == base.select_device());
  queue hinted{property_list{ext::oneapi::property::queue::priority_high(),
                             ext::oneapi::property::queue::discard_events()}};
  EXPECT(hinted.has_property<ext::oneapi::property::queue::priority_high>());
}

void secondary_queue(queue &q) {
  int *out = malloc_shared<int>(1, q);
  queue second(q.get_context(), q.get_device());
  int calls = 0;
  q.submit(
       [&](handler &h) {
         if (++calls == 1)
           throw cl::sycl::exception(make_error_code(errc::memory_allocation));
         h.single_task([=] { *out = 5; });
       },
       second)
      .wait();
  EXPECT(calls == 2 && *out == 5);
  EXPECT(fails(errc::nd_range, [&] {
    q.submit([&](handler &h) { h.parallel_for(nd_range<1>(5, 2), [=](nd_item<1>) {}); }, second);
  }));
  second.wait_and_throw();
  EXPECT(second.ext_oneapi_empty() && second.khr_empty());
  free(out, q);
}

void wait_lists(queue &q) {
  event first = q.single_task([=] {}), second = q.single_task([=] {});
  event third = q.single_task({first, second}, [=] {});
  std::vector<event> list = third.get_wait_list();
  EXPECT(list.size() == 2 && list[0] == first && list[1] == second);
  EXPECT(first.get_wait_list().empty() && event().get_wait_list().empty());
  third.wait();
}

void not_empty(queue &q) {
  std::mutex gate;
  gate.lock();
  event task = q.submit([&](handler &h) { h.host_task([&] { std::lock_guard hold(gate); }); });
  EXPECT(!q.ext_oneapi_empty());
  gate.unlock();
  task.wait();
  q.wait();
  EXPECT(q.ext_oneapi_empty());
}

void two_dimensions(queue &q) {
  constexpr std::size_t pitch = 10, width = 6, height = 4;
  std::vector<int> host(pitch * height, -1), back(width * height, -1);
  for (std::size_t i = 0; i < host.size(); ++i)
    host[i] = static_cast<int>(i);
  int *memory = malloc_device<int>(pitch * height, q);
  event filled = q.ext_oneapi_fill2d(memory, pitch, 7, pitch, height);
  event copied = q.ext_oneapi_copy2d(host.data(), pitch, memory, pitch, width - 2, height, filled);
  event cleared = q.ext_oneapi_memset2d(memory + 5, pitch * sizeof(int), 0, sizeof(int), height,
                                        std::vector<event>{copied});
  q.submit([&](handler &h) {
     h.depends_on(cleared);
     h.ext_oneapi_memcpy2d(back.data(), width * sizeof(int), memory, pitch * sizeof(int),
                           width * sizeof(int), height);
   }).wait();
  for (std::size_t row = 0; row < height; ++row)
    for (std::size_t column = 0; column < width; ++column) {
      int expected = column < 4 ? static_cast<int>(row * pitch + column) : column == 4 ? 7 : 0;
      EXPECT(back[row * width + column] == expected);
    }
  EXPECT(fails(errc::invalid, [&] { q.ext_oneapi_fill2d(memory, 2, 1, 3, 1); }));
  q.ext_oneapi_memcpy2d(nullptr, 4, nullptr, 4, 0, 9).wait();
  free(memory, q);
}

void host_memory_in_place(queue &q) {
  std::vector<int> data(100, 1);
  bool in_place = q.get_device().has(aspect::usm_system_allocations);
  {
    buffer<int, 1> b(data.data(), range<1>(data.size()), {property::buffer::use_host_ptr()});
    std::uintptr_t *address = malloc_shared<std::uintptr_t>(1, q);
    q.submit([&](handler &h) {
       accessor a(b, h, read_write);
       h.parallel_for(range<1>(data.size()), [=](id<1> i) {
         a[i] += 2;
         if (i[0] == 0)
           *address = reinterpret_cast<std::uintptr_t>(&a[0]);
       });
     }).wait();
    EXPECT(!in_place || *address == reinterpret_cast<std::uintptr_t>(data.data()));
    EXPECT(!in_place || data[99] == 3);
    {
      host_accessor a(b);
      EXPECT(&a[0] == data.data() && a[50] == 3);
      a[50] = 10;
    }
    EXPECT(data[50] == 10);
    buffer<int, 1> part(b, id<1>(10), range<1>(5));
    q.submit([&](handler &h) {
      accessor a(part, h, write_only);
      h.parallel_for(range<1>(5), [=](id<1> i) { a[i] = 20; });
    });
    free(address, q);
  }
  EXPECT(data[9] == 3 && data[10] == 20 && data[14] == 20 && data[15] == 3 && data[50] == 10);
  const std::vector<int> constant(10, 4);
  {
    buffer<int, 1> b(constant.data(), range<1>(10), {property::buffer::use_host_ptr()});
    q.submit([&](handler &h) {
      accessor a(b, h, read_write);
      h.parallel_for(range<1>(10), [=](id<1> i) { a[i] += 2; });
    });
    EXPECT(host_accessor(b, read_only)[0] == 6);
  }
  EXPECT(constant[0] == 4);
}

void guarded_host_memory(queue &q) {
  std::mutex guard;
  std::vector<int> data(50, 1);
  std::thread other;
  {
    buffer<int, 1> b(data.data(), range<1>(data.size()), {property::buffer::use_mutex(guard)});
    EXPECT(b.get_property<property::buffer::use_mutex>().get_mutex_ptr() == &guard);
    std::lock_guard hold(guard);
    data[0] = 100; // memory of the program's while it has the mutex
    q.submit([&](handler &h) {
       accessor a(b, h, read_write);
       h.parallel_for(range<1>(data.size()), [=](id<1> i) { a[i] += 1; });
     }).wait();
    EXPECT(data[0] == 100 && data[1] == 1);
    other = std::thread([guard = &guard, data = data.data()] {
      std::lock_guard hold(*guard); // before or after the write-back, never during it
      EXPECT(data[0] == 100 || data[0] == 2);
    });
  }
  EXPECT(guard.try_lock());
  guard.unlock();
  other.join();
  EXPECT(data[0] == 2 && data[49] == 2);
}

int main() {
  queue q;
  selectors();
  secondary_queue(q);
  wait_lists(q);
  not_empty(q);
  two_dimensions(q);
  host_memory_in_place(q);
  guarded_host_memory(q);
  std::printf("submissions: %d errors\n", errors);
  return errors;
}
