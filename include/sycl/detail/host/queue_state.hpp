// queue_state: what the copies of a queue, and the events of its work, share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <mutex>
#include <sycl/async_handler.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/context.hpp>
#include <sycl/detail/host/reduction_capacity.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/detail/host/scratch_pool.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/exception.hpp>
#include <sycl/exception_list.hpp>
#include <sycl/property/queue.hpp>
#include <sycl/property_list.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

class queue_state {
public:
  queue_state(const context &where, const device &runs_on, async_handler handler,
              const property_list &properties)
      : where(where), runs_on(runs_on), properties(properties), handler(std::move(handler)) {
    std::uint32_t flags =
        (in_order() ? host::queue_in_order : 0) | (profiled() ? host::queue_profiling : 0);
    host::call(&host::api_table::queue_create, device_access::index(runs_on), flags, &handle);
  }

  queue_state(const queue_state &) = delete;
  queue_state &operator=(const queue_state &) = delete;

  // Passes unreported errors to the handler. An exception from it terminates the program.
  ~queue_state() {
    throw_asynchronous();
    release(0);
    host::call_quietly(&host::api_table::queue_release, handle);
  }

  bool in_order() const { return properties.has_property<property::queue::in_order>(); }
  bool profiled() const { return properties.has_property<property::queue::enable_profiling>(); }

  // Releases an event that is no longer used by the program. The call into the runtime is combined
  // with the next launch, or made when another event is released, since calls are expensive.
  void release(host::handle event) noexcept {
    if (scratch.keep(event))
      return;
    if (host::handle before = unwanted.exchange(event))
      host::call_quietly(&host::api_table::event_release, before);
  }
  host::handle take_unwanted() noexcept { return unwanted.exchange(0); }

  void wait() const { host::call(&host::api_table::queue_wait, handle); }

  // Throws the exception that a launch of the kernel would. Caches kernels that fit.
  void check_fit(const char *symbol) {
    std::size_t place = reinterpret_cast<std::uintptr_t>(symbol) / 16 % known_places;
    if (known_to_fit[place].load(std::memory_order_relaxed) == symbol)
      return;
    std::int32_t code = 0;
    host::call(&host::api_table::kernel_fit, device_access::index(runs_on), &symbol, 1, &code);
    if (code)
      host::throw_failure(code);
    known_to_fit[place].store(symbol, std::memory_order_relaxed);
  }

  // Computed once, since queries of the device are calls into the runtime.
  const host::reduction_capacity &get_reduction_capacity() {
    std::call_once(has_capacity, [this] { capacity = host::capacity_for_reductions(runs_on); });
    return capacity;
  }

  // Adds the failure of a host task; thread-safe.
  void keep_task_failure(std::exception_ptr failure) {
    std::lock_guard<std::mutex> lock(task_failures_mutex);
    task_failures.push_back(std::move(failure));
  }

  // Passes unreported failures to the handler, in order.
  void throw_asynchronous() {
    exception_list failures = exception_list_access::make();
    for (;;) {
      std::int32_t code = 0;
      host::call(&host::api_table::queue_next_failure, handle, &code);
      if (code == 0)
        break;
      if (code == host::host_task_failure) {
        take_task_failure(failures);
        continue;
      }
      exception failure(where, make_error_code(static_cast<errc>(code)), host::error_text());
      exception_list_access::add(failures, std::make_exception_ptr(failure));
    }
    // The runtime reports a task's failure after the task has stored it here.
    while (take_task_failure(failures)) {
    }
    if (failures.size() != 0)
      report(failures);
  }

  const context where;
  const device runs_on;
  const property_list properties;
  host::handle handle = 0;
  scratch_pool scratch;

private:
  bool take_task_failure(exception_list &failures) {
    std::lock_guard<std::mutex> lock(task_failures_mutex);
    if (task_failures.empty())
      return false;
    exception_list_access::add(failures, std::move(task_failures.front()));
    task_failures.erase(task_failures.begin());
    return true;
  }

  void report(const exception_list &failures) const {
    if (handler)
      handler(failures);
    else if (const async_handler &shared = context_access::state(where).handler)
      shared(failures);
    else
      stop(failures);
  }

  // The standard's default handler.
  [[noreturn]] static void stop(const exception_list &failures) {
    for (const std::exception_ptr &failure : failures) {
      try {
        std::rethrow_exception(failure);
      } catch (const std::exception &e) {
        std::fprintf(stderr, "SYCL: an error that no async_handler took: %s\n", e.what());
      }
    }
    std::terminate();
  }

  std::once_flag has_capacity;
  host::reduction_capacity capacity = {};
  std::atomic<host::handle> unwanted{0}; // an event to be released
  const async_handler handler;
  std::mutex task_failures_mutex;
  std::vector<std::exception_ptr> task_failures; // oldest first
  static constexpr std::size_t known_places = 16;
  std::atomic<const char *> known_to_fit[known_places] = {};
};

} // namespace detail
} // namespace _V1
} // namespace sycl
