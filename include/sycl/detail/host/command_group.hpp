// command_group: the command and requirements of a handler, and their submission to the runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <sycl/detail/access_bits.hpp>
#include <sycl/detail/buffer_state.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/constant_values.hpp>
#include <sycl/detail/host/event.hpp>
#include <sycl/detail/host/event_state.hpp>
#include <sycl/detail/host/host_task.hpp>
#include <sycl/detail/host/kernel_bundle_state.hpp>
#include <sycl/detail/host/queue_state.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/detail/host/stream_state.hpp>
#include <sycl/detail/host_task_memory.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <sycl/event.hpp>
#include <sycl/exception.hpp>
#include <sycl/kernel_id.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

class command_group {
public:
  // Submits the command to the runtime, and returns its event.
  using command =
      std::function<void(host::handle queue, const host::requirements &, host::handle *event)>;

  explicit command_group(std::shared_ptr<queue_state> queue) : queue(std::move(queue)) {}

  const device &get_device() const { return queue->runs_on; }

  void require(host::handle buffer, std::uint32_t bits, std::shared_ptr<buffer_state> state) {
    if (state)
      buffers.push_back(std::move(state));
    for (host::buffer_access &known : accesses)
      if (known.buffer == buffer) {
        // Earlier content is not needed only if no accessor needs it.
        std::uint32_t no_init = known.mode & bits & host::access_no_init;
        known.mode = ((known.mode | bits) & ~host::access_no_init) | no_init;
        return;
      }
    accesses.push_back({buffer, bits, 0});
  }

  // Returns the index of the access to the buffer, which is added if there is none.
  std::size_t find_access(host::handle buffer, std::uint32_t bits) {
    for (std::size_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].buffer == buffer)
        return i;
    accesses.push_back({buffer, bits, 0});
    return accesses.size() - 1;
  }

  // The mutex of the buffer's user; null if there is none.
  std::mutex *find_guard(host::handle buffer) const {
    for (const auto &state : buffers)
      if (state->get_handle() == buffer)
        return state->get_guard();
    return nullptr;
  }

  void use_in_host_task(host::handle buffer, std::shared_ptr<host_task_place> place) {
    places.emplace_back(find_access(buffer, 0), std::move(place));
  }

  void depend_on(const event &e) {
    if (host::handle handle = event_access::handle(e)) {
      events.push_back(e);
      event_handles.push_back(handle);
    }
  }

  // Sets the kernel of the command; throws if the device cannot run it or the bundle lacks it.
  void set_kernel(const char *symbol) {
    queue->check_fit(symbol);
    kernel = symbol;
    check_bundle();
  }

  void use_bundle(std::shared_ptr<const kernel_bundle_state> used) {
    if (used->where != queue->where)
      fail(errc::invalid, "the kernel bundle is of another context than the queue");
    if (!constants.empty())
      fail(errc::invalid, "use_kernel_bundle: the command group has set a specialization constant; "
                          "set it in the kernel bundle");
    bundle = std::move(used);
    check_bundle();
  }

  // The values that the command group itself has set.
  constant_values &own_constants() {
    if (bundle)
      fail(errc::invalid, "specialization constants of a command group that uses a kernel bundle "
                          "are those of the bundle");
    return constants;
  }

  // The number of the values with which its kernel is started: those of the bundle or, without one,
  // its own at the time of the call that started the kernel.
  std::uint64_t own_constants_number() const { return constants.number(); }
  std::uint64_t constants_of_kernel(std::uint64_t own) const {
    return bundle ? bundle->find(kernel)->constants.number() : own;
  }

  const host::reduction_capacity &get_reduction_capacity() const {
    return queue->get_reduction_capacity();
  }

  // Returns memory for the kernel, until it is complete.
  void *take_scratch(std::size_t size) {
    scratch = queue->scratch.take(size, queue->runs_on);
    return scratch.get_address();
  }

  void keep(std::shared_ptr<const void> owner) { owners.push_back(std::move(owner)); }

  void set_command(command c) {
    if (run)
      fail(errc::invalid, "one command per submit(); submit the second one separately");
    run = std::move(c);
  }

  // Several commands that act as one; `each` submits the command of an index.
  using indexed_command = std::function<void(std::size_t index, host::handle queue,
                                             const host::requirements &, host::handle *event)>;
  void set_commands(std::size_t count, indexed_command each) {
    set_command([count, each = std::move(each)](
                    host::handle handle, const host::requirements &needs, host::handle *event) {
      std::vector<host::handle> parts(count);
      for (std::size_t i = 0; i < count; ++i)
        each(i, handle, needs, &parts[i]);
      host::requirements all{nullptr, 0, parts.data(), count};
      host::call(&host::api_table::submit_marker, handle, count ? &all : &needs, event);
      for (host::handle part : parts)
        host::call_quietly(&host::api_table::event_release, part);
    });
  }

  // A command without work of its own.
  void set_marker() {
    set_command([](host::handle handle, const host::requirements &needs, host::handle *event) {
      host::call(&host::api_table::submit_marker, handle, &needs, event);
    });
  }

  // All later work of the queue waits for it.
  void set_barrier() {
    set_command([](host::handle handle, const host::requirements &needs, host::handle *event) {
      host::call(&host::api_table::submit_barrier, handle, &needs, event);
    });
  }

  // A command that a thread of the runtime executes on the host.
  void set_host_task(host_task::function work) {
    set_command([this, work = std::move(work)](host::handle handle, const host::requirements &needs,
                                               host::handle *event) {
      auto known = [work, places = std::move(places)](void *const *addresses) {
        for (const auto &[number, place] : places)
          place->store(addresses[number]);
        work(addresses);
      };
      auto task = std::make_unique<host_task>(queue, std::move(known), std::move(owners));
      host::call(&host::api_table::submit_host_task, handle, &host_task::run, &host_task::end,
                 task.get(), &needs, event);
      // The runtime owns it, and may already have destroyed it.
      task.release();
    });
  }

  void add_stream(std::shared_ptr<stream_state> added) {
    require(added->records->get_handle(), writes | needs_no_content, added->records);
    require(added->end->get_handle(), reads | writes, added->end);
    streams.push_back(std::move(added));
  }

  // Starts a kernel that requires nothing.
  host::handle start_kernel(const host::kernel_launch &launch) {
    std::int64_t event =
        host::table().start_kernel(queue->handle, &launch, launch.object, queue->take_unwanted());
    if (event < 0)
      host::throw_failure(static_cast<int>(-event));
    return static_cast<host::handle>(event);
  }

  event submit() {
    host::requirements needs{accesses.data(), accesses.size(), event_handles.data(),
                             event_handles.size()};
    host::handle handle = 0;
    if (run)
      run(queue->handle, needs, &handle);
    else
      host::call(&host::api_table::submit_marker, queue->handle, &needs, &handle);
    scratch.give_back(queue->in_order() ? 0 : handle);
    host::handle last = streams.empty() ? handle : print_streams(handle);
    event_state::wait_list before;
    for (const event &each : events)
      before.push_back(event_access::state(each));
    return event_access::make(
        std::make_shared<event_state>(queue, last, handle, std::move(before)));
  }

