// Host tasks, host accessors, copies of accessors, errors that come later, threads: each check is
// run by its name, and says nothing if all is well.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <sycl/sycl.hpp>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition))                                                                              \
      throw std::logic_error("line " + std::to_string(__LINE__) + ": " #condition);                \
  } while (false)

// A host task that does not end before it may.
struct gate {
  mutable std::atomic<bool> is_reached = false;
  std::promise<void> opener;
  std::shared_future<void> opened = opener.get_future().share();
  void open() { opener.set_value(); }
  void wait() const {
    is_reached = true;
    if (opened.wait_for(240s) != std::future_status::ready)
      throw std::logic_error("nobody opened the gate");
  }
};

// Whether it comes true, however slow the machine is.
template <typename Condition> bool eventually(Condition condition) {
  auto give_up = std::chrono::steady_clock::now() + 240s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > give_up)
      return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

bool is_done(const sycl::event &e) {
  return e.get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::complete;
}

sycl::event wait_on_host(sycl::queue q, const gate &g) {
  return q.submit([&](sycl::handler &h) { h.host_task([&g] { g.wait(); }); });
}

sycl::event add(sycl::queue q, sycl::buffer<int> b, int value) {
  return q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h, sycl::read_write);
    h.parallel_for(b.get_range(), [=](sycl::id<1> i) { a[i] += value; });
  });
}

template <typename Function> int code_of(Function function) {
  try {
    function();
  } catch (const sycl::exception &e) {
    return e.code().value();
  }
  return 0;
}

void between_kernels() {
  sycl::queue q;
  std::vector<int> values(100, 1);
  gate g;
  std::thread opener;
  {
    sycl::buffer<int> b(values);
    add(q, b, 1);
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h, sycl::read_write_host_task);
      h.host_task([=, &g] {
        g.wait();
        for (int &value : a)
          value *= 10;
      });
    });
    sycl::event last = add(q, b, 3);
    EXPECT(!is_done(last));
    opener = std::thread([&] {
      std::this_thread::sleep_for(50ms);
      g.open();
    });
  } // the destructor waits
  EXPECT(values == std::vector<int>(100, 23));
  opener.join();
}

void kinds_of_accessors() {
  sycl::queue q;
  int seen = 0;
  sycl::buffer<int, 2> b(sycl::range<2>(4, 5));
  using placeholder = sycl::accessor<int, 2, sycl::access_mode::read, sycl::target::host_task>;
  placeholder later(b);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h, sycl::write_only_host_task, sycl::no_init);
    h.host_task([=] {
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
          a[i][j] = i * 10 + j;
    });
  });
  q.submit([&](sycl::handler &h) {
    sycl::accessor part(b, h, sycl::range<2>(2, 2), sycl::id<2>(2, 3), sycl::read_only_host_task);
    h.require(later);
    sycl::accessor<const int, 2, sycl::access_mode::read, sycl::target::host_task> same = part;
    EXPECT(same.get_range() == part.get_range() && !part.is_placeholder());
    h.host_task([=, &seen] {
      seen = same[1][1] + later[sycl::id<2>(1, 1)] +
             later.get_multi_ptr<sycl::access::decorated::no>()[19] +
             std::accumulate(part.begin(), part.end(), 0);
    });
  });
  q.wait();
  EXPECT(seen == 34 + 11 + 34 + (23 + 24 + 33 + 34));
}

void interoperability() {
  sycl::queue q;
  bool same = false;
  q.submit([&](sycl::handler &h) {
     h.host_task([&](sycl::interop_handle i) { same = i.get_backend() == q.get_backend(); });
   }).wait();
  EXPECT(same);
}

void functions_that_only_move() {
  sycl::queue q;
  int seen = 0;
  q.submit([&](sycl::handler &h) {
     h.host_task([owned = std::make_unique<int>(5), &seen]() mutable { seen = ++*owned; });
   }).wait();
  EXPECT(seen == 6);
}

