// Uses what these headers offer to host code, in the standard's spelling: any other implementation
// takes it too.
#include <sycl/sycl.hpp>

#include <array>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

template <typename T, typename U> constexpr bool same = std::is_same_v<T, U>;

class named;
template <typename T> class named_after;

struct function_object {
  sycl::accessor<float, 1, sycl::access_mode::read_write> data;
  sycl::local_accessor<float> scratch;
  float factor;
  void operator()(sycl::nd_item<1> item) const {
    scratch[item.get_local_id()] = data[item.get_global_id()] * factor;
    sycl::group_barrier(item.get_group());
    data[item.get_global_id()] = scratch[item.get_local_id(0)];
  }
};

int any_device(const sycl::device &) { return 0; }

void queues_and_devices() {
  auto handler = [](sycl::exception_list list) {
    for (const std::exception_ptr &e : list)
      if (e)
        std::rethrow_exception(e);
  };
  sycl::device d;
  sycl::device cpu(sycl::cpu_selector_v);
  sycl::device gpu{sycl::gpu_selector_v};
  sycl::device accelerator{sycl::accelerator_selector_v};
  sycl::device wide{sycl::aspect_selector(sycl::aspect::fp64, sycl::aspect::atomic64)};
  sycl::device wider{sycl::aspect_selector<sycl::aspect::fp64>()};
  sycl::device widest{sycl::aspect_selector(std::vector{sycl::aspect::fp64})};
  sycl::device last{sycl::aspect_selector({sycl::aspect::fp64}, {sycl::aspect::gpu})};
  sycl::platform platform = d.get_platform();
  sycl::platform other(sycl::default_selector_v);
  sycl::context context(d);
  sycl::context shared(std::vector<sycl::device>{d}, handler);
  sycl::queue q1, q2(handler), q3(sycl::default_selector_v), q4(sycl::gpu_selector_v, handler);
  sycl::queue q5(d), q6(d, handler), q7(context, d), q8(context, sycl::cpu_selector_v);
  sycl::queue q9(any_device), q10([](const sycl::device &x) { return x.is_gpu() ? 2 : 1; });
  sycl::queue q11(sycl::property::queue::in_order{});
  sycl::queue q12{sycl::default_selector_v, handler, sycl::property::queue::enable_profiling()};
  sycl::queue q13(d,
                  {sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()});
  sycl::queue q14 = q13;
  bool same_queue = q14 == q13 && q13 != q12 && q11.is_in_order() &&
                    q11.has_property<sycl::property::queue::in_order>();
  std::unordered_set<sycl::device> devices{d, cpu, q1.get_device()};
  std::unordered_set<sycl::queue> queues{q1, q2};

  std::string name = d.get_info<sycl::info::device::name>();
  sycl::range<3> sizes = d.get_info<sycl::info::device::max_work_item_sizes<3>>();
  std::vector<size_t> sub_groups = d.get_info<sycl::info::device::sub_group_sizes>();
  if (d.get_info<sycl::info::device::device_type>() == sycl::info::device_type::cpu &&
      d.has(sycl::aspect::fp16) && d.is_cpu() && !d.is_accelerator() && same_queue &&
      d.get_info<sycl::info::device::max_compute_units>() > 1 && sizes.size() > sub_groups.size() &&
      d.get_info<sycl::info::device::max_work_group_size>() > 1 &&
      d.get_info<sycl::info::device::local_mem_size>() > 1 &&
      d.get_info<sycl::info::device::global_mem_size>() > 1 &&
      d.get_info<sycl::info::device::max_mem_alloc_size>() > 1 &&
      d.get_info<sycl::info::device::platform>() == platform)
    name += d.get_info<sycl::info::device::vendor>() +
            platform.get_info<sycl::info::platform::name>() +
            d.get_info<sycl::info::device::driver_version>();
  for (const auto &p : sycl::platform::get_platforms())
    for (const auto &each : p.get_devices(sycl::info::device_type::gpu))
      name += each.get_info<sycl::info::device::version>();
  for (const auto &each : sycl::device::get_devices())
    for (sycl::aspect feature : each.get_info<sycl::info::device::aspects>())
      name += each.has(feature) ? 'y' : 'n';
  static_assert(same<decltype(q1.get_context()), sycl::context>);
}

