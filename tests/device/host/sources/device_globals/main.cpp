// Device globals of every kind, used by the host and by kernels of several images. Each check is
// started by its name; what is not as it should be is printed.
#include <sycl/sycl.hpp>

#include "shared.hpp"
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

exp_::device_global<int> of_main{10};
static exp_::device_global<int> own{2};
namespace {
exp_::device_global<int> hidden{3};
}

struct triple {
  int first, second, third;
};
struct alignas(64) wide {
  float values[16];
};
struct owner {
  static exp_::device_global<triple> member;
  static exp_::device_global<int> other;
};
exp_::device_global<triple> owner::member{triple{1, 2, 3}};
exp_::device_global<int> owner::other;

exp_::device_global<int> zero;
exp_::device_global<int[4]> four{1, 2, 3};
exp_::device_global<short[2][3]> table;
exp_::device_global<wide> aligned;
exp_::device_global<int *> pointer;
exp_::device_global<int> array[5];
exp_::device_global<wide> wide_array[2];
exp_::device_global<int> unused{55};
const exp_::device_global<int> constant{66};
exp_::device_global<char> last_byte{'x'};

using in_image = decltype(exp_::properties(exp_::device_image_scope));
exp_::device_global<int[3], in_image> scoped{4, 5, 6};
exp_::device_global<int, in_image> scoped_array[2];

exp_::device_global<int, decltype(exp_::properties(exp_::host_access_read))> host_reads{8};
exp_::device_global<int, decltype(exp_::properties(exp_::host_access_write, exp_::init_mode_reset,
                                                   exp_::implement_in_csr_off))>
    host_writes;

int add_in_other(sycl::queue &q);
int read_in_other(sycl::queue &q);