void events() {
  sycl::queue q, other(sycl::device::get_devices().back());
  gate g;
  std::atomic<int> order = 0, second = 0;
  sycl::event task = wait_on_host(q, g);
  int *p = sycl::malloc_shared<int>(1, q);
  *p = 0;
  sycl::event kernel = other.single_task(task, [=] { *p = 7; });
  sycl::event last = q.submit([&](sycl::handler &h) {
    h.depends_on({kernel, task});
    h.host_task([&, p] { second = *p + ++order; });
  });
  EXPECT(!is_done(task) && !is_done(kernel) && !is_done(last));
  g.open();
  last.wait();
  EXPECT(second == 8 && is_done(kernel) && is_done(task));
  sycl::free(p, q);
}

void in_order() {
  sycl::queue q(sycl::property::queue::in_order{});
  int *p = sycl::malloc_shared<int>(1, q);
  *p = 1;
  for (int turn = 0; turn < 50; ++turn) {
    q.single_task([=] { *p += 1; });
    q.submit([&](sycl::handler &h) { h.host_task([=] { *p = *p * 2 % 1000; }); });
    q.submit([&](sycl::handler &h) { h.host_task([=] { *p += 3; }); });
  }
  q.wait();
  int expected = 1;
  for (int turn = 0; turn < 50; ++turn)
    expected = (expected + 1) * 2 % 1000 + 3;
  EXPECT(*p == expected);
  sycl::free(p, q);
}

void later_work_of_the_same_queue() {
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(1, q);
  *p = 0;
  std::promise<sycl::event> later;
  int found = 0;
  sycl::event task = q.submit([&](sycl::handler &h) {
    h.host_task([&, p] {
      later.get_future().get().wait();
      found = *p;
    });
  });
  // This one waits for the task, the next one must not wait with it.
  q.submit([&](sycl::handler &h) {
    h.depends_on(task);
    h.single_task([=] { *p += 100; });
  });
  later.set_value(q.single_task([=] { *p = 5; }));
  q.wait();
  EXPECT(found == 5 && *p == 105);
  sycl::free(p, q);
}

void work_from_within() {
  sycl::queue q;
  std::vector<int> values(10, 0);
  {
    sycl::buffer<int> b(values);
    q.submit([&](sycl::handler &h) {
      h.host_task([=]() mutable {
        add(q, b, 1);
        add(q, b, 1).wait();
        q.submit([&](sycl::handler &h) {
          sycl::accessor a(b, h, sycl::read_write_host_task);
          h.host_task([=] { a[0] = 10; });
        });
        q.wait(); // for all others
      });
    });
    q.wait();
  }
  values[0] -= 8;
  EXPECT(values == std::vector<int>(10, 2));
}

void buffers_that_tasks_hold() {
  sycl::queue q;
  std::vector<int> values(16, 1);
  gate g;
  auto b = std::make_unique<sycl::buffer<int>>(values);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(*b, h, sycl::read_write_host_task);
    h.host_task([=, &g, held = *b] {
      g.wait();
      a[0] += static_cast<int>(held.size());
    });
  });
  add(q, *b, 1);
  b.reset(); // the task has the last one, and its end waits for what is behind the task
  g.open();
  q.wait();
  EXPECT(eventually([&] { return static_cast<volatile int &>(values[0]) == 18; }));
  EXPECT(values[1] == 2);
}

void many_tasks() {
  sycl::queue q, ordered(sycl::property::queue::in_order{});
  std::atomic<int> count = 0;
  gate g;
  sycl::event first = wait_on_host(q, g);
  for (int i = 0; i < 500; ++i)
    for (sycl::queue *each : {&q, &ordered})
      each->submit([&](sycl::handler &h) {
        h.depends_on(first);
        h.host_task([&] { ++count; });
      });
  EXPECT(count == 0);
  g.open();
  q.wait();
  ordered.wait();
  EXPECT(count == 1000);
}