void shared_memory(sycl::queue q) {
  int *on_device = sycl::malloc_device<int>(64, q);
  int *on_host = sycl::malloc_host<int>(64, q);
  int *shared = sycl::malloc_shared<int>(64, q.get_device(), q.get_context());
  void *bytes = sycl::malloc_device(64, q);
  auto *aligned = sycl::aligned_alloc_shared<double>(64, 8, q);
  int *chosen = sycl::malloc<int>(64, q, sycl::usm::alloc::shared);
  sycl::event e = q.memset(on_device, 0, 64 * sizeof(int));
  e = q.fill(shared, 7, 64);
  e = q.fill(chosen, 3, 64, e);
  e = q.copy(shared, on_device, 64, e);
  e = q.memcpy(on_host, on_device, 64 * sizeof(int), {e});
  e = q.memcpy(on_host, on_device, 64 * sizeof(int), std::vector<sycl::event>{e, e});
  q.prefetch(shared, 64).wait();
  e = q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { shared[i] += 1; });
  e = q.parallel_for(64, [=](sycl::item<1> i) { shared[i] += i.get_id(0); });
  e = q.parallel_for<named>(sycl::range{64}, e, [=](auto i) { shared[i] += 1; });
  e = q.parallel_for({8, 8}, {e}, [=](sycl::id<2> i) { shared[i[0] * 8 + i[1]] += 1; });
  e = q.parallel_for(sycl::range<3>{4, 4, 4}, std::vector{e},
                     [=](sycl::item<3> i) { shared[i.get_linear_id()] += 1; });
  e = q.parallel_for(sycl::nd_range<1>(64, 8), {e, e},
                     [=](sycl::nd_item<1> i) { shared[i.get_global_id(0)] += 1; });
  e = q.parallel_for(sycl::nd_range<2>({8, 8}, {4, 4}), e,
                     [=](sycl::nd_item<2> i) { shared[i.get_global_linear_id()] += 1; });
  e = q.single_task<class also_named>([=] { shared[0] = 1; });
  e = q.single_task(e, [=]() { shared[1] = 1; });
  q.submit([&](sycl::handler &h) {
    h.depends_on(e);
    h.depends_on({e, e});
    h.memcpy(on_host, shared, 64 * sizeof(int));
  });
  q.ext_oneapi_submit_barrier().wait();
  q.ext_oneapi_submit_barrier({e}).wait_and_throw();
  sycl::event::wait({e, e});
  if (e.get_info<sycl::info::event::command_execution_status>() !=
          sycl::info::event_command_status::complete ||
      e.get_profiling_info<sycl::info::event_profiling::command_end>() <
          e.get_profiling_info<sycl::info::event_profiling::command_start>() ||
      sycl::get_pointer_type(shared, q.get_context()) != sycl::usm::alloc::shared ||
      sycl::get_pointer_device(shared, q.get_context()) != q.get_device())
    throw sycl::exception(sycl::make_error_code(sycl::errc::runtime), "no");
  for (void *address : {static_cast<void *>(on_device), static_cast<void *>(on_host)})
    sycl::free(address, q);
  for (void *address : {static_cast<void *>(shared), bytes, static_cast<void *>(aligned)})
    sycl::free(address, q.get_context());
  std::vector<int, sycl::usm_allocator<int, sycl::usm::alloc::shared>> v(
      8, sycl::usm_allocator<int, sycl::usm::alloc::shared>(q));
}

