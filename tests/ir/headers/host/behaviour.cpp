// What the host's classes ask of the runtime, case by case. `behaviour CASE` runs one of them.
#include <sycl/sycl.hpp>

#include "mock_runtime.hpp"
#include <array>
#include <cstdio>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

#define CHECK(CONDITION)                                                                           \
  do {                                                                                             \
    if (!(CONDITION)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #CONDITION);                         \
      for (const std::string &call : mock::calls)                                                  \
        std::fprintf(stderr, "  %s\n", call.c_str());                                              \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

using calls = std::vector<std::string>;

// The error code of what the function throws.
template <typename Function> sycl::errc thrown(Function function) {
  try {
    function();
  } catch (const sycl::exception &e) {
    CHECK(e.category() == sycl::sycl_category());
    CHECK(!std::string(e.what()).empty());
    return static_cast<sycl::errc>(e.code().value());
  }
  return sycl::errc::success;
}

calls take_calls() { return std::exchange(mock::calls, {}); }
mock::launch last_launch() { return mock::launches.back(); }

constexpr std::uint32_t read = 1, write = 2, no_init = 4;

void table_of_another_process() {
  mock::announce_record(sycl::detail::host::process_key() + 1);
  try {
    sycl::queue q;
    CHECK(false);
  } catch (const sycl::exception &e) {
    CHECK(e.code() == sycl::errc::runtime);
    CHECK(std::string(e.what()).find("dovetail run") != std::string::npos);
  }
  unsetenv("DOVETAIL_HOST_PROCESS");
  CHECK(thrown([] { sycl::device d; }) == sycl::errc::runtime);
  setenv("DOVETAIL_HOST_PROCESS", "nonsense", 1);
  CHECK(thrown([] { sycl::device d; }) == sycl::errc::runtime);
  mock::announce();
  mock::table.version = 99;
  CHECK(thrown([] { sycl::device d; }) == sycl::errc::runtime);
  mock::table.version = sycl::detail::host::api_version;
  sycl::device d; // found once all is well
}

void errors_become_exceptions() {
  sycl::queue q;
  for (std::size_t length : {7, 511, 512, 513, 5000}) {
    mock::fail_next = static_cast<int>(sycl::errc::build);
    mock::text = std::string(length, 'x');
    try {
      q.single_task([] {});
      CHECK(false);
    } catch (const sycl::exception &e) {
      CHECK(e.code() == sycl::errc::build && e.what() == mock::text);
      CHECK(e.code() == sycl::make_error_code(sycl::errc::build) && !e.has_context());
    }
  }
  sycl::exception with(q.get_context(), sycl::errc::kernel);
  CHECK(with.has_context() && with.get_context() == q.get_context());
  CHECK(std::string(with.what()) == with.code().message());
  CHECK(thrown([] { sycl::exception(sycl::errc::kernel).get_context(); }) == sycl::errc::invalid);
}

void selectors() {
  using namespace sycl;
  CHECK(device() == device(default_selector_v) && device().is_cpu());
  CHECK(device(gpu_selector_v).is_gpu() && !device(gpu_selector_v).is_accelerator());
  CHECK(device(cpu_selector_v).get_info<info::device::name>() == "processor");
  CHECK(thrown([] { device d(accelerator_selector_v); }) == errc::runtime);
  CHECK(device(aspect_selector(aspect::fp16)).is_gpu());
  CHECK(device(aspect_selector<aspect::fp64>()).is_cpu());
  CHECK(device(aspect_selector({}, {aspect::cpu})).is_gpu());
  CHECK(thrown([] { device d(aspect_selector(aspect::fp16, aspect::fp64)); }) == errc::runtime);
  CHECK(device([](const device &d) { return d.is_gpu() ? 7 : 3; }).is_gpu());
  CHECK(device([](const device &) { return 0; }).is_cpu()); // the first of equals
  CHECK(thrown([] { device d([](const device &) { return -1; }); }) == errc::runtime);
  queue q([](const device &d) { return d.is_gpu() ? 1 : -1; });
  CHECK(q.get_device().is_gpu() && take_calls() == calls{"queue_create 1 0"});
  mock::devices.clear();
  CHECK(thrown([] { device d; }) == errc::runtime);
}

void queries() {
  using namespace sycl;
  device d;
  CHECK(device::get_devices().size() == 2);
  CHECK(device::get_devices(info::device_type::gpu).size() == 1);
  CHECK(device::get_devices(info::device_type::accelerator).empty());
  CHECK(platform::get_platforms().size() == 2 && d.get_platform() == platform());
  CHECK(platform::get_platforms()[1].get_devices()[0].is_gpu());
  CHECK(d.get_platform().get_info<info::platform::name>() == "one");
  CHECK((d.get_info<info::device::max_work_item_sizes<3>>() == range(1, 2, 3)));
  CHECK((d.get_info<info::device::max_work_item_sizes<1>>() == range(3)));
  CHECK(d.get_info<info::device::max_work_group_size>() == 256);
  CHECK(d.get_info<info::device::local_mem_size>() == std::uint64_t{1} << 40);
  CHECK(d.get_info<info::device::local_mem_type>() == info::local_mem_type::local);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  CHECK((d.get_info<info::device::extensions>() == std::vector<std::string>{"first", "second"}));
  CHECK(d.has_extension("second") && !d.has_extension("fir") && !d.has_extension(""));
  CHECK(d.get_platform().has_extension("first") && !d.get_platform().has_extension("third"));
#pragma clang diagnostic pop
  CHECK(d.has(aspect::fp64) && !d.has(aspect::fp16));
  CHECK(d.get_info<info::device::aspects>().size() == 5);
  mock::devices[1].platform = "one";
  CHECK(platform::get_platforms().size() == 1 && platform().get_devices().size() == 2);
  CHECK(context(platform()).get_devices().size() == 2);
  CHECK(platform().has(aspect::usm_device_allocations) && !platform().has(aspect::fp64));
}

void queues() {
  using namespace sycl;
  {
    queue in_order{property::queue::in_order()};
    queue both{{property::queue::in_order(), property::queue::enable_profiling()}};
    queue copy = both;
    CHECK(copy == both && both != in_order && both.is_in_order());
    CHECK((take_calls() == calls{"queue_create 0 1", "queue_create 0 3"}));
    copy.wait();
  }
  CHECK((take_calls() == calls{"queue_wait", "queue_release", "queue_release"}));
  context c(device{});
  CHECK(queue(c, device()).get_context() == c);
  CHECK(thrown([&] { queue q(c, gpu_selector_v); }) == errc::invalid);
  CHECK(thrown([] { context none(std::vector<device>{}); }) == errc::invalid);
  CHECK(thrown([] { queue().get_property<property::queue::in_order>(); }) == errc::invalid);
}

void asynchronous_errors() {
  std::vector<sycl::errc> seen;
  auto handler = [&](sycl::exception_list list) {
    for (const auto &each : list)
      seen.push_back(thrown([&] { std::rethrow_exception(each); }));
  };
  sycl::queue q(handler);
  mock::failures = {{2, "first"}, {7, "second"}};
  q.wait();
  CHECK(seen.empty());
  q.wait_and_throw();
  CHECK((seen == std::vector{sycl::errc::kernel, sycl::errc::build}));
  q.throw_asynchronous();
  CHECK(seen.size() == 2);
  sycl::event e = q.single_task([] {});
  mock::failures = {{1, "third"}};
  e.wait_and_throw();
  CHECK(seen.size() == 3);
  // The context's handler is used where the queue has none.
  sycl::context c(sycl::device(), handler);
  mock::failures = {{1, "fourth"}};
  sycl::queue(c, sycl::device()).throw_asynchronous();
  CHECK(seen.size() == 4);
  // A handler may throw.
  sycl::queue strict([](sycl::exception_list l) { std::rethrow_exception(*l.begin()); });
  mock::failures = {{4, "fifth"}};
  CHECK(thrown([&] { strict.wait_and_throw(); }) == sycl::errc::nd_range);
}

class named;

void launches() {
  using namespace sycl;
  queue q;
  int value = 42;
  q.single_task<named>([=] { (void)value; });
  CHECK(last_launch().shape.dimensions == 0 && last_launch().object.size() == sizeof(int));
  CHECK(std::memcmp(last_launch().object.data(), &value, sizeof(int)) == 0);
  CHECK(last_launch().kernel == __builtin_sycl_unique_stable_name(named));
  q.parallel_for({2, 3}, [=](id<2>) {});
  CHECK(last_launch().shape.dimensions == 2 && !last_launch().shape.has_local);
  CHECK(last_launch().shape.global[0] == 2 && last_launch().shape.global[1] == 3);
  CHECK(last_launch().shape.global[2] == 1);
  q.parallel_for(nd_range<3>({2, 4, 6}, {1, 2, 3}), [=](nd_item<3>) {});
  CHECK(last_launch().shape.has_local && last_launch().shape.local[2] == 3);
  CHECK(last_launch().shape.global[2] == 6 && last_launch().shape.offset[2] == 0);
  take_calls();
  q.parallel_for(0, [=](id<1>) {});
  q.parallel_for({5, 0}, [=](id<2>) {});
  q.parallel_for(nd_range<1>(0, 4), [=](nd_item<1>) {});
  calls nothing = {"submit_marker", "event_release"};
  calls three;
  for (int i = 0; i < 3; ++i)
    three.insert(three.end(), nothing.begin(), nothing.end());
  CHECK(take_calls() == three);
  CHECK(thrown([&] { q.parallel_for(nd_range<1>(10, 3), [=](nd_item<1>) {}); }) == errc::nd_range);
  CHECK(thrown([&] { q.parallel_for(nd_range<1>(10, 0), [=](nd_item<1>) {}); }) == errc::nd_range);
  CHECK(thrown([&] {
          q.submit([](handler &h) {
            h.single_task([] {});
            h.single_task([] {});
          });
        }) == errc::invalid);
  CHECK(take_calls().empty());
  // What a command group throws comes through, and nothing is submitted.
  CHECK(thrown([&] { q.submit([](handler &) { throw exception(errc::event); }); }) == errc::event);
  std::function<void(handler &)> null;
  try {
    q.submit(null);
    CHECK(false);
  } catch (const std::bad_function_call &) {
  }
  CHECK(take_calls().empty());
  q.submit([](handler &) {}); // nothing to do is no error
  CHECK(take_calls() == nothing);
}

void dependencies() {
  using namespace sycl;
  queue q;
  event done, first = q.single_task([] {}), second = q.single_task([] {});
  q.single_task({first, done, second}, [] {});
  auto known = last_launch().events;
  CHECK(known.size() == 2 && known[0] < known[1]);
  q.parallel_for(5, second, [](id<1>) {});
  CHECK(last_launch().events == std::vector{known[1]});
  q.submit([&](handler &h) {
    h.single_task([] {});
    h.depends_on(first); // after the command is as good as before it
  });
  CHECK(last_launch().events == std::vector{known[0]});
  char bytes[4] = {1, 2, 3, 4};
  q.memcpy(bytes, bytes + 2, 2, first);
  CHECK(last_launch().events.size() == 1 && bytes[0] == 3);
  q.memset(bytes, 9, 4, {first, second});
  CHECK(last_launch().events.size() == 2 && bytes[3] == 9);
  q.ext_oneapi_submit_barrier({first});
  CHECK(last_launch().events.size() == 1);

  buffer<int> a(8), b(8);
  q.submit([&](handler &h) {
    accessor r(a, h, read_only), again(a, h, read_only);
    accessor w(b, h, write_only, sycl::no_init);
    h.single_task([] {});
  });
  CHECK(last_launch().accesses.size() == 2);
  CHECK(last_launch().accesses[0].mode == read &&
        last_launch().accesses[1].mode == (write | no_init));
  q.submit([&](handler &h) {
    accessor r(a, h, read_only);
    accessor w(a, h, write_only, sycl::no_init);
    accessor rw(b, h, sycl::no_init);
    accessor kept(b, h, write_only);
    h.single_task([] {});
  });
  // The earlier content is needed as soon as one accessor needs it.
  CHECK(last_launch().accesses[0].mode == (read | write));
  CHECK(last_launch().accesses[1].mode == (read | write));
  accessor placeholder(a, read_write);
  CHECK(placeholder.is_placeholder());
  q.submit([&](handler &h) {
    h.require(placeholder);
    h.single_task([=] { (void)placeholder; });
  });
  CHECK(last_launch().accesses.size() == 1 && last_launch().accesses[0].mode == (read | write));
}

void kernel_objects() {
  using namespace sycl;
  queue q;
  buffer<int> b(8);
  buffer<int> part(b, 2, 4);
  q.submit([&](handler &h) {
    accessor a(part, h, range<1>(2), id<1>(1));
    local_accessor<double, 2> l({3, 5}, h);
    local_accessor<int> none(0, h);
    CHECK(l.size() == 15 && l.byte_size() == 120 && none.empty());
    h.parallel_for(nd_range<1>(8, 4), [=](nd_item<1>) { a[0] = l[1][2] + none.size(); });
  });
  // In order of capture; the handle and the size come first in theirs.
  std::uint64_t handle, first, size, least;
  auto launched = last_launch();
  CHECK(launched.object.size() ==
        sizeof(accessor<int>) + sizeof(local_accessor<double, 2>) + sizeof(local_accessor<int>));
  const unsigned char *object = launched.object.data();
  std::memcpy(&handle, object, 8);
  std::memcpy(&first, object + 8, 8);
  std::memcpy(&size, object + sizeof(accessor<int>), 8);
  std::memcpy(&least, object + sizeof(accessor<int>) + sizeof(local_accessor<double, 2>), 8);
  CHECK(handle == launched.accesses[0].buffer && first == 3 * sizeof(int));
  CHECK(size == 15 * sizeof(double) && least == 1);
}

template <int Number> struct task {
  void operator()() const {}
};
using any_kernel = task<0>;
using cpu_kernel = task<1>;
using gpu_kernel = task<2>;
struct range_kernel {
  void operator()(sycl::id<1>) const {}
};
class unknown_kernel;

// Two devices of one platform: kernel A runs on both, C on the first and G on the second.
void set_up_kernels() {
  mock::devices = {{"processor", "one", 1, {1, 10, 11}}, {"graphics", "one", 2, {2, 10}}};
  using sycl::detail::kernel_symbol;
  mock::kernels = {{kernel_symbol<any_kernel>(), "A", {0, 1}},
                   {kernel_symbol<cpu_kernel>(), "C", {0}, {1, 4, 8}},
                   {kernel_symbol<gpu_kernel>(), "G", {1}}};
}

template <typename Bundle> std::string names(const Bundle &bundle) {
  std::string text;
  for (const sycl::kernel_id &id : bundle.get_kernel_ids())
    text += id.get_name();
  return text;
}

template <typename Function> std::string message(Function function) {
  try {
    function();
  } catch (const sycl::exception &e) {
    return e.what();
  }
  return "";
}

void kernel_ids() {
  using namespace sycl;
  set_up_kernels();
  std::vector<kernel_id> ids = get_kernel_ids();
  CHECK(ids.size() == 3 && std::string(ids[1].get_name()) == "C");
  CHECK(get_kernel_id<cpu_kernel>() == ids[1] && get_kernel_id<cpu_kernel>() != ids[0]);
  CHECK(std::hash<kernel_id>()(ids[1]) == std::hash<kernel_id>()(get_kernel_id<cpu_kernel>()));
  CHECK(thrown([] { get_kernel_id<unknown_kernel>(); }) == errc::kernel);

  std::vector<device> all = device::get_devices();
  CHECK(is_compatible<any_kernel>(all[0]) && is_compatible<any_kernel>(all[1]));
  CHECK(is_compatible<cpu_kernel>(all[0]) && !is_compatible<cpu_kernel>(all[1]));
  CHECK(is_compatible({ids[0], ids[2]}, all[1]) && !is_compatible({ids[0], ids[2]}, all[0]));
  CHECK(is_compatible({}, all[0]));
  CHECK(thrown([&] { is_compatible<unknown_kernel>(all[0]); }) == errc::kernel);
}

void kernel_bundles() {
  using namespace sycl;
  constexpr auto input = bundle_state::input, object = bundle_state::object,
                 executable = bundle_state::executable;
  set_up_kernels();
  std::vector<device> all = device::get_devices();
  device cpu = all[0], gpu = all[1];
  context both(all), one(cpu);
  kernel_id a = get_kernel_id<any_kernel>(), c = get_kernel_id<cpu_kernel>(),
            g = get_kernel_id<gpu_kernel>();

  // Which kernels: those that one of the devices can run, built where they can run.
  take_calls();
  auto bundle = get_kernel_bundle<executable>(both);
  std::string at_a = mock::kernels[0].symbol, at_c = mock::kernels[1].symbol,
              at_g = mock::kernels[2].symbol;
  CHECK((take_calls() == calls{"kernel_fit 0 3", "kernel_fit 1 3",
                               "kernel_build 0 2 " + at_a + " " + at_c,
                               "kernel_build 1 2 " + at_a + " " + at_g}));
  CHECK(names(bundle) == "ACG" && bundle.get_devices() == all && bundle.get_context() == both);
  CHECK(bundle.get_backend() == backend::opencl && !bundle.empty());
  CHECK(names(get_kernel_bundle<executable>(one)) == "AC");
  CHECK(names(get_kernel_bundle<executable>(both, {gpu, gpu})) == "AG");
  CHECK(get_kernel_bundle<executable>(both, {gpu, gpu}).get_devices().size() == 1);
  CHECK(names(get_kernel_bundle<executable>(both, all, {g, a, g})) == "GA");
  CHECK(names(get_kernel_bundle<executable>(both, {c})) == "C");
  CHECK(names(get_kernel_bundle<gpu_kernel, executable>(both)) == "G");
  CHECK(names(get_kernel_bundle<any_kernel, executable>(both, {cpu})) == "A");
  take_calls();
  CHECK(names(get_kernel_bundle<input>(one)) == "AC" &&
        take_calls() == calls{"kernel_fit 0 3"}); // nothing is built
  CHECK(names(get_kernel_bundle<executable>(both, [&](const device_image<executable> &image) {
          return image.has_kernel(a) || image.has_kernel(c, cpu) || image.has_kernel(g, cpu);
        })) == "AC");

  // What a bundle has, and for which device.
  auto part = get_kernel_bundle<executable>(both, {gpu});
  CHECK(bundle.has_kernel(c) && bundle.has_kernel(c, cpu) && !bundle.has_kernel(c, gpu));
  CHECK(bundle.has_kernel<cpu_kernel>() && bundle.has_kernel<gpu_kernel>(gpu));
  CHECK(!bundle.has_kernel<gpu_kernel>(cpu) && !bundle.has_kernel<unknown_kernel>());
  CHECK(!part.has_kernel(c) && part.has_kernel(a) && !part.has_kernel(a, cpu));
  CHECK(std::distance(bundle.begin(), bundle.end()) == 3 && bundle.begin()->has_kernel(a));
  CHECK(!bundle.contains_specialization_constants() && !bundle.native_specialization_constant());
  auto copy = bundle;
  CHECK(copy == bundle && copy != part);
  CHECK(std::hash<decltype(copy)>()(copy) == std::hash<decltype(copy)>()(bundle));

  // What cannot be had.
  CHECK(thrown([&] { get_kernel_bundle<executable>(one, {gpu}); }) == errc::invalid);
  CHECK(thrown([&] { get_kernel_bundle<executable>(one, std::vector<device>()); }) ==
        errc::invalid);
  CHECK(thrown([&] { get_kernel_bundle<executable>(both, {cpu}, {g}); }) == errc::invalid);
  CHECK(message([&] { get_kernel_bundle<executable>(both, {cpu}, {a, g}); }) ==
        "G does not fit processor");
  CHECK(thrown([&] { get_kernel_bundle<object>(both); }) == errc::invalid); // no online_linker
  mock::devices[1].aspects = {2};
  CHECK(thrown([&] { get_kernel_bundle<input>(both); }) == errc::invalid); // nor online_compiler
  CHECK(!has_kernel_bundle<input>(both) && has_kernel_bundle<input>(one));
  mock::devices[1].aspects = {2, 10};
  mock::fail_build = "the driver's log";
  CHECK(thrown([&] { get_kernel_bundle<executable>(one); }) == errc::build);
  CHECK(message([&] { get_kernel_bundle<executable>(one); }) == mock::fail_build);
  mock::fail_build.clear();

  CHECK(has_kernel_bundle<executable>(both) && has_kernel_bundle<executable>(both, {gpu}));
  CHECK(has_kernel_bundle<executable>(both, {c, g}) && !has_kernel_bundle<executable>(one, {g}));
  CHECK(has_kernel_bundle<executable>(both, {gpu}, {a}));
  CHECK(!has_kernel_bundle<executable>(both, {gpu}, {a, c}));
  CHECK((has_kernel_bundle<any_kernel, executable>(both)));
  CHECK((!has_kernel_bundle<cpu_kernel, executable>(both, {gpu})));
  CHECK(has_kernel_bundle<input>(both) && !has_kernel_bundle<object>(both));
  CHECK(has_kernel_bundle<object>(one));
  CHECK(thrown([&] { has_kernel_bundle<executable>(one, {gpu}); }) == errc::invalid);
  mock::kernels.pop_back();
  mock::kernels.erase(mock::kernels.begin());
  CHECK(has_kernel_bundle<executable>(one) && !has_kernel_bundle<executable>(both, {gpu}));
  CHECK(get_kernel_bundle<executable>(both, {gpu}).empty());
}

void bundles_of_bundles() {
  using namespace sycl;
  constexpr auto input = bundle_state::input, object = bundle_state::object,
                 executable = bundle_state::executable;
  set_up_kernels();
  mock::devices[1].aspects.push_back(11);
  std::vector<device> all = device::get_devices();
  context both(all), one(all[0]);
  kernel_id a = get_kernel_id<any_kernel>(), c = get_kernel_id<cpu_kernel>(),
            g = get_kernel_id<gpu_kernel>();
  auto whole = get_kernel_bundle<input>(both);
  auto small = get_kernel_bundle<input>(both, {all[1]});

  CHECK(names(build(whole)) == "ACG" && build(whole).get_devices() == all);
  CHECK(names(build(whole, {all[1]})) == "AG" && names(compile(whole, {all[0]})) == "AC");
  CHECK(thrown([&] { build(small, all); }) == errc::invalid);
  CHECK(thrown([&] { build(small, std::vector<device>()); }) == errc::invalid);

  auto compiled = compile(whole), other = compile(small);
  take_calls();
  CHECK(names(link(compiled)) == "ACG" && take_calls().back().rfind("kernel_build 1 2", 0) == 0);
  CHECK(names(link({compiled, other})) == "AG" && names(link(compiled, {all[0]})) == "AC");
  CHECK(names(link({compiled, compiled}, all)) == "ACG");
  CHECK(thrown([&] { link({compiled, other}, all); }) == errc::invalid);
  CHECK(thrown([&] { link(std::vector<kernel_bundle<object>>()); }) == errc::invalid);
  CHECK(thrown([&] { link({compiled, get_kernel_bundle<object>(one)}); }) == errc::invalid);
  mock::fail_build = "log";
  CHECK(thrown([&] { build(whole); }) == errc::build && !compile(whole).empty());
  CHECK(thrown([&] { link(compiled); }) == errc::build);
  mock::fail_build.clear();

  auto joined = join(std::vector{get_kernel_bundle<executable>(both, {g}),
                                 get_kernel_bundle<executable>(both, {a, g})});
  CHECK(names(joined) == "GA" && joined.get_devices() == all);
  CHECK(thrown([&] { join(std::vector{whole, small}); }) == errc::invalid);
  CHECK(thrown([&] { join(std::vector{whole, get_kernel_bundle<input>(one)}); }) == errc::invalid);
  CHECK(thrown([] { join(std::vector<kernel_bundle<input>>()); }) == errc::invalid);
  CHECK(names(join(std::vector{whole})) == "ACG" && c == whole.get_kernel_ids()[1]);
}

void kernels_of_bundles() {
  using namespace sycl;
  set_up_kernels();
  std::vector<device> all = device::get_devices();
  context both(all);
  auto bundle = get_kernel_bundle<bundle_state::executable>(
      both, {get_kernel_id<cpu_kernel>(), get_kernel_id<any_kernel>()});
  kernel found = bundle.get_kernel<cpu_kernel>();
  CHECK(found == bundle.get_kernel(get_kernel_id<cpu_kernel>()));
  CHECK(found != bundle.get_kernel<any_kernel>() && found.get_kernel_bundle() == bundle);
  CHECK(found.get_context() == both && found.get_info<info::kernel::context>() == both);
  CHECK(found.get_backend() == backend::opencl);
  using namespace info::kernel_device_specific;
  CHECK(found.get_info<compile_work_group_size>(all[0]) == range<3>(1, 4, 8));
  CHECK(found.get_info<work_group_size>(all[0]) == 32);
  CHECK(bundle.get_kernel<any_kernel>().get_info<work_group_size>(all[1]) == 256);
  CHECK(thrown([&] { found.get_info<work_group_size>(all[1]); }) == errc::invalid);
  CHECK(thrown([&] { bundle.get_kernel<gpu_kernel>(); }) == errc::invalid);
  CHECK(message([&] { bundle.get_kernel<gpu_kernel>(); }) ==
        "the kernel bundle does not have kernel 'G'");
}

void kernels_that_do_not_fit() {
  using namespace sycl;
  set_up_kernels();
  std::vector<device> all = device::get_devices();
  context both(all);
  queue q(both, all[1]);
  mock::kernels.push_back({sycl::detail::kernel_symbol<range_kernel>(), "R", {0}});
  take_calls();
  // Thrown by the handler's own function, before there is a command: the group can have another.
  event done = q.submit([&](handler &h) {
    CHECK(message([&] { h.single_task(cpu_kernel()); }) == "C does not fit graphics");
    CHECK(thrown([&] { h.parallel_for(0, range_kernel()); }) == errc::kernel_not_supported);
    h.single_task(gpu_kernel());
  });
  CHECK((take_calls() ==
         calls{"kernel_fit 1 1", "kernel_fit 1 1", "kernel_fit 1 1", "start_kernel"}));
  CHECK(thrown([&] { q.single_task(cpu_kernel()); }) == errc::kernel_not_supported);
  take_calls();
  event again[] = {q.single_task(gpu_kernel()), q.single_task(gpu_kernel())};
  CHECK((take_calls() == calls{"start_kernel", "start_kernel"})); // known to fit

  auto bundle = get_kernel_bundle<bundle_state::executable>(both, {get_kernel_id<any_kernel>()});
  std::string lacking = "the kernel bundle that the command group uses does not have kernel 'G'";
  q.submit([&](handler &h) {
    h.use_kernel_bundle(bundle);
    CHECK(thrown([&] { h.single_task(gpu_kernel()); }) == errc::kernel_not_supported);
    CHECK(message([&] { h.single_task(gpu_kernel()); }) == lacking);
    h.single_task(any_kernel());
  });
  CHECK(message([&] {
          q.submit([&](handler &h) {
            h.single_task(gpu_kernel());
            h.use_kernel_bundle(bundle);
          });
        }) == lacking);
  auto elsewhere = get_kernel_bundle<bundle_state::executable>(both, {all[0]});
  CHECK(message([&] {
          q.submit([&](handler &h) {
            h.use_kernel_bundle(elsewhere);
            h.single_task(any_kernel());
          });
        }) == "the kernel bundle that the command group uses does not have kernel 'A' for the "
              "device of the queue");
  auto foreign = get_kernel_bundle<bundle_state::executable>(context(all));
  CHECK(thrown([&] { q.submit([&](handler &h) { h.use_kernel_bundle(foreign); }); }) ==
        errc::invalid);
}

void written_back() {
  using namespace sycl;
  std::vector<int> data(4, 1);
  queue q;
  auto set = [&](buffer<int> &b) {
    host_accessor a(b, write_only);
    for (int &each : a)
      each = 7;
  };
  {
    buffer<int> b(data);
    set(b);
    CHECK(data[0] == 1);
  }
  CHECK(data == std::vector<int>(4, 7));
  CHECK((take_calls() == calls{"queue_create 0 0", "buffer_create 16 0", "buffer_host_begin 2",
                               "buffer_host_end 2", "buffer_read", "buffer_release 1"}));
  data.assign(4, 1);
  { // not written: nothing to write back, but the memory was lent
    buffer<int> b(data);
    host_accessor a(b, read_only);
  }
  CHECK(take_calls().back() == "buffer_release 1");
  {
    buffer<int> b(data);
    set(b);
    b.set_write_back(false);
  }
  {
    buffer<int> b(data);
    set(b);
    b.set_final_data(nullptr);
  }
  {
    buffer<int> b(data.data(), 4);
    buffer<int> copy = b;
    buffer<int> part(b, 1, 2);
    {
      buffer<int> dies = std::move(b);
    }
    copy = part;
    set(part); // keeps the content alive
  }
  CHECK((data == std::vector{1, 7, 7, 1}));
  take_calls();
  const int constant[] = {1, 2, 3};
  {
    buffer<int> b(constant, 3);
    set(b);
  }
  CHECK(constant[0] == 1 && take_calls().back() == "buffer_release 1");
  { // copied, and not written back
    buffer b(data.begin(), data.end());
    set(b);
  }
  CHECK(data[0] == 1 && take_calls().front() == "buffer_create 16 1");
  { // no memory of the user's: no need to wait
    buffer<int> b(4);
    set(b);
  }
  CHECK(take_calls().back() == "buffer_release 0");
  std::shared_ptr<int> owned(new int(3));
  {
    buffer<int> b(owned, 1);
    set(b);
    std::weak_ptr<int> watch = owned;
    CHECK(watch.use_count() == 2);
  }
  CHECK(*owned == 7);
}

void final_data() {
  using namespace sycl;
  std::vector<int> from{1, 2, 3};
  std::vector<long> to(3);
  std::list<int> list;
  auto shared = std::make_shared<std::array<int, 3>>();
  std::shared_ptr<int> element(shared, shared->data());
  {
    buffer<int> a(from.data(), 3), b(from.data(), 3), c(from.data(), 3),
        d(from.begin(), from.end());
    a.set_final_data(to.begin());
    b.set_final_data(std::back_inserter(list));
    c.set_final_data(std::weak_ptr<int>(element));
    d.set_final_data(from.data());
    host_accessor{d}[0] = 5;
  }
  CHECK((to == std::vector<long>{1, 2, 3}) && (list == std::list<int>{1, 2, 3}));
  CHECK((*shared)[2] == 3 && from[0] == 5);
  {
    buffer<int> b(from.data(), 3);
    b.set_final_data(std::weak_ptr<int>(element));
    host_accessor{b}[0] = 6;
    element.reset();
    shared.reset();
  }
  CHECK(from[0] == 5);
  std::vector<bool> bits{true, false, true};
  {
    buffer<bool> b(bits.begin(), bits.end());
    b.set_final_data(bits.begin());
    host_accessor{b}[1] = true;
  }
  CHECK(bits[1]);
}

void sizes_and_ranges() {
  using namespace sycl;
  {
    buffer<int> none(range<1>(0));
    buffer<int, 2> flat({3, 0});
    std::vector<int> nothing;
    buffer empty(nothing);
    CHECK(none.size() == 0 && flat.byte_size() == 0 && empty.size() == 0);
    CHECK(host_accessor(none).empty() && accessor(flat).size() == 0);
    CHECK(take_calls()[0] == "buffer_create 1 0");
  }
  CHECK(take_calls().back() == "buffer_release 0");
  buffer<int, 2> b({4, 6});
  CHECK(thrown([&] { accessor a(b, range<2>(4, 7)); }) == errc::invalid);
  CHECK(thrown([&] { accessor a(b, range<2>(4, 6), id<2>(0, 1)); }) == errc::invalid);
  CHECK(thrown([&] { accessor a(b, range<2>(1, 1), id<2>(-1, 1)); }) == errc::invalid);
  CHECK(thrown([&] { accessor a(b, read_only, sycl::no_init); }) == errc::invalid);
  CHECK(thrown([&] { host_accessor a(b, range<2>(5, 1)); }) == errc::invalid);
  CHECK(thrown([&] { buffer<int, 2> s(b, {0, 0}, {2, 3}); }) == errc::invalid);
  CHECK(thrown([&] { buffer<int, 2> s(b, {3, 0}, {2, 6}); }) == errc::invalid);
  buffer<int, 2> rows(b, {1, 0}, {2, 6});
  buffer<int, 2> row(b, {1, 2}, {1, 3});
  CHECK(rows.is_sub_buffer() && !b.is_sub_buffer());
  CHECK(thrown([&] { buffer<int, 2> s(rows, {0, 0}, {1, 6}); }) == errc::invalid);
  CHECK(thrown([&] { b.reinterpret<char, 1>(range<1>(5)); }) == errc::invalid);
  CHECK((b.reinterpret<char, 1>().size() == 96));
  {
    host_accessor all(b);
    std::iota(all.begin(), all.end(), 0);
    CHECK(all[1][2] == 8 && all[id<2>(3, 5)] == 23);
  }
  host_accessor sub(row), part(b, range<2>(2, 2), id<2>(1, 3));
  CHECK(sub[0][0] == 8 && sub.size() == 3 && sub.get_pointer()[1] == 9);
  CHECK(part[0][0] == 9 && part[1][1] == 16 && part.get_pointer()[0] == 0);
  CHECK((std::vector<int>(part.begin(), part.end()) == std::vector{9, 10, 15, 16}));
  CHECK((std::vector<int>(part.rbegin(), part.rend()) == std::vector{16, 15, 10, 9}));
  CHECK(part.end() - part.begin() == 4 && *(part.cbegin() + 2) == 15);
  CHECK(part.get_offset() == id(1, 3) && part.get_range() == range(2, 2));
  host_accessor<int, 1, access_mode::read> flat(
      *std::make_unique<buffer<int>>(b.reinterpret<int, 1>(range<1>(24))));
  CHECK(flat[23] == 23);
  buffer<int> single(1);
  host_accessor<int, 0> one(single);
  one = 5;
  CHECK(one == 5);
  buffer<int, 3> cube({2, 3, 4});
  host_accessor deep(cube);
  deep[1][2][3] = 1;
  CHECK(deep[id<3>(1, 2, 3)] == 1 && deep.begin()[23] == 1);
}

void copies_of_accessors() {
  using namespace sycl;
  queue q;
  buffer<int, 2> b({3, 4});
  buffer<int> line(4);
  int values[] = {1, 2, 3, 4}, out[4] = {};
  q.submit([&](handler &h) { h.fill(accessor(b, h, write_only), 9); });
  q.submit(
      [&](handler &h) { h.copy(values, accessor(b, h, range<2>(2, 2), id<2>(1, 1), write_only)); });
  {
    host_accessor a(b, read_only);
    CHECK(
        (std::vector<int>(a.begin(), a.end()) == std::vector{9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9}));
  }
  q.submit([&](handler &h) {
    h.copy(accessor(b, h, range<2>(2, 2), id<2>(1, 1), read_only), accessor(line, h, write_only));
  });
  q.submit([&](handler &h) { h.copy(accessor(line, h, read_only), out); });
  CHECK(std::memcmp(out, values, sizeof(out)) == 0);
  CHECK(thrown([&] {
          q.submit([&](handler &h) {
            h.copy(accessor(b, h, read_only), accessor(line, h, write_only));
          });
        }) == errc::invalid);
  auto kept = std::make_shared<int>(8);
  q.copy(accessor(line, range<1>(1), read_only), kept);
  CHECK(*kept == 1);
  std::vector<int> home(3, 0);
  buffer<int> back(home);
  host_accessor(back, write_only)[1] = 6;
  CHECK(home[1] == 0);
  q.submit([&](handler &h) { h.update_host(accessor(back, h, read_only)); });
  CHECK(home[1] == 6);
}

void shared_memory() {
  using namespace sycl;
  queue q;
  take_calls();
  int *p = malloc_shared<int>(4, q);
  CHECK(p && take_calls() == calls{"usm_allocate 0 2 16 4"});
  CHECK(malloc_device<int>(0, q) == nullptr && take_calls().empty());
  CHECK(malloc_host<double>(static_cast<std::size_t>(-1) / 2, q) == nullptr);
  take_calls();
  CHECK(aligned_alloc_device<char>(64, 8, q));
  CHECK(take_calls() == calls{"usm_allocate 0 1 8 64"});
  CHECK(malloc_host(8, q.get_context()) && take_calls() == calls{"usm_allocate 0 0 8 0"});
  queue gpu(gpu_selector_v);
  CHECK(thrown([&] { malloc_shared<int>(1, gpu); }) == errc::feature_not_supported);
  CHECK(thrown([&] { malloc<int>(1, q, usm::alloc::unknown); }) == errc::feature_not_supported);
  CHECK(get_pointer_type(p, q.get_context()) == usm::alloc::shared);
  CHECK(get_pointer_device(p, q.get_context()).is_gpu());
  CHECK(get_pointer_type(nullptr, q.get_context()) == usm::alloc::unknown);
  CHECK(thrown([&] { get_pointer_device(nullptr, q.get_context()); }) == errc::invalid);
  take_calls();
  sycl::free(nullptr, q);
  CHECK(take_calls().empty());
  q.fill(p, 5, 4);
  CHECK(p[3] == 5 && take_calls()[0] == "submit_fill 4 4");
  CHECK(thrown([&] { q.memcpy(nullptr, p, 4); }) == errc::invalid);
  q.memcpy(nullptr, nullptr, 0);
  q.fill(nullptr, 1, 0);
  sycl::free(p, q);
  CHECK(take_calls().back() == "usm_free");
}

void events() {
  using namespace sycl;
  using status = info::event::command_execution_status;
  event none;
  none.wait_and_throw();
  CHECK(none.get_info<status>() == info::event_command_status::complete && none == event());
  CHECK(thrown([&] { none.get_profiling_info<info::event_profiling::command_end>(); }) ==
        errc::invalid);
  event e = queue().single_task([] {});
  CHECK(e.get_info<status>() == info::event_command_status::submitted && e != none);
  CHECK(thrown([&] { e.get_profiling_info<info::event_profiling::command_end>(); }) ==
        errc::invalid);
  event timed = queue(property::queue::enable_profiling()).single_task([] {});
  CHECK(timed.get_profiling_info<info::event_profiling::command_submit>() == 100);
  CHECK(timed.get_profiling_info<info::event_profiling::command_start>() == 101);
  CHECK(timed.get_profiling_info<info::event_profiling::command_end>() == 102);
  take_calls();
  event::wait({e, none, timed});
  CHECK((take_calls() == calls{"event_wait", "event_wait"}));
}

void destructors_do_not_throw() {
  std::vector<int> data(4);
  auto *q = new sycl::queue;
  auto *b = new sycl::buffer<int>(data);
  {
    sycl::host_accessor a(*b, sycl::write_only);
  }
  mock::fail_next = 1;
  delete b;
  mock::fail_next = 1;
  delete q;
}

const std::map<std::string, void (*)()> cases = {
#define CASE(NAME) {#NAME, NAME}
    CASE(table_of_another_process),
    CASE(errors_become_exceptions),
    CASE(selectors),
    CASE(queries),
    CASE(queues),
    CASE(asynchronous_errors),
    CASE(launches),
    CASE(dependencies),
    CASE(kernel_objects),
    CASE(kernel_ids),
    CASE(kernel_bundles),
    CASE(bundles_of_bundles),
    CASE(kernels_of_bundles),
    CASE(kernels_that_do_not_fit),
    CASE(written_back),
    CASE(final_data),
    CASE(sizes_and_ranges),
    CASE(copies_of_accessors),
    CASE(shared_memory),
    CASE(events),
    CASE(destructors_do_not_throw),
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  mock::announce();
  cases.at(argv[1])();
  return 0;
}
