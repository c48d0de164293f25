// A runtime that does nothing but remember what the headers asked of it. Buffers have memory, and
// work is done at once or not at all.
#pragma once

#include <sycl/detail/host/api.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

namespace mock {

namespace host = sycl::detail::host;

struct launch {
  std::string kernel;
  std::vector<unsigned char> object;
  host::kernel_launch shape;
  std::vector<host::buffer_access> accesses;
  std::vector<host::handle> events;
};

struct buffer {
  std::vector<unsigned char> content;
  const void *initial;
  bool copied_at_once;
  void *home = nullptr;
};

struct device {
  std::string name, platform;
  std::uint32_t type;
  std::vector<std::uint32_t> aspects;
};

struct kernel {
  std::string symbol, name;
  std::vector<std::uint32_t> devices; // that can run it
  std::vector<std::size_t> work_group = {0, 0, 0};
};

// One word for each call, with what matters of its arguments.
inline std::vector<std::string> calls;
inline std::vector<launch> launches;
inline std::map<host::handle, buffer> buffers;
inline std::vector<std::pair<int, std::string>> failures; // of work, for queue_next_failure
inline std::vector<device> devices = {{"processor", "one", 1, {1, 6, 13, 14, 15}},
                                      {"graphics", "two", 2, {2, 5, 13, 27}}};
inline std::vector<kernel> kernels; // any other fits everywhere, and nobody notes who asks
inline int fail_next = 0;           // what the next call returns
inline std::string fail_build;      // what kernel_build fails with
inline std::string text;
inline host::handle last_handle = 0;

template <typename... Words> int called(const char *name, Words... words) {
  std::string line = name;
  ((line += " " + std::to_string(words)), ...);
  calls.push_back(line);
  int code = fail_next;
  fail_next = 0;
  return code;
}

inline int submitted(const host::requirements *needs, host::handle *event, launch entry) {
  entry.accesses.assign(needs->accesses, needs->accesses + needs->access_count);
  entry.events.assign(needs->events, needs->events + needs->event_count);
  launches.push_back(entry);
  *event = ++last_handle;
  return 0;
}

inline const kernel *find_kernel(const std::string &symbol) {
  for (const kernel &each : kernels)
    if (each.symbol == symbol)
      return &each;
  return nullptr;
}

inline bool fits(const kernel &k, std::uint32_t device) {
  return std::find(k.devices.begin(), k.devices.end(), device) != k.devices.end();
}

inline int kernel_fit(std::uint32_t device, const char *const *symbols, std::size_t count,
                      std::int32_t *codes) {
  if (kernels.empty()) {
    std::fill_n(codes, count, 0);
    return 0;
  }
  text.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const kernel *found = find_kernel(symbols[i]);
    codes[i] = !found || fits(*found, device) ? 0 : 13;
    if (codes[i] && text.empty())
      text = found->name + " does not fit " + devices.at(device).name;
  }
  return called("kernel_fit", device, count);
}

inline int kernel_build(std::uint32_t device, const char *const *symbols, const std::uint64_t *,
                        std::size_t count) {
  called("kernel_build", device, count);
  for (std::size_t i = 0; i < count; ++i)
    calls.back() += std::string(" ") + symbols[i];
  text = fail_build;
  return fail_build.empty() ? 0 : 7;
}

inline int device_info(std::uint32_t index, std::uint32_t query, void *value, std::size_t capacity,
                       std::size_t *size) {
  const device &d = devices.at(index);
  std::string answer;
  auto put = [&](auto number) { answer.append(reinterpret_cast<char *>(&number), sizeof(number)); };
  switch (static_cast<host::device_query>(query)) {
  case host::device_query::name:
    answer = d.name;
    break;
  case host::device_query::platform_name:
    answer = d.platform;
    break;
  case host::device_query::extensions:
    answer = "first  second ";
    break;
  case host::device_query::device_type:
    put(d.type);
    break;
  case host::device_query::aspects:
    for (std::uint32_t number : d.aspects)
      put(number);
    break;
  case host::device_query::max_work_item_sizes:
    for (std::size_t number : {1, 2, 3})
      put(number);
    break;
  case host::device_query::max_work_group_size:
    put(std::size_t{256});
    break;
  case host::device_query::backend:
    put(std::uint32_t{1});
    break;
  case host::device_query::local_mem_type:
    put(std::uint64_t{1});
    break;
  case host::device_query::local_mem_size:
    put(std::uint64_t{1} << 40);
    break;
  default:
    break;
  }
  *size = answer.size();
  if (capacity >= answer.size())
    std::memcpy(value, answer.data(), answer.size());
  return 0;
}

