// The load test from C++: threads that submit random work to shared queues and check the results.
//
//   program SECONDS THREADS QUEUES
//
// Each thread submits chains of kernels, copies, fills and host tasks on a buffer or on USM of a
// random kind, over one queue or several, and compares the result with the host's. Sometimes it
// drops objects in use, or replaces a queue. It prints faults and counts.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <sycl/sycl.hpp>
#include <thread>
#include <utility>
#include <vector>

using word = std::uint32_t;
using words = std::vector<word>;

constexpr std::size_t group = 8;
constexpr std::size_t largest = 4096;

std::atomic<long> chains{0}, launches{0}, faults{0};
std::atomic<bool> stop{false};

void complain(const char *what) {
  if (++faults < 10)
    std::printf("WRONG: %s\n", what);
}

// Queues that all threads share; each can be replaced at any time.
class queues {
public:
  explicit queues(std::size_t count) : all(count) {}

  sycl::queue any(std::mt19937 &random) {
    std::lock_guard<std::mutex> lock(changing);
    return all[random() % all.size()];
  }
  void replace(std::mt19937 &random) {
    sycl::queue fresh;
    std::lock_guard<std::mutex> lock(changing);
    std::swap(all[random() % all.size()], fresh);
  }

private:
  std::mutex changing;
  std::vector<sycl::queue> all;
};

// An operation on every element, on the device and, for comparison, on the host.
struct step {
  int kind;
  word a;
  word b;

  explicit step(std::mt19937 &random)
      : kind(static_cast<int>(random() % 4)), a(random()), b(random()) {}

  word operator()(word x, std::size_t place) const {
    switch (kind) {
    case 0:
      return a * static_cast<word>(place) + b;
    case 1:
      return x * a + (x >> 7);
    case 2:
      return place % 3 == 0 ? x ^ b : x;
    default:
      return x + a;
    }
  }
};

void do_on_host(words &content, const step &s) {
  for (std::size_t i = 0; i < content.size(); ++i)
    content[i] = s(content[i], i);
}

void compare(const word *found, const words &wanted) {
  ++chains;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (found[i] != wanted[i])
      return complain("a result is not what the host computes");
}

// A buffer on several queues: only accessors define the order.
void buffer_chain(queues &where, std::mt19937 &random, words content) {
  words wanted = content;
  bool looked_at = random() % 4 != 0;
  {
    sycl::buffer<word, 1> memory(content.data(), sycl::range<1>(content.size()));
    if (!looked_at)
      memory.set_final_data(nullptr);
    for (unsigned count = 1 + random() % 5; count; --count) {
      step s(random);
      do_on_host(wanted, s);
      sycl::queue q = where.any(random);
      q.submit([&](sycl::handler &h) {
        if (random() % 6 == 0) {
          sycl::accessor x(memory, h, sycl::read_write_host_task);
          h.host_task([=] {
            for (std::size_t i = 0; i < x.size(); ++i)
              x[i] = s(x[i], i);
          });
          return;
        }
        sycl::accessor x(memory, h, sycl::read_write);
        if (random() % 2)
          h.parallel_for(memory.get_range(), [=](sycl::id<1> i) { x[i] = s(x[i], i); });
        else
          h.parallel_for(sycl::nd_range<1>(memory.get_range(), group), [=](sycl::nd_item<1> it) {
            std::size_t i = it.get_global_id(0);
            x[i] = s(x[i], i);
          });
      });
      ++launches;
      if (random() % 8 == 0) {
        sycl::host_accessor x(memory, sycl::read_only);
        compare(&x[0], wanted);
      }
    }
    // The buffer is destroyed while its work may be running.
  }
  if (looked_at)
    compare(content.data(), wanted);
}

// USM on several queues: events define the order.
void usm_chain(queues &where, std::mt19937 &random, words content) {
  sycl::queue first = where.any(random);
  const sycl::usm::alloc kinds[] = {sycl::usm::alloc::host, sycl::usm::alloc::device,
                                    sycl::usm::alloc::shared};
  std::size_t size = content.size();
  word *memory = sycl::malloc<word>(size, first, kinds[random() % 3]);
  if (!memory)
    return complain("there is no memory");
  words wanted = content;
  sycl::event last = first.memcpy(memory, content.data(), size * sizeof(word));
  for (unsigned count = 1 + random() % 5; count; --count) {
    step s(random);
    sycl::queue q = where.any(random);
    if (random() % 8 == 0) {
      last = q.fill(memory, s.a, size, last);
      wanted.assign(size, s.a);
    } else {
      last = q.parallel_for(sycl::range<1>(size), last,
                            [=](sycl::id<1> i) { memory[i] = s(memory[i], i); });
      do_on_host(wanted, s);
    }
    ++launches;
  }
  if (random() % 4 == 0) {
    // Freed while work may be running; the source of the copy must outlive it.
    sycl::free(memory, first);
    last.wait();
    return;
  }
  words result(size);
  first
      .submit([&](sycl::handler &h) {
        h.depends_on(last);
        h.memcpy(result.data(), memory, size * sizeof(word));
      })
      .wait();
  compare(result.data(), wanted);
  sycl::free(memory, first);
}

void work(queues &where, unsigned number) {
  std::mt19937 random(20261 + number);
  while (!stop && faults < 10) {
    try {
      words content(group * (1 + random() % (largest / group)));
      for (word &x : content)
        x = random();
      if (random() % 2)
        buffer_chain(where, random, std::move(content));
      else
        usm_chain(where, random, std::move(content));
      if (random() % 200 == 0)
        where.replace(random);
    } catch (const std::exception &e) {
      complain(e.what());
    }
  }
}

int main(int, char **argv) {
  auto seconds = std::chrono::duration<double>(std::atof(argv[1]));
  queues where(static_cast<std::size_t>(std::atoi(argv[3])));
  std::vector<std::thread> threads;
  for (int i = 0; i < std::atoi(argv[2]); ++i)
    threads.emplace_back(work, std::ref(where), i);
  // The time starts after the warm-up, which takes long on a busy machine.
  while (chains < 100 && !faults)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::puts("begun");
  std::fflush(stdout);
  std::this_thread::sleep_for(seconds);
  stop = true;
  for (std::thread &t : threads)
    t.join();
  std::printf("%ld launches, %ld results compared\n", launches.load(), chains.load());
  return faults || !chains;
}