void barriers() {
  sycl::queue q;
  gate g;
  std::atomic<bool> ran = false;
  sycl::event task = wait_on_host(q, g);
  sycl::event barrier = q.ext_oneapi_submit_barrier();
  sycl::event later = q.submit([&](sycl::handler &h) { h.host_task([&] { ran = true; }); });
  EXPECT(!is_done(barrier) && !ran);
  g.open();
  later.wait();
  EXPECT(is_done(task) && is_done(barrier) && ran);
  gate other;
  task = wait_on_host(q, other);
  int *p = sycl::malloc_shared<int>(1, q);
  sycl::event behind = q.prefetch(p, sizeof(int), task);
  q.single_task([=] { *p = 1; }).wait(); // a prefetch is no barrier
  EXPECT(!is_done(behind));
  barrier = q.ext_oneapi_submit_barrier({task});
  sycl::event last = q.single_task([=] { *p = 2; });
  EXPECT(!is_done(barrier) && !is_done(last) && *p == 1);
  other.open();
  last.wait();
  EXPECT(is_done(behind) && is_done(barrier) && *p == 2);
  sycl::free(p, q);
}

void host_accessors() {
  sycl::queue q;
  std::vector<int> values(64, 1), more(64, 1);
  sycl::buffer<int> b(values), other(more);
  sycl::event writes, reads;
  {
    sycl::host_accessor content(b, sycl::read_only);
    reads = q.submit([&](sycl::handler &h) {
      sycl::accessor from(b, h, sycl::read_only);
      sycl::accessor to(other, h, sycl::write_only);
      h.parallel_for(64, [=](sycl::id<1> i) { to[i] = from[i] + 1; });
    });
    writes = add(q, b, 5);
    add(q, other, 1); // not held back by the one before
    EXPECT(sycl::host_accessor(other)[63] == 3);
    EXPECT(is_done(reads) && !is_done(writes) && content[0] == 1);
  }
  writes.wait();
  {
    sycl::host_accessor content(b);
    EXPECT(content[0] == 6);
    writes = add(q, b, 1);
    for (int &value : content)
      value *= 2;
  }
  EXPECT(sycl::host_accessor(b)[5] == 13);
}

void accessors_that_outlive_buffers() {
  sycl::queue q;
  std::vector<int> values(16, 1);
  auto b = std::make_unique<sycl::buffer<int>>(values);
  auto content = std::make_unique<sycl::host_accessor<int>>(*b);
  sycl::event work = add(q, *b, 1);
  b.reset();
  (*content)[3] = 7;
  EXPECT(!is_done(work));
  content.reset(); // the end of the access, and of the buffer
  EXPECT(is_done(work) && values[3] == 8 && values[4] == 2);
}

void copies_of_accessors() {
  sycl::queue q;
  gate g;
  sycl::event first = wait_on_host(q, g);
  std::vector<int> home(12);
  std::iota(home.begin(), home.end(), 0);
  std::vector<int> out(4, -1);
  std::weak_ptr<int[]> kept;
  {
    sycl::buffer<int, 2> b(home.data(), sycl::range<2>(3, 4));
    sycl::buffer<int> row(4);
    auto in = std::shared_ptr<int[]>(new int[4]{40, 41, 42, 43});
    kept = in;
    q.submit([&](sycl::handler &h) {
      h.depends_on(first);
      sycl::accessor part(b, h, sycl::range<2>(2, 2), sycl::id<2>(1, 1), sycl::write_only);
      h.copy(in, part);
    });
    in.reset();
    sycl::event copied = q.submit([&](sycl::handler &h) {
      sycl::accessor part(b, h, sycl::range<2>(2, 2), sycl::id<2>(1, 1), sycl::read_only);
      h.copy(part, out.data());
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(b, h, sycl::range<2>(1, 4), sycl::id<2>(2, 0), sycl::read_only);
      sycl::accessor to(row, h, sycl::write_only);
      h.copy(from, to);
    });
    sycl::accessor<int, 2, sycl::access_mode::read> whole(b);
    sycl::event updated = q.update_host(whole);
    EXPECT(!is_done(copied) && !is_done(updated) && out[0] == -1 && home[5] == 5 &&
           !kept.expired());
    g.open();
    updated.wait();
    EXPECT(home[5] == 40 && home[10] == 43 && home[11] == 11);
    copied.wait();
    EXPECT((out == std::vector<int>{40, 41, 42, 43}));
    EXPECT(eventually([&] { return kept.expired(); }));
    EXPECT(sycl::host_accessor(row, sycl::read_only)[1] == 42);
    sycl::accessor<int, 1, sycl::access_mode::write> fill(row);
    q.fill(fill, 9);
    add(q, row, 1);
    EXPECT(sycl::host_accessor(row)[3] == 10);
  }
  EXPECT(home[0] == 0 && home[5] == 40);
}