void buffers(sycl::queue q) {
  std::vector<float> data(64);
  const std::vector<float> constant(64);
  std::array<int, 4> four{};
  auto owned = std::make_shared<std::vector<float>>(64);
  std::shared_ptr<float[]> array(new float[64]);

  sycl::buffer<float> empty(sycl::range<1>(64));
  sycl::buffer<float, 2> square({8, 8});
  sycl::buffer deduced(data);
  sycl::buffer pointer(data.data(), sycl::range<1>(64));
  sycl::buffer read_only(constant.data(), sycl::range<1>(64));
  sycl::buffer<float, 1> from_constant(constant);
  sycl::buffer iterators(data.begin(), data.end());
  sycl::buffer small{four};
  sycl::buffer<float, 1> shared(array, sycl::range<1>(64));
  sycl::buffer<float> part(empty, sycl::id<1>(8), sycl::range<1>(16));
  sycl::buffer<float, 1> with_properties(data.data(), 64, {sycl::property::buffer::use_host_ptr{}});
  auto bytes = empty.reinterpret<unsigned char, 1>(sycl::range<1>(256));
  static_assert(same<decltype(deduced), sycl::buffer<float, 1>>);
  static_assert(same<decltype(read_only), sycl::buffer<float, 1>>);
  static_assert(same<decltype(iterators), sycl::buffer<float, 1>>);
  static_assert(same<decltype(small), sycl::buffer<int, 1>>);
  iterators.set_final_data(data.begin());
  empty.set_final_data(data.data());
  shared.set_final_data(std::weak_ptr<float>(std::shared_ptr<float>(owned, owned->data())));
  pointer.set_final_data(nullptr);
  pointer.set_write_back(false);
  bool sizes = square.get_range() == sycl::range<2>(8, 8) && square.size() == 64 &&
               square.byte_size() == 256 && part.is_sub_buffer() && bytes.size() == 256;

  q.submit([&](sycl::handler &h) {
    sycl::accessor in(deduced, h, sycl::read_only);
    sycl::accessor out{empty, h, sycl::write_only, sycl::no_init};
    sycl::accessor both(pointer, h);
    sycl::accessor some(shared, h, sycl::range<1>(4), sycl::id<1>(2), sycl::read_write);
    sycl::accessor few(shared, h, sycl::range<1>(4), sycl::read_only);
    static_assert(same<decltype(in[0]), const float &> && same<decltype(out[0]), float &>);
    auto old_style = square.get_access<sycl::access::mode::read_write>(h);
    auto new_style = iterators.get_access(h, sycl::read_only);
    sycl::accessor<float, 1, sycl::access::mode::write> typed(part, h);
    sycl::accessor<float, 0, sycl::access_mode::read> one(read_only, h);
    h.parallel_for<named_after<float>>(sycl::range<1>(4), [=](sycl::id<1> i) {
      out[i] = in[i] + both[i[0]] + some[i] + few[i] + new_style[i] + one;
      typed[i] = 1;
      old_style[i[0]][1] += old_style[{i[0], 2}];
      out.get_multi_ptr<sycl::access::decorated::no>()[0] =
          *out.get_multi_ptr<sycl::access::decorated::no>();
      for (float &each : some)
        each += 1;
    });
  });
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> scratch(sycl::range<1>(8), h);
    auto data = deduced.get_access(h);
    h.parallel_for(sycl::nd_range<1>(64, 8), function_object{data, scratch, 2.0f});
  });
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int, 2> table({4, 4}, h);
    sycl::local_accessor<int, 3> cube(sycl::range<3>(2, 2, 2), h);
    sycl::accessor out(square, h, sycl::write_only);
    h.parallel_for(sycl::nd_range<2>({8, 8}, {4, 4}), [=](sycl::nd_item<2> item) {
      sycl::id<2> at = item.get_local_id();
      table[at] = table[at[0]][at[1]];
      cube[1][1][1] = table.size() + table.get_range()[0];
      out[item.get_global_id()] = static_cast<float>(cube[sycl::id<3>(1, 1, 1)]) +
                                  *table.get_multi_ptr<sycl::access::decorated::no>();
    });
  });
  sycl::accessor later(deduced, sycl::read_only);
  q.submit([&](sycl::handler &h) {
    h.require(later);
    h.copy(later, data.data());
  });
  q.submit([&](sycl::handler &h) { h.copy(data.data(), empty.get_access(h, sycl::write_only)); });
  q.submit([&](sycl::handler &h) {
    h.copy(deduced.get_access(h, sycl::read_only), empty.get_access(h, sycl::write_only));
  });
  q.submit([&](sycl::handler &h) { h.fill(empty.get_access(h, sycl::write_only), 1.0f); });
  q.submit([&](sycl::handler &h) { h.update_host(pointer.get_access(h, sycl::read_only)); });

  sycl::host_accessor first(deduced);
  sycl::host_accessor second(empty, sycl::read_only);
  sycl::host_accessor third(square, sycl::write_only, sycl::no_init);
  auto fourth = iterators.get_host_access(sycl::read_only);
  auto fifth = iterators.get_host_access(sycl::range<1>(2), sycl::id<1>(1));
  first[0] = second[sycl::id<1>(1)] + fourth[2] + fifth[0] + sizes;
  third[1][2] = first.get_pointer()[3];
  for (float value : second)
    first[1] += value;
}

