// host_task: a function that the runtime calls in one of its threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <sycl/detail/host/late_buffers.hpp>
#include <sycl/detail/host/queue_state.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

class host_task {
public:
  // Receives the addresses of the buffers that the command group requires.
  using function = std::function<void(void *const *addresses)>;
  using owners = std::vector<std::shared_ptr<const void>>;

  host_task(std::shared_ptr<queue_state> queue, function work, owners kept)
      : queue(std::move(queue)), kept(std::move(kept)), work(std::move(work)) {}

  // A host_task_function.
  static std::int32_t run(void *object, void *const *addresses) noexcept {
    auto *task = static_cast<host_task *>(object);
    std::int32_t status = 0;
    try {
      task->work(addresses);
    } catch (...) {
      task->queue->keep_task_failure(std::current_exception());
      status = 1;
    }
    // Destroyed before the task completes, so threads that wait for it can rely on that.
    host::collected_buffers = &task->buffers;
    task->work = nullptr;
    task->kept.clear();
    task->queue.reset();
    host::collected_buffers = nullptr;
    return status;
  }

  // A host_task_end.
  static void end(void *object) noexcept { delete static_cast<host_task *>(object); }

private:
  std::shared_ptr<queue_state> queue;
  owners kept;
  function work;
  host::late_buffers buffers;
};

} // namespace detail
} // namespace _V1
} // namespace sycl