std::vector<std::string> texts;

void note(sycl::exception_list list) {
  for (const std::exception_ptr &each : list)
    try {
      std::rethrow_exception(each);
    } catch (const sycl::exception &e) {
      texts.push_back("sycl " + std::to_string(e.code().value()));
    } catch (const std::exception &e) {
      texts.push_back(e.what());
    } catch (int number) {
      texts.push_back(std::to_string(number));
    }
}

template <typename Thing> sycl::event throw_on_host(sycl::queue q, Thing thing) {
  return q.submit([&](sycl::handler &h) { h.host_task([=] { throw thing; }); });
}

using list = std::vector<std::string>;

void errors_reach_the_handler() {
  sycl::queue q(note, sycl::property::queue::in_order{});
  throw_on_host(q, std::runtime_error("one"));
  throw_on_host(q, 2);
  throw_on_host(q, sycl::exception(sycl::make_error_code(sycl::errc::invalid)));
  int *p = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *p = 4; }).wait(); // what comes behind runs all the same
  q.wait();
  EXPECT(texts.empty() && *p == 4);
  q.wait_and_throw();
  EXPECT((texts == list{"one", "2", "sycl 8"}));
  q.wait_and_throw();
  q.throw_asynchronous();
  EXPECT(texts.size() == 3);
  sycl::event e = throw_on_host(q, 4);
  e.wait();
  EXPECT(texts.size() == 3);
  e.wait_and_throw();
  sycl::event::wait_and_throw({throw_on_host(q, 5), throw_on_host(q, 6)});
  EXPECT((texts == list{"one", "2", "sycl 8", "4", "5", "6"}));
  throw_on_host(q, 7).wait();
  q.throw_asynchronous();
  EXPECT(texts.back() == "7");
  sycl::free(p, q);
}

void errors_reach_the_contexts_handler() {
  sycl::context c(sycl::device(), note);
  sycl::queue q(c, c.get_devices().front());
  throw_on_host(q, 1);
  q.wait_and_throw();
  sycl::queue own(c, c.get_devices().front(), [](sycl::exception_list) { texts.push_back("own"); });
  throw_on_host(own, 2);
  own.wait_and_throw();
  EXPECT((texts == list{"1", "own"}));
}

void the_end_of_a_queue_tells_of_errors() {
  {
    sycl::queue q(note);
    throw_on_host(q, 3).wait();
    EXPECT(texts.empty());
  }
  EXPECT((texts == list{"3"}));
}

void what_a_handler_throws_passes() {
  sycl::queue q([](sycl::exception_list) { throw std::string("thrown"); });
  throw_on_host(q, 1);
  std::string caught;
  try {
    q.wait_and_throw();
  } catch (const std::string &text) {
    caught = text;
  }
  EXPECT(caught == "thrown");
  q.wait_and_throw();
}

void no_handler() {
  sycl::queue q;
  throw_on_host(q, std::runtime_error("nobody takes this"));
  q.wait_and_throw();
}