void kernel_bundles(sycl::queue q) {
  constexpr auto executable = sycl::bundle_state::executable;
  sycl::context context = q.get_context();
  sycl::device d = q.get_device();
  std::vector<sycl::device> devices = context.get_devices();
  std::vector<sycl::kernel_id> ids = sycl::get_kernel_ids();
  sycl::kernel_id id = sycl::get_kernel_id<named>();
  std::unordered_set<sycl::kernel_id> different{id, ids.front()};
  std::string name = id.get_name();
  if (!sycl::is_compatible<named>(d) || !sycl::is_compatible(ids, d) || id != ids.front() ||
      !sycl::has_kernel_bundle<executable>(context) ||
      !sycl::has_kernel_bundle<executable>(context, devices) ||
      !sycl::has_kernel_bundle<executable>(context, ids) ||
      !sycl::has_kernel_bundle<executable>(context, devices, ids) ||
      !sycl::has_kernel_bundle<named, executable>(context) ||
      !sycl::has_kernel_bundle<named, executable>(context, devices))
    return;

  sycl::kernel_bundle all = sycl::get_kernel_bundle<executable>(context);
  all = sycl::get_kernel_bundle<executable>(context, devices);
  all = sycl::get_kernel_bundle<executable>(context, {id});
  all = sycl::get_kernel_bundle<executable>(context, devices, ids);
  all = sycl::get_kernel_bundle<named, executable>(context);
  all = sycl::get_kernel_bundle<named, executable>(context, devices);
  auto selector = [=](const sycl::device_image<executable> &image) {
    return image.has_kernel(id) || image.has_kernel(id, d);
  };
  all = sycl::get_kernel_bundle<executable>(context, selector);
  all = sycl::get_kernel_bundle<executable>(context, devices, selector);
  for (const sycl::device_image<executable> &image : all)
    name += image.has_kernel(id) ? 'y' : 'n';

  auto input = sycl::get_kernel_bundle<sycl::bundle_state::input>(context);
  auto object = sycl::compile(input);
  object = sycl::compile(input, devices);
  all = sycl::link(object);
  all = sycl::link(object, devices);
  all = sycl::link({object, object});
  all = sycl::link({object, object}, devices);
  all = sycl::build(input);
  all = sycl::build(input, devices);
  all = sycl::join(std::vector{all, all});
  std::unordered_set<sycl::kernel_bundle<executable>> bundles{all};

  sycl::kernel kernel = all.get_kernel(id);
  if (all.empty() || !all.has_kernel(id) || !all.has_kernel(id, d) || !all.has_kernel<named>() ||
      !all.has_kernel<named>(d) || all.get_kernel<named>() != kernel ||
      all.get_context() != context || all.get_devices() != devices || all.get_kernel_ids() != ids ||
      all.contains_specialization_constants() || all.native_specialization_constant() ||
      kernel.get_context() != kernel.get_info<sycl::info::kernel::context>() ||
      kernel.get_kernel_bundle() != all || kernel.get_backend() != sycl::backend::opencl ||
      q.get_backend() != all.get_backend() || context.get_backend() != d.get_backend())
    return;
  size_t size = kernel.get_info<sycl::info::kernel_device_specific::work_group_size>(d);
  sycl::range<3> required =
      kernel.get_info<sycl::info::kernel_device_specific::compile_work_group_size>(d);
  q.submit([&](sycl::handler &h) {
    h.use_kernel_bundle(all);
    h.parallel_for<named_after<double>>(sycl::range<1>(size), [=](sycl::id<1>) { (void)required; });
  });
}

int errors() {
  try {
    throw sycl::exception(sycl::errc::invalid, "text");
  } catch (const sycl::exception &e) {
    if (e.code() == sycl::errc::invalid && e.category() == sycl::sycl_category() &&
        !e.has_context() && std::string(e.what()) == "text")
      return e.code().value();
  } catch (const std::exception &) {
    return 1;
  }
  std::error_code code = sycl::errc::nd_range;
  throw sycl::exception(code);
}

int main() {
  sycl::queue q{sycl::property::queue::enable_profiling()};
  queues_and_devices();
  shared_memory(q);
  buffers(q);
  kernel_bundles(q);
  q.wait_and_throw();
  q.throw_asynchronous();
  return errors();
}
