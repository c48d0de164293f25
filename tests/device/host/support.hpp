// What the headers do with the table, in the least code that will do.
#pragma once

#include <sycl/detail/host/process_record.hpp>
#include <sycl/detail/host/start.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace api = sycl::detail::host;
using api::handle;

inline const api::api_table &table() {
  static const api::api_table *found = [] {
    const api::api_table *t = api::find_or_make_record()->table;
    if (!t && api::dovetail_start_runtime) {
      char problem[1024];
      api::dovetail_start_runtime(api::find_record(), problem, sizeof(problem));
      t = api::find_record()->table;
    }
    if (!t)
      throw std::runtime_error("there is no table");
    if (t->size != sizeof(api::api_table) || t->version != api::api_version)
      throw std::runtime_error("the table does not fit");
    return t;
  }();
  return *found;
}

struct failure : std::runtime_error {
  int code;
  failure(int c, const std::string &text) : std::runtime_error(text), code(c) {}
};

inline std::string error_text() {
  std::string text(table().error_text(nullptr, 0), '\0');
  table().error_text(text.data(), text.size());
  return text;
}

inline void check(int status) {
  if (status)
    throw failure(status, error_text());
}

[[noreturn]] inline void not_so(int line, const std::string &text) {
  throw std::logic_error("line " + std::to_string(line) + ": " + text);
}

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition))                                                                              \
      not_so(__LINE__, #condition);                                                                \
  } while (false)

// A call that must fail with this number and a message that has `part` in it.
#define EXPECT_FAILURE(errc, part, call)                                                           \
  do {                                                                                             \
    int status_ = (call);                                                                          \
    std::string text_ = status_ ? error_text() : "";                                               \
    if (status_ != (errc) || text_.find(part) == std::string::npos)                                \
      not_so(__LINE__, "status " + std::to_string(status_) + ", '" + text_ + "'");                 \
  } while (false)

struct needs {
  std::vector<api::buffer_access> accesses;
  std::vector<handle> events;
  needs(std::initializer_list<api::buffer_access> a = {}) : accesses(a) {}
};

inline needs after(handle event) {
  needs n;
  n.events = {event};
  return n;
}

struct queue {
  handle number = 0;
  explicit queue(std::uint32_t device = 0, std::uint32_t flags = 0) {
    check(table().queue_create(device, flags, &number));
  }
  queue(const queue &) = delete;
  ~queue() { table().queue_release(number); }
  void wait() const { check(table().queue_wait(number)); }

  template <class Object>
  int try_launch(const char *kernel, const Object &object, std::vector<std::size_t> global,
                 std::vector<std::size_t> local = {}, const needs &n = {}, handle *event = nullptr,
                 std::vector<std::size_t> offset = {}) const {
    api::kernel_launch launch{};
    launch.kernel = kernel;
    launch.object = &object;
    launch.object_size = sizeof(object);
    launch.dimensions = global.size();
    launch.has_local = !local.empty();
    for (std::size_t i = 0; i < global.size(); ++i)
      launch.global[i] = global[i];
    for (std::size_t i = 0; i < local.size(); ++i)
      launch.local[i] = local[i];
    for (std::size_t i = 0; i < offset.size(); ++i)
      launch.offset[i] = offset[i];
    api::requirements r{n.accesses.data(), n.accesses.size(), n.events.data(), n.events.size()};
    return table().submit_kernel(number, &launch, &r, event);
  }

  template <class Object>
  handle launch(const char *kernel, const Object &object, std::vector<std::size_t> global,
                std::vector<std::size_t> local = {}, const needs &n = {},
                std::vector<std::size_t> offset = {}) const {
    handle event = 0;
    check(try_launch(kernel, object, global, local, n, &event, offset));
    return event;
  }
};

inline void wait_for(handle event) {
  check(table().event_wait(event));
  check(table().event_release(event));
}

template <class T>
T *allocate(std::size_t count, std::uint32_t kind = api::usm_shared, std::uint32_t device = 0) {
  void *address = nullptr;
  check(table().usm_allocate(device, kind, count * sizeof(T), 0, &address));
  return static_cast<T *>(address);
}

struct buffer {
  handle number = 0;
  std::uint32_t wait;
  buffer(std::size_t count, const int *initial = nullptr, bool copy_now = false, bool wait_ = true)
      : wait(wait_) {
    check(table().buffer_create(count * sizeof(int), initial, copy_now, &number));
  }
  buffer(const buffer &) = delete;
  ~buffer() { table().buffer_release(number, wait); }
  api::buffer_access read() const { return {number, api::access_read, 0}; }
  api::buffer_access write() const { return {number, api::access_read | api::access_write, 0}; }
  api::buffer_access discard() const {
    return {number, api::access_write | api::access_no_init, 0};
  }
  int *host(std::uint32_t mode) const {
    void *address = nullptr;
    check(table().buffer_host_begin(number, mode, &address));
    check(table().buffer_host_end(number, mode));
    return static_cast<int *>(address);
  }
  std::vector<int> content(std::size_t count) const {
    std::vector<int> values(count);
    check(table().buffer_read(number, values.data()));
    return values;
  }
};

// The kernels' objects, as conftest.py describes them.
struct fill_object {
  int *out;
  int value;
};
struct copy_object { // an accessor starts with its buffer's handle
  handle from;
  handle to;
  int factor;
};
struct group_sum_object { // a local_accessor with its size in bytes
  std::uint64_t scratch_size;
  int *out;
  std::uint64_t other_size;
};

// A kernel that runs until it is told to end; what is given to its queue later waits for it.
struct running_kernel {
  int *told;
  handle event;
  explicit running_kernel(const queue &q, std::uint32_t device = 0)
      : told(allocate<int>(2, api::usm_host, device)) {
    word(0) = word(1) = 0;
    event = q.launch("until", fill_object{told, 0}, {});
    // A thread that waits for other work must not be given this.
    while (!word(1))
      std::this_thread::yield();
  }
  running_kernel(const running_kernel &) = delete;
  ~running_kernel() {
    end();
    table().event_wait(event);
    table().event_release(event);
    table().usm_free(told);
  }
  void end() { word(0) = 1; }
  volatile int &word(int i) { return told[i]; }
};