void memory_runs_out() {
  sycl::queue q(note);
  sycl::device d = q.get_device();
  std::size_t most = d.get_info<sycl::info::device::max_mem_alloc_size>();
  std::size_t all = d.get_info<sycl::info::device::global_mem_size>();
  int *p = sycl::malloc_shared<int>(16, q);
  std::fill(p, p + 16, 3);
  for (std::size_t size : {most + 1, all * 4, static_cast<std::size_t>(-1) / 2}) {
    EXPECT(sycl::malloc_device(size, q) == nullptr);
    EXPECT(sycl::malloc_host(size, q) == nullptr);
    EXPECT(sycl::malloc_shared(size, q) == nullptr);
    EXPECT(sycl::aligned_alloc_device(4096, size, q) == nullptr);
  }
  EXPECT(sycl::malloc_device<long>(static_cast<std::size_t>(-1) / 4, q) == nullptr);
  sycl::usm_allocator<int, sycl::usm::alloc::shared> allocator(q);
  constexpr int no_memory = static_cast<int>(sycl::errc::memory_allocation);
  EXPECT(code_of([&] { allocator.allocate(all); }) == no_memory);
  std::vector<int> values(16, 1);
  {
    sycl::buffer<int> b(values);
    sycl::buffer<char> large{sycl::range<1>(all * 4)};
    sycl::event held;
    {
      // What is held back must not be waited for.
      sycl::host_accessor content(b);
      held = add(q, b, 1);
      EXPECT(code_of([&] {
               q.submit([&](sycl::handler &h) {
                 sycl::accessor a(large, h, sycl::write_only, sycl::no_init);
                 sycl::accessor other(b, h, sycl::read_write);
                 h.single_task([=] { a[0] = static_cast<char>(other[0]); });
               });
             }) == no_memory);
    }
    EXPECT(code_of([&] { sycl::host_accessor content(large); }) == no_memory);
    EXPECT(code_of([&] {
             q.submit([&](sycl::handler &h) {
               sycl::accessor a(large, h, sycl::write_only);
               h.fill(a, 'x');
             });
           }) == no_memory);
    add(q, b, 1);
  }
  EXPECT(values == std::vector<int>(16, 3));
  q.parallel_for(16, [=](sycl::id<1> i) { p[i] += 1; });
  q.wait_and_throw();
  EXPECT(p[15] == 4 && texts.empty());
  sycl::free(p, q);
}

template <typename Query> std::uint64_t time_of(const sycl::event &e) {
  return e.get_profiling_info<Query>();
}

void times() {
  namespace ask = sycl::info::event_profiling;
  sycl::queue q({sycl::property::queue::enable_profiling{}});
  std::vector<int> values(64, 1);
  int *p = sycl::malloc_shared<int>(64, q);
  int *other = sycl::malloc_device<int>(64, q);
  sycl::buffer<int> b(values);
  sycl::accessor<int, 1, sycl::access_mode::read_write> placeholder(b);
  gate g;
  sycl::event task = wait_on_host(q, g);
  struct odd {
    char bytes[3];
  };
  std::map<std::string, sycl::event> events{
      {"kernel", q.parallel_for(64, [=](sycl::id<1> i) { p[i] = 1; })},
      {"memcpy", q.memcpy(other, p, 64 * sizeof(int))},
      {"fill", q.fill(p, 5, 64)},
      {"fill of odd size", q.fill(p, odd{}, 64)},
      {"memset", q.memset(p, 5, 64)},
      {"prefetch", q.prefetch(p, 64)},
      {"buffer", add(q, b, 1)},
      {"empty range", q.parallel_for(0, [=](sycl::id<1>) {})},
      {"copy of an accessor", q.copy(placeholder, values.data())},
      {"fill of an accessor", q.fill(placeholder, 2)},
      {"update_host", q.update_host(placeholder)},
      {"behind a host task", q.single_task(task, [=] { p[0] = 1; })},
      {"empty group", q.submit([](sycl::handler &) {})},
      {"barrier", q.ext_oneapi_submit_barrier()},
  };
  EXPECT(eventually([&] { return g.is_reached.load(); }));
  std::this_thread::sleep_for(5ms);
  g.open();
  for (const auto &[name, event] : events) {
    std::uint64_t submit = time_of<ask::command_submit>(event),
                  start = time_of<ask::command_start>(event),
                  end = time_of<ask::command_end>(event);
    if (submit == 0 || submit > start || start > end)
      throw std::logic_error(name + ": " + std::to_string(submit) + " " + std::to_string(start) +
                             " " + std::to_string(end));
  }
  EXPECT(time_of<ask::command_end>(task) - time_of<ask::command_start>(task) > 4000000);
  EXPECT(time_of<ask::command_submit>(task) <= time_of<ask::command_start>(task));
  sycl::queue plain;
  sycl::event untimed = plain.submit([](sycl::handler &h) { h.host_task([] {}); });
  EXPECT(code_of([&] { time_of<ask::command_end>(untimed); }) ==
         static_cast<int>(sycl::errc::invalid));
  sycl::free(p, q);
  sycl::free(other, q);
}

