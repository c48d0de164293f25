// Each check is a function that throws what is not so; the first argument names one.

#include "support.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <thread>

namespace {

constexpr int errc_kernel = 2, errc_nd_range = 4, errc_kernel_argument = 6, errc_build = 7,
              errc_invalid = 8, errc_memory_allocation = 9, errc_kernel_not_supported = 13;

bool is_done(handle event) {
  std::uint32_t done = 2;
  check(table().event_is_done(event, &done));
  return done == 1;
}

template <class T> std::vector<T> info(api::device_query query, std::uint32_t device = 0) {
  std::size_t size = 0;
  check(table().device_info(device, std::uint32_t(query), nullptr, 0, &size));
  std::vector<T> values(size / sizeof(T));
  check(table().device_info(device, std::uint32_t(query), values.data(), size, &size));
  return values;
}

void devices() {
  using query = api::device_query;
  std::uint32_t count = 0;
  check(table().device_count(&count));
  EXPECT(count >= 1);
  for (auto text :
       {query::name, query::vendor, query::driver_version, query::version, query::platform_name,
        query::platform_vendor, query::platform_version, query::extensions})
    EXPECT(!info<char>(text).empty());
  for (auto number : {query::device_type, query::max_compute_units, query::vendor_id,
                      query::address_bits, query::max_num_sub_groups})
    EXPECT(info<std::uint32_t>(number).at(0) > 0);
  EXPECT(info<std::uint32_t>(query::max_clock_frequency).size() == 1);
  for (auto size : {query::local_mem_size, query::global_mem_size, query::max_mem_alloc_size,
                    query::max_work_group_size})
    EXPECT(info<std::uint64_t>(size).at(0) > 0);
  EXPECT(info<std::size_t>(query::max_work_item_sizes).size() == 3);
  auto aspects = info<std::uint32_t>(query::aspects);
  EXPECT(std::is_sorted(aspects.begin(), aspects.end()) && !aspects.empty());
  auto sizes = info<std::size_t>(query::sub_group_sizes);
  EXPECT(std::is_sorted(sizes.begin(), sizes.end()));

  char small[2] = {'x', 'y'};
  std::size_t size = 0;
  check(table().device_info(0, 0, small, 1, &size));
  EXPECT(size > 2 && small[0] == 'x');
  EXPECT_FAILURE(errc_invalid, "expected a device number below",
                 table().device_info(99, 0, nullptr, 0, &size));
  EXPECT_FAILURE(errc_invalid, "device query 999", table().device_info(0, 999, nullptr, 0, &size));
}

void ranges() {
  queue q;
  int *p = allocate<int>(24);
  q.launch("place3", fill_object{p, 0}, {2, 3, 4}, {1, 3, 2});
  q.wait();
  EXPECT(p[0] == 0 && p[1] == 1 && p[4] == 100 && p[12] == 10000 && p[23] == 10203);
  q.launch("place3", fill_object{p, 0}, {2, 3, 4}, {}, {}, {5, 6, 7});
  q.wait();
  EXPECT(p[0] == 50607 && p[23] == 60810);
  q.launch("place3", fill_object{p, 0}, {2, 3});
  q.wait();
  EXPECT(p[0] == 0 && p[5] == 102);
  q.launch("local_size", fill_object{p, 0}, {8}, {4});
  q.wait();
  EXPECT(p[7] == 4);
  q.launch("local_size", fill_object{p, 0}, {});
  q.wait();
  EXPECT(p[0] == 1);
  check(table().usm_free(p));
}

void empty_ranges() {
  queue q;
  handle first = q.launch("fill", fill_object{nullptr, 0}, {0});
  handle second = q.launch("fill", fill_object{nullptr, 0}, {4, 0}, {2, 2});
  wait_for(first);
  EXPECT(is_done(second));
  check(table().event_release(second));
}

void wrong_launches() {
  queue q;
  int *p = allocate<int>(64);
  fill_object object{p, 1};
  EXPECT_FAILURE(errc_kernel, "no device code for kernel 'missing'; it has: broken, fill,",
                 q.try_launch("missing", object, {4}));
  EXPECT_FAILURE(errc_build, "no kernel 'not_there'", q.try_launch("not_there", object, {4}));
  EXPECT_FAILURE(errc_kernel_not_supported, "captures a 'sycl::image_accessor'",
                 q.try_launch("nothing", object, {4}));
  EXPECT_FAILURE(errc_kernel_argument, "has 4 bytes on the host and 16 on the device",
                 q.try_launch("fill", 1, {4}));
  EXPECT_FAILURE(errc_nd_range, "5 % 2 is 1", q.try_launch("fill", object, {5}, {2}));
  EXPECT_FAILURE(errc_nd_range, "not positive", q.try_launch("fill", object, {4}, {0}));
  EXPECT_FAILURE(errc_nd_range, "supports up to",
                 q.try_launch("fill", object, {1u << 30}, {1u << 30}));
  api::kernel_launch launch{"fill", 4, 0, {}, {}, {}, sizeof(object), 0, &object};
  EXPECT_FAILURE(errc_nd_range, "dimensions, got 4",
                 table().submit_kernel(q.number, &launch, nullptr, nullptr));
  launch.dimensions = 0;
  check(table().submit_kernel(q.number, &launch, nullptr, nullptr));
  q.wait();
  EXPECT(p[0] == 1);
  check(table().usm_free(p));
}

std::string name_of(const char *symbol) {
  api::kernel_name found = {};
  check(table().kernel_find(symbol, &found));
  api::kernel_name again = {};
  check(table().kernel_find(symbol, &again));
  EXPECT(found.symbol == again.symbol && found.name == again.name); // the same addresses
  EXPECT(std::string(found.symbol) == symbol);
  return found.name;
}

void kernels() {
  std::size_t count = 0;
  check(table().kernel_list(nullptr, 0, &count));
  EXPECT(count > 10);
  std::vector<api::kernel_name> names(count);
  check(table().kernel_list(names.data(), 1, &count));
  EXPECT(count == names.size() && names[0].symbol && !names[1].symbol);
  check(table().kernel_list(names.data(), count, &count));
  for (const api::kernel_name &each : names)
    EXPECT(name_of(each.symbol) == each.name);
  api::kernel_name none = {};
  EXPECT_FAILURE(errc_kernel, "no device code for kernel 'missing'",
                 table().kernel_find("missing", &none));
}

// What kernel_fit sets for the kernels, which is what a launch would fail with.
std::vector<int> fit(std::vector<const char *> symbols) {
  std::vector<std::int32_t> codes(symbols.size(), -1);
  check(table().kernel_fit(0, symbols.data(), symbols.size(), codes.data()));
  return {codes.begin(), codes.end()};
}

void fitting_kernels() {
  queue q;
  fill_object object{nullptr, 1};
  EXPECT(fit({}).empty());
  EXPECT((fit({"fill", "missing", "until", "without_code"}) ==
          std::vector<int>{0, errc_kernel, 0, errc_build}));
  for (auto [symbol, code] : {std::pair("missing", errc_kernel),
                              {"without_code", errc_build},
                              {"only_ptx", errc_build}}) {
    EXPECT(fit({symbol}) == std::vector<int>{code});
    std::string text = error_text();
    EXPECT_FAILURE(code, text, q.try_launch(symbol, object, {1})); // word for word
  }
  EXPECT(fit({"fill", "without_code", "missing"}).at(1) == errc_build);
  // Of the first that does not fit.
  EXPECT(error_text().rfind("there is no code of kernel 'without_code' for '", 0) == 0);
  EXPECT(error_text().find("image 1 of program.syclbin has only requirements, no code\n") !=
         std::string::npos);
  EXPECT(fit({"only_ptx"}).at(0) == errc_build);
  EXPECT(error_text().find("image 2 of program.syclbin has PTX\n") != std::string::npos);

  // It fits as far as can be said without a look at its code.
  EXPECT(fit({"broken"}) == std::vector<int>{0});
  const char *symbols[] = {"fill", "broken"};
  const std::uint64_t constants[] = {0, 0, 1234};
  check(table().kernel_build(0, symbols, constants, 1));
  check(table().kernel_build(0, nullptr, nullptr, 0));
  EXPECT_FAILURE(errc_build, "the code is not SPIR-V",
                 table().kernel_build(0, symbols, constants, 2));
  EXPECT_FAILURE(errc_invalid, "no values of specialization constants number 1234",
                 table().kernel_build(0, symbols, constants + 2, 1));
  EXPECT_FAILURE(errc_build, "the code is not SPIR-V", q.try_launch("broken", object, {1}));
  EXPECT_FAILURE(errc_invalid, "expected a device number below",
                 table().kernel_build(99, symbols, constants, 1));
  std::int32_t unused = 0;
  EXPECT_FAILURE(errc_invalid, "expected a device number below",
                 table().kernel_fit(99, symbols, 1, &unused));

  std::size_t sizes[3] = {7, 7, 7};
  check(table().kernel_work_group(0, "fill", sizes));
  EXPECT(sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 0);
  EXPECT_FAILURE(errc_build, "without_code", table().kernel_work_group(0, "without_code", sizes));
}

void handles() {
  handle event = 0;
  std::uint32_t done = 0;
  EXPECT_FAILURE(errc_invalid, "no queue with handle 0", table().queue_wait(0));
  EXPECT_FAILURE(errc_invalid, "no queue with handle 12345", table().queue_release(12345));
  EXPECT_FAILURE(errc_invalid, "no event with handle 7777", table().event_is_done(7777, &done));
  queue q;
  EXPECT_FAILURE(errc_invalid, "no buffer with handle", table().buffer_release(q.number, 1));
  check(table().submit_marker(q.number, nullptr, &event));
  wait_for(event);
  EXPECT_FAILURE(errc_invalid, "no event with handle", table().event_wait(event));
  EXPECT_FAILURE(errc_invalid, "expected a device number below",
                 table().queue_create(99, 0, &event));
  api::requirements r{nullptr, 0, &event, 1};
  EXPECT_FAILURE(errc_invalid, "no event", table().submit_marker(q.number, &r, nullptr));
}

void local_memory() {
  queue q;
  int *p = allocate<int>(4);
  wait_for(q.launch("group_sum", group_sum_object{8 * sizeof(int), p, 4}, {32}, {8}));
  EXPECT(p[0] == 1000028 && p[1] == 1000092 && p[3] == 1000220);
  wait_for(q.launch("group_sum", group_sum_object{2 * sizeof(int), p, 64}, {8}, {2}));
  EXPECT(p[0] == 1000001 && p[3] == 1000013);
  EXPECT_FAILURE(errc_memory_allocation, "bytes of local memory per work-group",
                 q.try_launch("group_sum", group_sum_object{1u << 30, p, 4}, {8}, {2}));
  check(table().usm_free(p));
}

void usm() {
  std::uint32_t kind = 9, device = 9;
  for (std::uint32_t wanted : {api::usm_host, api::usm_device, api::usm_shared}) {
    for (std::size_t alignment : {0, 1, 64, 128, 4096, 65536}) {
      void *p = nullptr;
      check(table().usm_allocate(0, wanted, 100, alignment, &p));
      EXPECT(p && (!alignment || std::uintptr_t(p) % alignment == 0));
      check(table().usm_info(static_cast<char *>(p) + 99, &kind, &device));
      EXPECT(kind == wanted && device == 0);
      check(table().usm_info(static_cast<char *>(p) + 100, &kind, &device));
      EXPECT(kind == api::usm_unknown);
      check(table().usm_free(p));
      check(table().usm_info(p, &kind, &device));
      EXPECT(kind == api::usm_unknown);
      EXPECT_FAILURE(errc_invalid, "is not the address of a USM", table().usm_free(p));
    }
  }
  void *p = &kind;
  check(table().usm_allocate(0, api::usm_device, std::size_t(1) << 45, 0, &p));
  EXPECT(!p);
  check(table().usm_allocate(0, api::usm_device, 8, 48, &p));
  EXPECT(!p);
  check(table().usm_allocate(0, api::usm_shared, 0, 0, &p));
  EXPECT(p);
  check(table().usm_free(p));
  check(table().usm_free(nullptr));
  EXPECT_FAILURE(errc_invalid, "is not the address", table().usm_free(&kind));
  EXPECT_FAILURE(errc_invalid, "allocation 3", table().usm_allocate(0, 3, 8, 0, &p));
  EXPECT_FAILURE(errc_invalid, "device number", table().usm_allocate(9, 0, 8, 0, &p));
}

void freed_memory_outlives_its_work() {
  queue q;
  int *result = allocate<int>(1);
  for (int turn = 0; turn < 3; ++turn) {
    int *p = allocate<int>(4096);
    p[0] = 0;
    running_kernel first(q);
    q.launch("increment_one", fill_object{p, 1}, {});
    check(table().submit_copy(q.number, result, p, sizeof(int), nullptr, nullptr));
    check(table().usm_free(p));
    int *other = allocate<int>(4096);
    std::fill(other, other + 4096, 7);
    first.end();
    q.wait();
    EXPECT(*result == 1 && std::count(other, other + 4096, 7) == 4096);
    check(table().usm_free(other));
  }
  check(table().usm_free(result));
}

void copies() {
  queue q;
  std::vector<int> in(1000), out(1000, -1);
  for (int i = 0; i < 1000; ++i)
    in[i] = i;
  int *p = allocate<int>(1000, api::usm_device);
  check(table().submit_copy(q.number, p, in.data(), 4000, nullptr, nullptr));
  check(table().submit_copy(q.number, out.data(), p, 4000, nullptr, nullptr));
  handle event = 0;
  check(table().submit_copy(q.number, nullptr, nullptr, 0, nullptr, &event));
  wait_for(event);
  EXPECT(in == out);
  EXPECT_FAILURE(errc_invalid, "null pointer",
                 table().submit_copy(q.number, nullptr, p, 4, nullptr, nullptr));
  EXPECT_FAILURE(errc_invalid, "null pointer",
                 table().submit_fill(q.number, nullptr, p, 4, 1, nullptr, nullptr));
  check(table().usm_free(p));
}

void fills() {
  queue q;
  for (std::size_t size : {1, 2, 3, 4, 12, 16, 128, 200, 5000})
    for (std::size_t count : {0, 1, 3, 1000})
      for (std::size_t shift : {0, 1}) {
        char *p = allocate<char>(size * count + shift + 1);
        std::string pattern(size, '\0');
        for (std::size_t i = 0; i < size; ++i)
          pattern[i] = char(i * 7 + 1);
        p[size * count + shift] = 'e';
        handle event = 0;
        check(
            table().submit_fill(q.number, p + shift, pattern.data(), size, count, nullptr, &event));
        pattern.assign(size, 'x'); // was read at once
        wait_for(event);
        for (std::size_t i = 0; i < size * count; ++i)
          EXPECT(p[shift + i] == char(i % size * 7 + 1));
        EXPECT(p[size * count + shift] == 'e');
        check(table().usm_free(p));
      }
}

void event_order() {
  queue one, other;
  int *p = allocate<int>(4);
  int copied = -1;
  p[0] = 0;
  // What comes behind: a copy, a kernel, a fill and a marker.
  auto behind = [&](auto submit) {
    running_kernel before(one);
    handle first = one.launch("increment_one", fill_object{p, 1}, {}), event = 0;
    submit(api::requirements{nullptr, 0, &first, 1}, &event);
    handle marker = 0;
    check(table().submit_marker(other.number, nullptr, &marker));
    EXPECT(!is_done(first) && !is_done(event) && !is_done(marker));
    before.end();
    wait_for(marker);
    EXPECT(is_done(first) && is_done(event));
    check(table().event_release(first));
    check(table().event_release(event));
  };
  behind([&](const api::requirements &needed, handle *event) {
    check(table().submit_copy(other.number, &copied, p, sizeof(int), &needed, event));
  });
  EXPECT(copied == 1);
  behind([&](const api::requirements &needed, handle *event) {
    *event = other.launch("fill", fill_object{p, 5}, {1}, {}, after(needed.events[0]));
  });
  EXPECT(p[0] == 5);
  int pattern = 9;
  behind([&](const api::requirements &needed, handle *event) {
    check(table().submit_fill(other.number, p, &pattern, 4, 1, &needed, event));
  });
  EXPECT(p[0] == 9);
  behind([&](const api::requirements &needed, handle *event) {
    check(table().submit_marker(other.number, &needed, event));
  });
  EXPECT(p[0] == 10);
  check(table().usm_free(p));
}

void profiling() {
  queue q(0, api::queue_profiling), plain;
  int *p = allocate<int>(4);
  p[0] = 0;
  std::uint64_t times[3];
  handle event = q.launch("increment_one", fill_object{p, 1}, {});
  for (std::uint32_t what : {2, 1, 0})
    check(table().event_time(event, what, &times[what]));
  EXPECT(times[0] > 0 && times[0] <= times[1] && times[1] <= times[2] && p[0] == 1);
  check(table().event_wait(event));
  check(table().event_time(event, 0, &times[0]));
  {
    // At least as long as the host saw it run, give or take what clocks differ by.
    using clock = std::chrono::steady_clock;
    running_kernel long_one(q);
    auto begin = clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::chrono::nanoseconds seen = clock::now() - begin;
    long_one.end();
    check(table().event_time(long_one.event, 1, &times[1]));
    check(table().event_time(long_one.event, 2, &times[2]));
    EXPECT(std::int64_t(times[2] - times[1]) > seen.count() * 9 / 10);
  }
  EXPECT_FAILURE(errc_invalid, "event time 3", table().event_time(event, 3, times));
  handle marker = 0;
  check(table().submit_marker(q.number, nullptr, &marker));
  check(table().event_time(marker, 2, times));
  EXPECT(times[0] >= times[2]);
  char pattern[3] = {1, 2, 3};
  handle fill = 0;
  check(table().submit_fill(q.number, p, pattern, 3, 5, nullptr, &fill));
  check(table().event_time(fill, 2, times));
  handle untimed = plain.launch("fill", fill_object{p, 1}, {1});
  EXPECT_FAILURE(errc_invalid, "created without profiling", table().event_time(untimed, 0, times));
  for (handle h : {event, marker, fill, untimed})
    check(table().event_release(h));
  check(table().usm_free(p));
}

void released_queues_go_on() {
  int *p = allocate<int>(4), *freed = allocate<int>(4);
  p[0] = freed[0] = 0;
  handle event = 0;
  {
    std::optional<running_kernel> first;
    {
      queue q;
      first.emplace(q);
      q.launch("increment_one", fill_object{freed, 1}, {});
      event = q.launch("increment_one", fill_object{p, 1}, {});
    }
    check(table().usm_free(freed));
    {
      queue another;
    }
    EXPECT(!is_done(event));
  }
  wait_for(event);
  EXPECT(p[0] == 1);
  std::int32_t code = 7;
  queue q;
  check(table().queue_next_failure(q.number, &code));
  EXPECT(code == 0);
  check(table().usm_free(p));
}

void buffers() {
  queue q;
  std::vector<int> initial(64), expected(64);
  for (int i = 0; i < 64; ++i)
    initial[i] = i, expected[i] = (i * 2 + 5) * 3;
  buffer a(64, initial.data()), b(64), c(64, initial.data(), true);
  std::fill(initial.begin() + 32, initial.end(), 32);
  for (int i = 32; i < 64; ++i)
    expected[i] = (32 * 2 + 5) * 3; // `a` was not copied before this
  q.launch("scaled_copy", copy_object{a.number, b.number, 2}, {64}, {},
           needs{{a.read(), b.discard()}});
  q.launch("increment", copy_object{0, b.number, 5}, {64}, {}, needs{{b.write()}});
  q.launch("scaled_copy", copy_object{b.number, b.number, 3}, {64}, {},
           needs{{b.read(), b.discard()}});
  EXPECT(b.content(64) == expected);
  EXPECT(c.content(64)[40] == 40);
  check(table().buffer_read(a.number, initial.data()));
  EXPECT(initial[3] == 3);
  buffer undefined(64);
  undefined.content(64);
  handle none = 0;
  EXPECT_FAILURE(errc_invalid, "at least 1 byte", table().buffer_create(0, nullptr, 0, &none));
}

void host_access() {
  queue q;
  std::vector<int> initial(16, 4);
  buffer a(16, initial.data()), b(16);
  EXPECT(a.host(api::access_read) == initial.data());
  int *mine = a.host(api::access_read | api::access_write);
  EXPECT(mine != initial.data() && mine[15] == 4);
  mine[15] = 6;
  EXPECT(initial[15] == 4);
  q.launch("scaled_copy", copy_object{a.number, b.number, 2}, {16}, {},
           needs{{a.read(), b.discard()}});
  const int *result = b.host(api::access_read);
  EXPECT(result[0] == 8 && result[15] == 12);
  int *written = b.host(api::access_write | api::access_no_init);
  std::fill(written, written + 16, 1);
  q.launch("increment", copy_object{0, b.number, 1}, {16}, {}, needs{{b.write()}});
  EXPECT(b.content(16) == std::vector<int>(16, 2));
  buffer fresh(16);
  fresh.host(api::access_write)[3] = 3;
  EXPECT(fresh.content(16)[3] == 3);
}

// Every way that two command groups can conflict, on queues of the given devices.
void conflicts(std::uint32_t first_device, std::uint32_t second_device) {
  queue one(first_device), other(second_device);
  std::vector<int> initial(16, 1);
  buffer a(16, initial.data()), b(16), c(16, initial.data());
  // Copies on one queue, which are not done before what the other does behind them is given.
  auto behind_copy = [&](const buffer &from, const buffer &to, int factor, auto submit) {
    running_kernel before(one, first_device);
    handle copy = one.launch("scaled_copy", copy_object{from.number, to.number, factor}, {16}, {},
                             needs{{from.read(), to.discard()}});
    handle behind = submit(copy);
    EXPECT(!is_done(copy) && !is_done(behind));
    before.end();
    wait_for(behind);
    check(table().event_release(copy));
  };
  // Read what is being written.
  behind_copy(a, b, 10, [&](handle) {
    return other.launch("scaled_copy", copy_object{b.number, c.number, 2}, {16}, {},
                        needs{{b.read(), c.discard()}});
  });
  EXPECT(c.content(16) == std::vector<int>(16, 20));
  // Write what is being read.
  behind_copy(c, b, 2, [&](handle) {
    return other.launch("increment", copy_object{0, c.number, 100}, {16}, {}, needs{{c.write()}});
  });
  EXPECT(b.content(16) == std::vector<int>(16, 40) && c.content(16)[0] == 120);
  // Write what is being written, then back and forth.
  behind_copy(a, b, 3, [&](handle) {
    handle last = 0;
    for (int turn = 0; turn < 6; ++turn)
      last = (turn % 2 ? one : other)
                 .launch("increment", copy_object{0, b.number, 1}, {16}, {}, needs{{b.write()}});
    return last;
  });
  EXPECT(b.content(16) == std::vector<int>(16, 9));
  // An access counts although the kernel does not use it, and an event although no buffer does.
  behind_copy(a, b, 7, [&](handle copy) {
    handle marker = 0;
    auto access = b.write();
    api::requirements uses{&access, 1, &copy, 1};
    check(table().submit_marker(other.number, &uses, &marker));
    return marker;
  });
  EXPECT(b.host(api::access_read)[0] == 7);
}

void one_device() { conflicts(0, 0); }

// Work is given to a device behind work of another, and nobody waits meanwhile.
void work_behind_another_device() {
  queue one(0), other(1);
  std::size_t size = 1 << 20;
  std::vector<int> initial(size, 2);
  buffer a(size, initial.data()), b(size, initial.data()), c(size);
  running_kernel before(one);
  // A thread that waits may be given whatever can run.
  needs copied{{a.read(), b.write()}};
  copied.events = {before.event};
  handle first = one.launch("scaled_copy", copy_object{a.number, b.number, 10}, {16}, {}, copied);
  handle behind = other.launch("scaled_copy", copy_object{b.number, c.number, 3}, {size}, {},
                               needs{{b.read(), c.discard()}});
  handle back =
      one.launch("increment", copy_object{0, c.number, 1}, {size}, {}, needs{{c.write()}});
  int *p = allocate<int>(4, api::usm_shared, 1);
  p[0] = 0;
  handle last = other.launch("fill", fill_object{p, 8}, {1}, {}, after(first));
  // What waits for nothing is done before.
  wait_for(other.launch("fill", fill_object{p + 1, 9}, {1}));
  EXPECT(p[1] == 9 && p[0] == 0);
  EXPECT(!is_done(first) && !is_done(behind) && !is_done(back) && !is_done(last));
  before.end();
  auto result = c.content(size);
  EXPECT(result[0] == 61 && result[16] == 7 && result[size - 1] == 7);
  wait_for(last);
  EXPECT(p[0] == 8);
  for (handle h : {first, behind, back})
    check(table().event_release(h));
  check(table().usm_free(p));
}

void two_devices() {
  std::uint32_t count = 0;
  check(table().device_count(&count));
  EXPECT(count == 2);
  conflicts(0, 1);
  conflicts(1, 0);
  work_behind_another_device();
}

void buffers_outlive_their_work() {
  queue q;
  std::vector<int> initial(4096, 3);
  buffer result(4096);
  running_kernel before(q);
  {
    buffer a(4096, initial.data(), false, false), b(4096, nullptr, false, false);
    q.launch("scaled_copy", copy_object{a.number, b.number, 2}, {16}, {},
             needs{{a.read(), b.discard()}});
    q.launch("scaled_copy", copy_object{b.number, result.number, 2}, {16}, {},
             needs{{b.read(), result.discard()}});
  }
  std::fill(initial.begin(), initial.end(), 0);
  buffer other(4096, initial.data(), true);
  before.end();
  EXPECT(result.content(4096)[15] == 12 && other.content(4096)[0] == 0);
}

void accessors_that_nobody_requires() {
  queue q;
  buffer a(16), b(16);
  EXPECT_FAILURE(errc_kernel_argument, "that its command group does not require",
                 q.try_launch("scaled_copy", copy_object{a.number, b.number, 2}, {16}, {},
                              needs{{b.discard()}}));
  EXPECT_FAILURE(errc_invalid, "no buffer with handle 99999",
                 q.try_launch("scaled_copy", copy_object{a.number, b.number, 2}, {16}, {},
                              needs{{{99999, 1, 0}}}));
  q.launch("scaled_copy", copy_object{b.number, b.number, 0}, {16}, {}, needs{{b.discard()}});
  q.wait();
}

void threads() {
  queue shared;
  std::atomic<int> wrong{0};
  buffer sum(64, std::vector<int>(64).data(), true);
  auto work = [&](int number) {
    queue own;
    int *p = allocate<int>(64);
    for (int turn = 0; turn < 20; ++turn) {
      const queue &q = turn % 2 ? own : shared;
      int value = number * 1000 + turn;
      wait_for(q.launch("fill", fill_object{p, value}, {64}));
      wrong += std::count(p, p + 64, value) != 64;
      q.launch("increment", copy_object{0, sum.number, 1}, {64}, {}, needs{{sum.write()}});
      // Each thread's message is its own, also between two calls.
      std::string name = "missing" + std::to_string(value);
      int status = q.try_launch(name.c_str(), fill_object{p, 0}, {1});
      std::this_thread::yield();
      wrong += status != errc_kernel || error_text().find("'" + name + "'") == std::string::npos;
    }
    check(table().usm_free(p));
  };
  std::vector<std::thread> pool;
  for (int i = 0; i < 6; ++i)
    pool.emplace_back(work, i);
  for (auto &thread : pool)
    thread.join();
  EXPECT(wrong == 0);
  EXPECT(sum.content(64) == std::vector<int>(64, 120));
}

const std::map<std::string, std::function<void()>> checks{
    {"accessors_that_nobody_requires", accessors_that_nobody_requires},
    {"buffers", buffers},
    {"buffers_outlive_their_work", buffers_outlive_their_work},
    {"copies", copies},
    {"devices", devices},
    {"empty_ranges", empty_ranges},
    {"event_order", event_order},
    {"fills", fills},
    {"fitting_kernels", fitting_kernels},
    {"freed_memory_outlives_its_work", freed_memory_outlives_its_work},
    {"handles", handles},
    {"host_access", host_access},
    {"kernels", kernels},
    {"local_memory", local_memory},
    {"one_device", one_device},
    {"profiling", profiling},
    {"ranges", ranges},
    {"released_queues_go_on", released_queues_go_on},
    {"threads", threads},
    {"two_devices", two_devices},
    {"usm", usm},
    {"wrong_launches", wrong_launches},
};

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 2 || argv[2])
      throw std::logic_error("one check has to be named");
    checks.at(argv[1])();
    return 0;
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
