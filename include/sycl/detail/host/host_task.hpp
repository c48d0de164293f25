// host_task: what the runtime is given to call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <sycl/detail/host/queue_state.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

class host_task {
public:
  // Takes the addresses of the content of the buffers that the command group requires.
  using function = std::function<void(void *const *addresses)>;
  using owners = std::vector<std::shared_ptr<const void>>;

  host_task(std::shared_ptr<queue_state> queue, function work, owners kept)
      : queue(std::move(queue)), kept(std::move(kept)), work(std::move(work)) {}

  // A host_task_function. The task is gone afterwards, with all that it has kept.
  static std::int32_t run(void *object, void *const *addresses) noexcept {
    std::unique_ptr<host_task> task(static_cast<host_task *>(object));
    try {
      task->work(addresses);
    } catch (...) {
      task->queue->keep_task_failure(std::current_exception());
      return 1;
    }
    return 0;
  }

private:
  std::shared_ptr<queue_state> queue;
  owners kept;
  function work;
};

} // namespace detail
} // namespace _V1
} // namespace sycl