void kinds_of_usm() {
  sycl::queue q;
  sycl::context c = q.get_context();
  sycl::device d = q.get_device();
  using sycl::usm::alloc;
  constexpr std::size_t count = 1000;
  std::vector<int> plain(count);
  std::map<alloc, int *> memory{
      {alloc::host, sycl::malloc_host<int>(count, c)},
      {alloc::device, sycl::aligned_alloc_device<int>(256, count, d, c)},
      {alloc::shared, sycl::malloc<int>(count, q, alloc::shared)},
      {alloc::unknown, plain.data()},
  };
  for (const auto &[kind, p] : memory) {
    EXPECT(sycl::get_pointer_type(p, c) == kind);
    EXPECT(sycl::get_pointer_type(p + count - 1, c) == kind);
    if (kind != alloc::unknown)
      EXPECT(sycl::get_pointer_device(p + 1, c) == d);
  }
  EXPECT(sycl::get_pointer_type(nullptr, c) == alloc::unknown);
  EXPECT(code_of([&] { sycl::get_pointer_device(plain.data(), c); }) != 0);
  EXPECT(reinterpret_cast<std::uintptr_t>(memory[alloc::device]) % 256 == 0);
  // Between all kinds, and filled in all of them.
  int value = 0;
  for (const auto &[from_kind, from] : memory)
    for (const auto &[to_kind, to] : memory) {
      if (from == to)
        continue;
      ++value;
      sycl::event filled = q.fill(from, value, count);
      sycl::event set = q.memset(from, 0, sizeof(int), filled);
      sycl::event copied = value % 2 ? q.copy(from, to, count, set)
                                     : q.memcpy(to, from, count * sizeof(int), {set, filled});
      std::vector<int> result(count);
      q.copy(to, result.data(), count, copied).wait();
      EXPECT(result[0] == 0 && result[1] == value && result[count - 1] == value);
    }
  q.prefetch(memory[alloc::shared], count * sizeof(int));
  q.mem_advise(memory[alloc::shared], count * sizeof(int), 0);
  std::vector<int, sycl::usm_allocator<int, alloc::host, 64>> container(
      count, 1, sycl::usm_allocator<int, alloc::host, 64>(q));
  int *data = container.data();
  q.parallel_for(count, [=](sycl::id<1> i) { data[i] += 1; }).wait();
  EXPECT(container.front() == 2 && container.back() == 2);
  // Freed while work is under way, and behind a host task.
  gate g;
  sycl::event task = wait_on_host(q, g);
  int *p = memory[alloc::shared];
  sycl::event behind = q.parallel_for(count, task, [=](sycl::id<1> i) { p[i] = 1; });
  for (const auto &[kind, address] : memory)
    if (kind != alloc::unknown)
      sycl::free(address, q);
  g.open();
  behind.wait();
}

