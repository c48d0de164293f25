// How the output of many work-items, of several streams and of the host is ordered.
#include <sycl/sycl.hpp>

#include <iostream>
#include <string>

constexpr int many = 3000;

// Each output of a work-item is in several parts, some of which other work-items write too.
void units(sycl::queue &queue) {
  queue
      .submit([&](sycl::handler &handler) {
        sycl::stream out(many * 64, 64, handler), second(many * 64, 64, handler);
        handler.parallel_for(sycl::nd_range<1>(many, 100), [=](sycl::nd_item<1> item) {
          int i = static_cast<int>(item.get_global_id(0));
          out << "first " << i << " of " << many << sycl::endl;
          out << "upper " << i;
          if (i % 2)
            out << " odd";
          sycl::group_barrier(item.get_group());
          out << "\nlower " << i << '\n' << sycl::flush;
          second << "last " << i;
          second << " of " << sycl::hex << i << "\n";
        });
      })
      .wait();
}

// Each number is set by the work-item before; between are prints.
void phases(sycl::queue &queue) {
  queue
      .submit([&](sycl::handler &handler) {
        sycl::stream out(1024, 64, handler);
        handler.parallel_for(sycl::nd_range<1>(2, 2), [=](sycl::nd_item<1> item) {
          for (int phase = 0; phase < 4; ++phase) {
            if (static_cast<int>(item.get_local_id(0)) == phase % 2)
              out << "phase " << phase << sycl::endl;
            sycl::group_barrier(item.get_group());
          }
        });
      })
      .wait();
}

// The host's output before and after; the commands of an in-order queue, and dependent ones.
void commands(const char *label, sycl::queue queue) {
  std::cout << label << " begins\n";
  sycl::event last;
  for (int i = 0; i < 5; ++i)
    last = queue.submit([&](sycl::handler &handler) {
      sycl::stream out(100, 100, handler);
      handler.depends_on(last);
      handler.single_task([=] { out << label[0] << ' ' << i << '\n'; });
    });
  last.wait();
  std::cout << label << " ends" << std::endl;
}

// What uses a buffer that the kernel writes waits for the output too.
void with_a_buffer(sycl::queue &queue) {
  int value = 0;
  {
    sycl::buffer<int> buffer(&value, 1);
    for (int i = 0; i < 3; ++i)
      queue.submit([&](sycl::handler &handler) {
        sycl::accessor number(buffer, handler);
        sycl::stream out(100, 100, handler);
        handler.single_task([=] { out << "buffer " << number[0]++ << sycl::endl; });
      });
  }
  std::cout << "buffer is " << value << std::endl;
}

void too_much(sycl::queue &queue) {
  queue
      .submit([&](sycl::handler &handler) {
        sycl::stream out(50, 10, handler), none(0, 0, handler);
        handler.parallel_for(100000, [=](sycl::id<1> i) {
          out << "overflow " << (i[0] < 10 ? "of few" : "of many") << sycl::endl;
          none << 1.5f << sycl::endl;
        });
      })
      .wait();
}

int main() {
  sycl::queue queue;
  units(queue);
  phases(queue);
  commands("out of order", queue);
  commands("in order", sycl::queue(sycl::property::queue::in_order()));

  with_a_buffer(queue);

  sycl::queue timed{sycl::property::queue::enable_profiling()};
  sycl::event event = timed.submit([&](sycl::handler &handler) {
    sycl::stream out(100, 100, handler);
    handler.single_task([=] { out << "timed" << sycl::endl; });
  });
  event.wait();
  namespace ask = sycl::info::event_profiling;
  if (event.get_profiling_info<ask::command_start>() > event.get_profiling_info<ask::command_end>())
    return 1;

  // Without a kernel there is no output, and nothing waits for the last kernel's.
  queue.submit([](sycl::handler &handler) { sycl::stream(100, 100, handler); });
  too_much(queue);
  std::cout << std::endl;
  queue.submit([&](sycl::handler &handler) {
    sycl::stream out(100, 100, handler);
    handler.single_task([=] { out << "never waited for\n"; });
  });
}