#define EXPECT(...)                                                                                \
  do {                                                                                             \
    if (!(__VA_ARGS__))                                                                            \
      std::printf("line %d: %s\n", __LINE__, #__VA_ARGS__);                                        \
  } while (false)

template <typename DataT, typename List>
DataT read(sycl::queue &q, const exp_::device_global<DataT, List> &variable) {
  DataT value;
  q.memcpy(&value, variable).wait();
  return value;
}

static void before_any_kernel(sycl::queue &q) {
  int value = 77;
  EXPECT(read(q, own) == 2);
  q.copy(&value, own).wait();
  EXPECT(read(q, own) == 77);
  EXPECT(on_device(q, [] { return own.get(); }) == 77);
  EXPECT(on_device(q, [] { return scoped[1]; }) == 5);
}

static void scoped_before_any_kernel(sycl::queue &q) {
  int values[3] = {}, written[2] = {50, 60};
  q.copy(scoped, values).wait();
  EXPECT(values[0] == 4 && values[1] == 5 && values[2] == 6);
  q.copy(written, scoped, 2, 1).wait();
  EXPECT(on_device(q, [] { return scoped[0] * 10000 + scoped[1] * 100 + scoped[2]; }) == 45060);
  on_device(q, [] { return scoped[0] = 9; });
  q.memcpy(values, scoped, sizeof(int)).wait();
  EXPECT(values[0] == 9);
  int places[2] = {1, 2};
  q.copy(&places[0], scoped_array[0]);
  q.copy(&places[1], scoped_array[1]).wait();
  EXPECT(on_device(q, [] { return scoped_array[0] * 10 + scoped_array[1]; }) == 12);
}

static void values_stay(sycl::queue &q) {
  for (int i = 1; i <= 3; ++i)
    EXPECT(on_device(q, [] { return zero += 5; }) == 5 * i);
  EXPECT(read(q, zero) == 15);
}

static void of_other_kernels(sycl::queue &q) {
  on_device(q, [] { return zero = 41; });
  EXPECT(on_device(q, [] { return ++zero; }) == 42);
}

static void classes(sycl::queue &q) {
  EXPECT(on_device(q, [] {
           owner::member.get().second *= 10;
           triple copy = owner::member;
           owner::other = copy.first + copy.second + copy.third;
           return owner::other.get();
         }) == 24);
  EXPECT(read(q, owner::member).second == 20 && read(q, owner::other) == 24);
  EXPECT(on_device(q, [] { return int(holder<long>::member); }) == 2);
  EXPECT(read(q, holder<long>::member) == 2 && read(q, holder<int>::member) == 2);
  EXPECT(on_device(q, [] { return numbered<5> * 10 + numbered<6>; }) == 56);
  EXPECT(read(q, numbered<5>) == 5);
}

static void arrays(sycl::queue &q) {
  EXPECT(on_device(q, [] { return four[0] + four[1] * 10 + four[2] * 100 + four[3]; }) == 321);
  int values[4] = {}, two[2] = {8, 9};
  q.copy(two, four, 2, 1).wait();
  q.copy(four, values).wait();
  EXPECT(values[0] == 1 && values[1] == 8 && values[2] == 9 && values[3] == 0);
  std::memset(values, 0, sizeof values);
  q.copy(four, values + 1, 2, 2).wait();
  EXPECT(values[0] == 0 && values[1] == 9 && values[2] == 0);
  EXPECT(on_device(q, [] {
           for (int i = 0; i < 6; ++i)
             table[i / 3][i % 3] = static_cast<short>(i * i);
           return 0;
         }) == 0);
  short all[6] = {};
  q.copy(table, all).wait();
  EXPECT(all[0] == 0 && all[5] == 25);
  for (int i = 0; i < 5; ++i) {
    int value = i + 1;
    q.copy(&value, array[i]).wait();
  }
  EXPECT(on_device(q, [] {
           int sum = 0;
           for (int i = 0; i < 5; ++i)
             sum = sum * 10 + array[i];
           array[3] = 30;
           return sum;
         }) == 12345);
  EXPECT(read(q, array[3]) == 30 && read(q, array[4]) == 5);
  on_device(q, [] {
    wide_array[1].get().values[15] = 1.5f;
    aligned.get().values[3] = 2.5f;
    return 0;
  });
  EXPECT(read(q, wide_array[1]).values[15] == 1.5f && read(q, wide_array[0]).values[15] == 0);
  EXPECT(read(q, aligned).values[3] == 2.5f);
}

static void pointers(sycl::queue &q) {
  int *memory = sycl::malloc_shared<int>(2, q);
  memory[0] = 3;
  memory[1] = 4;
  q.copy(&memory, pointer).wait();
  EXPECT(on_device(q, [] { return pointer[0] * 10 + pointer[1] + *pointer; }) == 37);
  struct pair {
    int one, two;
  };
  EXPECT(on_device(q, [] {
           auto typed = four.get_multi_ptr<sycl::access::decorated::yes>();
           auto plain = zero.get_multi_ptr<sycl::access::decorated::no>();
           *plain = 12;
           return (*typed)[0] * 100 + zero;
         }) == 112);
  sycl::free(memory, q);
}

static void what_no_kernel_uses(sycl::queue &q) {
  EXPECT(read(q, unused) == 55);
  int value = 56;
  q.copy(&value, unused).wait();
  EXPECT(read(q, unused) == 56);
  EXPECT(read(q, constant) == 66);
  EXPECT(on_device(q, [] { return constant.get(); }) == 66);
  EXPECT(read(q, last_byte) == 'x');
}

static void two_sources(sycl::queue &q) {
  EXPECT(add_in_other(q) == 213108);
  EXPECT(read_in_other(q) == 21310111);
  EXPECT(read(q, own) == 2 && read(q, hidden) == 3);
  EXPECT(read(q, everywhere) == 101 && read(q, of_main) == 11 && read(q, numbered<7>) == 8);
  EXPECT(on_device(q, [] { return everywhere + of_main + own + hidden; }) == 117);
}

static void order(sycl::queue &q) {
  int one = 1, two = 2, result = 0;
  sycl::event first = q.copy(&one, zero);
  sycl::event second = q.submit([&](sycl::handler &h) {
    h.depends_on(first);
    h.single_task([=] { zero *= 10; });
  });
  sycl::event third = q.memcpy(&result, zero, sizeof(int), 0, second);
  sycl::event fourth = q.copy(&two, zero, 1, 0, std::vector<sycl::event>{third});
  fourth.wait();
  EXPECT(result == 10 && read(q, zero) == 2);
  q.submit([&](sycl::handler &h) { h.memcpy(zero, &one); });
  q.submit([&](sycl::handler &h) { h.copy(zero, &result); }).wait();
  EXPECT(result == 1);
  // Behind the host.
  int late = 0;
  sycl::event task = q.submit([&](sycl::handler &h) { h.host_task([&] { late = 9; }); });
  q.copy(&late, zero, 1, 0, task).wait();
  EXPECT(read(q, zero) == 9);
  q.memcpy(zero, &one, 0).wait();
  EXPECT(read(q, zero) == 9);
}

static void wrong_copies(sycl::queue &q) {
  int values[8] = {};
  auto fails = [&](auto copy) {
    try {
      copy();
    } catch (const sycl::exception &e) {
      return e.code() == sycl::errc::invalid;
    }
    return false;
  };
  EXPECT(fails([&] { q.copy(values, four, 5); }));
  EXPECT(fails([&] { q.copy(values, four, 2, 3); }));
  EXPECT(fails([&] { q.copy(values, four, std::size_t(-1), 2); }));
  EXPECT(fails([&] { q.copy(four, values, 1, 4); }));
  EXPECT(fails([&] { q.memcpy(values, four, 16, 1); }));
  EXPECT(fails([&] { q.memcpy(four, nullptr); }));
  exp_::device_global<int> local;
  EXPECT(fails([&] { q.copy(values, local); }));
  try {
    EXPECT(zero.get() == 0);
    EXPECT(false);
  } catch (const sycl::exception &e) {
    EXPECT(e.code() == sycl::errc::feature_not_supported);
  }
}

static void what_the_host_may(sycl::queue &q) {
  EXPECT(read(q, host_reads) == 8);
  int value = 9;
  q.copy(&value, host_writes).wait();
  EXPECT(on_device(q, [] { return host_writes + host_reads; }) == 17);
  static_assert(decltype(host_reads)::has_property<exp_::host_access_key>());
  static_assert(decltype(host_reads)::get_property<exp_::host_access_key>().value ==
                exp_::host_access_enum::read);
  static_assert(!decltype(zero)::has_property<exp_::device_image_scope_key>());
}

static void two_devices(sycl::queue &) {
  auto devices = sycl::device::get_devices();
  if (devices.size() < 2)
    std::printf("there is one device\n");
  std::vector<sycl::queue> queues;
  for (const auto &device : devices)
    queues.emplace_back(device);
  for (std::size_t i = 0; i < queues.size(); ++i) {
    int value = static_cast<int>(i) + 1;
    EXPECT(read(queues[i], own) == 2);
    queues[i].copy(&value, own).wait();
    queues[i].copy(&value, scoped, 1, 2).wait();
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    int value = static_cast<int>(i) + 1;
    EXPECT(on_device(queues[i], [] { return own * 100 + scoped[2]; }) == value * 101);
    EXPECT(read(queues[i], own) == value);
  }
}

int main(int, char **words) {
  sycl::queue q;
  struct {
    const char *name;
    void (*check)(sycl::queue &);
  } checks[] = {
      {"before_any_kernel", before_any_kernel},
      {"scoped_before_any_kernel", scoped_before_any_kernel},
      {"values_stay", values_stay},
      {"of_other_kernels", of_other_kernels},
      {"classes", classes},
      {"arrays", arrays},
      {"pointers", pointers},
      {"what_no_kernel_uses", what_no_kernel_uses},
      {"two_sources", two_sources},
      {"order", order},
      {"wrong_copies", wrong_copies},
      {"what_the_host_may", what_the_host_may},
      {"two_devices", two_devices},
  };
  for (const auto &each : checks)
    if (each.name == std::string(words[1])) {
      each.check(q);
      return 0;
    }
  return 1;
}