private:
  // Submits a host task after the command, and returns its event. It holds all buffers that the
  // command writes, and the event of the command group is this one: so what waits for the command
  // waits for its output.
  host::handle print_streams(host::handle command) {
    std::vector<host::buffer_access> held;
    for (const host::buffer_access &each : accesses)
      if (each.mode & host::access_write)
        held.push_back({each.buffer, host::access_read | host::access_write, 0});
    accesses = std::move(held);
    std::vector<std::pair<std::size_t, std::size_t>> numbers;
    for (const auto &each : streams)
      numbers.emplace_back(find_access(each->end->get_handle(), 0),
                           find_access(each->records->get_handle(), 0));
    auto print = [streams = std::move(streams), numbers](void *const *addresses) {
      for (std::size_t i = 0; i < streams.size(); ++i)
        streams[i]->print(addresses[numbers[i].first], addresses[numbers[i].second]);
    };
    auto task = std::make_unique<host_task>(queue, std::move(print), host_task::owners());
    host::requirements needs{accesses.data(), accesses.size(), &command, 1};
    host::handle printed = 0;
    host::call(&host::api_table::submit_host_task, queue->handle, &host_task::run, &host_task::end,
               task.get(), &needs, &printed);
    task.release();
    return printed;
  }

  void check_bundle() const {
    if (!kernel || !bundle || bundle->has(kernel, queue->runs_on))
      return;
    std::string name = find_kernel(kernel).get_name();
    const char *lack = bundle->find(kernel) ? " for the device of the queue" : "";
    throw exception(make_error_code(errc::kernel_not_supported),
                    "the kernel bundle that the command group uses does not have kernel '" + name +
                        "'" + lack);
  }

  std::shared_ptr<queue_state> queue;
  std::vector<host::buffer_access> accesses;
  std::vector<host::handle> event_handles;
  std::vector<event> events;
  // Kept alive until the command is submitted.
  std::vector<std::shared_ptr<buffer_state>> buffers;
  // The indices of the accesses whose addresses a host task receives.
  std::vector<std::pair<std::size_t, std::shared_ptr<host_task_place>>> places;
  scratch_lease scratch;
  host_task::owners owners; // kept alive until the command is done
  std::vector<std::shared_ptr<stream_state>> streams;
  command run;
  // Null if there is none.
  const char *kernel = nullptr;
  std::shared_ptr<const kernel_bundle_state> bundle;
  constant_values constants;
};

} // namespace detail
} // namespace _V1
} // namespace sycl