void threads() {
  sycl::queue shared, ordered(sycl::property::queue::in_order{});
  std::vector<int> values(64, 0);
  std::atomic<int> tasks = 0;
  {
    sycl::buffer<int> b(values);
    auto work = [&, b]() mutable {
      sycl::queue own(sycl::device::get_devices().back());
      for (int turn = 0; turn < 10; ++turn)
        for (sycl::queue *q : {&shared, &ordered, &own}) {
          add(*q, b, 1);
          q->submit([&](sycl::handler &h) {
            sycl::accessor a(b, h, sycl::read_write_host_task);
            h.host_task([=, &tasks] {
              for (int &value : a)
                ++value;
              ++tasks;
            });
          });
          if (turn % 5 == 0) {
            sycl::host_accessor content(b);
            for (int &value : content)
              ++value;
          }
          if (turn % 4 == 0)
            q->wait();
        }
    };
    std::vector<std::thread> pool;
    for (int i = 0; i < 4; ++i)
      pool.emplace_back(work);
    for (std::thread &thread : pool)
      thread.join();
  }
  EXPECT(tasks == 4 * 10 * 3);
  EXPECT(values == std::vector<int>(64, 4 * 3 * (10 + 10 + 2)));
}

// Steps at random on all devices there are, and the same steps one after the other.
void steps_at_random() {
  std::vector<sycl::queue> queues;
  for (const sycl::device &d : sycl::device::get_devices()) {
    queues.emplace_back(d);
    queues.emplace_back(d);
    queues.emplace_back(d, sycl::property::queue::in_order{});
  }
  std::minstd_rand random(17);
  auto below = [&](std::size_t end) { return random() % end; };
  constexpr std::size_t size = 1 << 17; // more than is moved at once
  std::vector<std::vector<unsigned>> expected(4, std::vector<unsigned>(size, 1)), homes = expected;
  {
    std::vector<sycl::buffer<unsigned>> buffers(homes.begin(), homes.end());
    std::vector<sycl::event> events(1);
    for (unsigned step = 0; step < 300; ++step) {
      std::size_t to = below(4), from = (to + 1 + below(3)) % 4;
      sycl::queue q = queues[below(queues.size())];
      sycl::buffer<unsigned> &source = buffers[from], &target = buffers[to];
      std::size_t kind = below(8);
      if (kind < 3) {
        events.push_back(q.submit([&](sycl::handler &h) {
          sycl::accessor in(source, h, sycl::read_only);
          sycl::accessor out(target, h, sycl::read_write);
          if (step % 3 == 0)
            h.depends_on(events[below(events.size())]);
          h.parallel_for(size, [=](sycl::id<1> i) { out[i] = out[i] * 3 + in[i] + step; });
        }));
      } else if (kind < 5) {
        events.push_back(q.submit([&](sycl::handler &h) {
          sycl::accessor in(source, h, sycl::read_only_host_task);
          sycl::accessor out(target, h, sycl::read_write_host_task);
          h.host_task([=] {
            for (std::size_t i = 0; i < size; ++i)
              out[i] = out[i] * 3 + in[i] + step;
          });
        }));
      } else if (kind == 5) {
        sycl::host_accessor in(source, sycl::read_only);
        sycl::host_accessor out(target);
        for (std::size_t i = 0; i < size; ++i)
          out[i] = out[i] * 3 + in[i] + step;
      } else if (kind == 6) {
        q.submit([&](sycl::handler &h) {
          sycl::accessor in(source, h, sycl::read_only);
          sycl::accessor out(target, h, sycl::write_only, sycl::no_init);
          h.copy(in, out);
        });
      } else {
        q.submit([&](sycl::handler &h) {
          sycl::accessor out(target, h, sycl::write_only, sycl::no_init);
          h.parallel_for(size, [=](sycl::id<1> i) { out[i] = step; });
        });
      }
      for (std::size_t i = 0; i < size; ++i)
        expected[to][i] = kind < 6    ? expected[to][i] * 3 + expected[from][i] + step
                          : kind == 6 ? expected[from][i]
                                      : step;
    }
  }
  EXPECT(homes == expected);
}