inline host::api_table make_table() {
  host::api_table t = {};
  t.size = sizeof(t);
  t.version = host::api_version;
  t.error_text = [](char *to, std::size_t capacity) {
    std::memcpy(to, text.data(), std::min(capacity, text.size()));
    return text.size();
  };
  t.device_count = [](std::uint32_t *count) {
    *count = static_cast<std::uint32_t>(devices.size());
    return 0;
  };
  t.device_info = device_info;
  t.kernel_list = [](host::kernel_name *names, std::size_t capacity, std::size_t *count) {
    *count = kernels.size();
    for (std::size_t i = 0; i < std::min(capacity, kernels.size()); ++i)
      names[i] = {kernels[i].symbol.c_str(), kernels[i].name.c_str()};
    return 0;
  };
  t.kernel_find = [](const char *symbol, host::kernel_name *name) {
    const kernel *found = find_kernel(symbol);
    text = std::string("no kernel ") + symbol;
    if (!found)
      return 2;
    *name = {found->symbol.c_str(), found->name.c_str()};
    return 0;
  };
  t.kernel_fit = kernel_fit;
  t.kernel_build = kernel_build;
  t.kernel_work_group = [](std::uint32_t, const char *symbol, std::size_t *sizes) {
    std::copy_n(find_kernel(symbol)->work_group.begin(), 3, sizes);
    return 0;
  };
  t.kernel_detail = [](std::uint32_t, const char *, std::uint32_t query, std::uint64_t *value) {
    *value = query == 0 ? 256 : query; // the largest work-group
    return 0;
  };
  t.kernel_constant = [](const char *, const char *, std::uint32_t *uses) {
    *uses = 0;
    return 0;
  };
  t.queue_create = [](std::uint32_t device, std::uint32_t flags, host::handle *queue) {
    *queue = ++last_handle;
    return called("queue_create", device, flags);
  };
  t.queue_release = [](host::handle) { return called("queue_release"); };
  t.queue_wait = [](host::handle) { return called("queue_wait"); };
  t.queue_is_idle = [](host::handle, std::uint32_t *idle) {
    *idle = 1;
    return called("queue_is_idle");
  };
  t.queue_next_failure = [](host::handle, std::int32_t *code) {
    *code = 0;
    if (!failures.empty()) {
      *code = failures.front().first;
      text = failures.front().second;
      failures.erase(failures.begin());
    }
    return 0;
  };
  t.start_kernel = [](host::handle, const host::kernel_launch *l, const void *object,
                      host::handle unwanted) -> std::int64_t {
    if (unwanted)
      called("event_release");
    if (int code = called("start_kernel"))
      return -code;
    auto *bytes = static_cast<const unsigned char *>(object);
    host::handle event = 0;
    const host::requirements nothing = {};
    submitted(&nothing, &event, {l->kernel, {bytes, bytes + l->object_size}, *l, {}, {}});
    return static_cast<std::int64_t>(event);
  };
  t.submit_kernel = [](host::handle, const host::kernel_launch *l, const host::requirements *needs,
                       host::handle *event) {
    if (int code = called("submit_kernel"))
      return code;
    auto *bytes = static_cast<const unsigned char *>(l->object);
    return submitted(needs, event, {l->kernel, {bytes, bytes + l->object_size}, *l, {}, {}});
  };
  t.submit_copy = [](host::handle, void *to, const void *from, std::size_t size,
                     const host::requirements *needs, host::handle *event) {
    std::memcpy(to, from, size);
    called("submit_copy", size);
    return submitted(needs, event, {});
  };
  t.submit_fill = [](host::handle, void *to, const void *pattern, std::size_t size,
                     std::size_t count, const host::requirements *needs, host::handle *event) {
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(static_cast<char *>(to) + i * size, pattern, size);
    called("submit_fill", size, count);
    return submitted(needs, event, {});
  };
  t.submit_marker = [](host::handle, const host::requirements *needs, host::handle *event) {
    called("submit_marker");
    return submitted(needs, event, {});
  };
  t.event_wait = [](host::handle) { return called("event_wait"); };
  t.event_is_done = [](host::handle, std::uint32_t *done) {
    *done = 0;
    return 0;
  };
  t.event_time = [](host::handle, std::uint32_t what, std::uint64_t *time) {
    *time = 100 + what;
    return 0;
  };
  t.event_release = [](host::handle) { return called("event_release"); };
  t.usm_allocate = [](std::uint32_t device, std::uint32_t kind, std::size_t size,
                      std::size_t alignment, void **address) {
    *address = size > (std::size_t{1} << 40) ? nullptr : std::malloc(size);
    return called("usm_allocate", device, kind, size, alignment);
  };
  t.usm_free = [](void *address) {
    std::free(address);
    return called("usm_free");
  };
  t.usm_info = [](const void *address, std::uint32_t *kind, std::uint32_t *device) {
    *kind = address ? host::usm_shared : host::usm_unknown;
    *device = 1;
    return 0;
  };
  t.buffer_create = [](std::size_t size, const void *initial, std::uint32_t source,
                       host::handle *handle) {
    buffer b{std::vector<unsigned char>(size), initial, source == host::buffer_copied};
    if (initial)
      std::memcpy(b.content.data(), initial, size);
    *handle = ++last_handle;
    buffers[*handle] = b;
    return called("buffer_create", size, source);
  };
  t.buffer_read = [](host::handle handle, void *to) {
    std::memcpy(to, buffers.at(handle).content.data(), buffers.at(handle).content.size());
    return called("buffer_read");
  };
  t.buffer_release = [](host::handle handle, std::uint32_t wait) {
    buffers.erase(handle);
    return called("buffer_release", wait);
  };
  t.buffer_host_begin = [](host::handle handle, std::uint32_t mode, void **address) {
    *address = buffers.at(handle).content.data();
    return called("buffer_host_begin", mode);
  };
  t.buffer_host_end = [](host::handle, std::uint32_t mode) {
    return called("buffer_host_end", mode);
  };
  // At once, in this thread.
  t.submit_host_task = [](host::handle, host::host_task_function *run, host::host_task_end *end,
                          void *task, const host::requirements *needs, host::handle *event) {
    if (int code = called("submit_host_task"))
      return code;
    std::vector<void *> addresses;
    for (std::size_t i = 0; i < needs->access_count; ++i)
      addresses.push_back(buffers.at(needs->accesses[i].buffer).content.data());
    if (run(task, addresses.data()))
      failures.push_back({host::host_task_failure, ""});
    end(task);
    return submitted(needs, event, {});
  };
  t.submit_barrier = [](host::handle, const host::requirements *needs, host::handle *event) {
    called("submit_barrier");
    return submitted(needs, event, {});
  };
  t.buffer_set_home = [](host::handle handle, void *home) {
    buffers.at(handle).home = home;
    return 0;
  };
  t.buffer_home = [](host::handle handle, void **home) {
    *home = buffers.at(handle).home;
    return 0;
  };
  return t;
}

inline host::api_table table = make_table();

// As the runtime does when it starts.
inline void announce() { host::find_or_make_record()->table = &table; }

// Sets the variable of a process with that key.
inline void announce_record(std::uint64_t key) {
  static host::process_record record{};
  record.version = host::api_version;
  record.table = &table;
  char value[64];
  std::snprintf(value, sizeof(value), "%llx:%llx", static_cast<unsigned long long>(key),
                static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(&record)));
  setenv("DOVETAIL_HOST_PROCESS", value, 1);
}

} // namespace mock