// Ways to end: these print something.

void exit_with_an_accessor() {
  sycl::queue q;
  int home[4] = {1, 1, 1, 1};
  sycl::buffer<int> b(home, 4);
  sycl::host_accessor content(b);
  add(q, b, 1);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h, sycl::read_only_host_task);
    h.host_task([=] { std::printf("%d\n", a[3]); });
  });
  std::exit(3); // destroys none of these
}

void exit_in_a_task() {
  sycl::queue q;
  auto kernel = [=] {};
  q.single_task(kernel).wait();
  sycl::event task = q.submit([](sycl::handler &h) { h.host_task([] { std::exit(4); }); });
  q.single_task(task, kernel);
  q.wait();
}

void leave_tasks_behind() {
  static sycl::queue q;
  static std::vector<int> values(4, 1);
  auto *b = new sycl::buffer<int>(values);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(*b, h, sycl::read_write_host_task);
    h.host_task([=] {
      std::this_thread::sleep_for(100ms);
      q.submit([](sycl::handler &h) { h.host_task([] { std::printf("last\n"); }); });
    });
  });
}

void leave_a_thread_behind() {
  // It goes on after main, and is joined before the queue is gone.
  static sycl::queue q;
  static std::atomic<bool> stops = false;
  static std::atomic<int> rounds = 0;
  static std::future<void> thread = std::async(std::launch::async, [] {
    for (; !stops; ++rounds) {
      q.single_task([=] {});
      q.submit([](sycl::handler &h) { h.host_task([] {}); }).wait();
    }
  });
  static struct stopper {
    ~stopper() {
      int before = rounds;
      bool went_on = eventually([=] { return rounds > before + 1; });
      stops = true;
      thread.get();
      std::printf(went_on ? "went on\n" : "");
    }
  } at_the_end;
}

const std::map<std::string, std::function<void()>> checks{
    {"accessors_that_outlive_buffers", accessors_that_outlive_buffers},
    {"barriers", barriers},
    {"between_kernels", between_kernels},
    {"buffers_that_tasks_hold", buffers_that_tasks_hold},
    {"copies_of_accessors", copies_of_accessors},
    {"errors_reach_the_contexts_handler", errors_reach_the_contexts_handler},
    {"errors_reach_the_handler", errors_reach_the_handler},
    {"events", events},
    {"functions_that_only_move", functions_that_only_move},
    {"host_accessors", host_accessors},
    {"in_order", in_order},
    {"interoperability", interoperability},
    {"kinds_of_accessors", kinds_of_accessors},
    {"kinds_of_usm", kinds_of_usm},
    {"later_work_of_the_same_queue", later_work_of_the_same_queue},
    {"many_tasks", many_tasks},
    {"memory_runs_out", memory_runs_out},
    {"steps_at_random", steps_at_random},
    {"the_end_of_a_queue_tells_of_errors", the_end_of_a_queue_tells_of_errors},
    {"threads", threads},
    {"times", times},
    {"what_a_handler_throws_passes", what_a_handler_throws_passes},
    {"work_from_within", work_from_within},
};

const std::map<std::string, std::function<void()>> endings{
    {"exit_in_a_task", exit_in_a_task},
    {"exit_with_an_accessor", exit_with_an_accessor},
    {"leave_a_thread_behind", leave_a_thread_behind},
    {"leave_tasks_behind", leave_tasks_behind},
    {"no_handler", no_handler},
};

} // namespace

int main(int argc, char **argv) {
  try {
    std::string name = argc == 2 ? argv[1] : "";
    auto ending = endings.find(name);
    (ending == endings.end() ? checks.at(name) : ending->second)();
    return 0;
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
