// Prints only what is wrong, then "done".
#include "constants.hpp"

using sycl::bundle_state;
using sycl::handler;
using sycl::kernel_handler;

constexpr sycl::specialization_id<int> own{1}; // not the one of other.cpp
static constexpr sycl::specialization_id<float> factor(2.5f);
constexpr sycl::specialization_id<sycl::half> half_value{1.5f};
constexpr sycl::specialization_id<double> double_value{0.25};
constexpr sycl::specialization_id<bool> flag{false};
constexpr sycl::specialization_id<unsigned char> byte;
constexpr sycl::specialization_id<std::array<float, 4>> row{std::array<float, 4>{1, 2, 3, 4}};
constexpr sycl::specialization_id<sycl::float3> vector{1.0f, 2.0f, 3.0f};
constexpr sycl::specialization_id<offset> jump{offset(-9)};
constexpr sycl::specialization_id<int> unused{3};
template <typename DataT> constexpr sycl::specialization_id<DataT> one{DataT(1)};

namespace {
constexpr sycl::specialization_id<std::int16_t> hidden{-2};
}

struct holder {
  static constexpr sycl::specialization_id<std::int8_t> id{-7};
};

class every_type;
class over_range;
class over_items;
class over_nd_range;
class generic;
class with_reduction;
class with_group_reduction;
class hierarchical;
class with_number;
class with_factor;
class without;

struct results {
  int number, sum, own;
  float factor, half_value, row, vector;
  double double_value;
  bool flag;
  unsigned char byte, of_template;
  short hidden;
  std::int8_t member;
  long numbered, jump;
  point where;
};

template <auto &Id> static auto read(kernel_handler handler) {
  return handler.get_specialization_constant<Id>();
}

static results run_every_type(bool set) {
  sycl::queue &queue = the_queue();
  results *out = sycl::malloc_shared<results>(1, queue);
  queue
      .submit([&](handler &group) {
        if (set) {
          group.set_specialization_constant<shared::number>(1);
          group.set_specialization_constant<shared::number>(7); // the last value counts
          group.set_specialization_constant<shared::where>(point{'y', 9.5, {4, 5, 6}, false});
          group.set_specialization_constant<own>(-1);
          group.set_specialization_constant<factor>(-1.0f);
          group.set_specialization_constant<half_value>(sycl::half(2.5f));
          group.set_specialization_constant<double_value>(1e300);
          group.set_specialization_constant<flag>(true);
          group.set_specialization_constant<byte>(255);
          group.set_specialization_constant<row>({10, 20, 30, 40});
          group.set_specialization_constant<vector>(sycl::float3(4.0f, 5.0f, 6.0f));
          group.set_specialization_constant<jump>(offset(1L << 40));
          group.set_specialization_constant<one<unsigned char>>(99);
          group.set_specialization_constant<hidden>(-300);
          group.set_specialization_constant<holder::id>(8);
          group.set_specialization_constant<numbered<3>::id>(-33);
          group.set_specialization_constant<unused>(4);
        }
        group.single_task<every_type>([=](kernel_handler handler) {
          out->number = read<shared::number>(handler);
          out->sum = number_plus(handler, 1000);
          out->own = read<own>(handler);
          out->factor = read<factor>(handler);
          out->half_value = read<half_value>(handler);
          out->double_value = read<double_value>(handler);
          out->flag = read<flag>(handler);
          out->byte = read<byte>(handler);
          std::array<float, 4> values = read<row>(handler);
          out->row = 0;
          for (int i = 0; i < 4; ++i)
            out->row = out->row * 10 + values[i];
          sycl::float3 parts = read<vector>(handler);
          out->vector = parts.x() * 100 + parts.y() * 10 + parts.z();
          out->jump = read<jump>(handler).value;
          out->of_template = read<one<unsigned char>>(handler);
          out->hidden = read<hidden>(handler);
          out->member = read<holder::id>(handler);
          out->numbered = read<numbered<3>::id>(handler) + read<numbered<4>::id>(handler);
          out->where = read<shared::where>(handler);
        });
      })
      .wait();
  results found = *out;
  sycl::free(out, queue);
  return found;
}

static void types() {
  for (int round = 0; round < 2; ++round) {
    results initial = run_every_type(false), set = run_every_type(true);
    CHECK(initial.number == 5 && set.number == 7);
    CHECK(initial.sum == 1105 && set.sum == 1107);
    CHECK(initial.own == 1 && set.own == -1);
    CHECK(initial.factor == 2.5f && set.factor == -1.0f);
    CHECK(initial.half_value == 1.5f && set.half_value == 2.5f);
    CHECK(initial.double_value == 0.25 && set.double_value == 1e300);
    CHECK(!initial.flag && set.flag);
    CHECK(initial.byte == 0 && set.byte == 255);
    CHECK(initial.row == 1234 && set.row == 12340);
    CHECK(initial.vector == 123 && set.vector == 456);
    CHECK(initial.jump == -9 && set.jump == 1L << 40);
    CHECK(initial.of_template == 1 && set.of_template == 99);
    CHECK(initial.hidden == -2 && set.hidden == -300);
    CHECK(initial.member == -7 && set.member == 8);
    CHECK(initial.numbered == 7 && set.numbered == -29);
    CHECK((initial.where == point{'x', 1.5, {1, 2, 3}, true}));
    CHECK((set.where == point{'y', 9.5, {4, 5, 6}, false}));
  }
}

static void kinds_of_kernels() {
  sycl::queue &queue = the_queue();
  int *out = sycl::malloc_shared<int>(8, queue);
  auto start = [&](auto launch) {
    queue
        .submit([&](handler &group) {
          group.set_specialization_constant<shared::number>(20);
          launch(group);
        })
        .wait();
  };
  auto sum = [&] {
    int total = 0;
    for (int i = 0; i < 8; ++i)
      total += out[i];
    return total;
  };
  start([&](handler &group) {
    group.parallel_for<over_range>(sycl::range(2, 4), [=](sycl::id<2> id, kernel_handler handler) {
      out[id[0] * 4 + id[1]] = handler.get_specialization_constant<shared::number>();
    });
  });
  CHECK(sum() == 160);
  start([&](handler &group) {
    group.parallel_for<over_items>(8, [=](sycl::item<1> item, kernel_handler handler) {
      out[item] = handler.get_specialization_constant<shared::number>() + 1;
    });
  });
  CHECK(sum() == 168);
  start([&](handler &group) {
    group.parallel_for<over_nd_range>(
        sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1> item, kernel_handler handler) {
          out[item.get_global_id(0)] = handler.get_specialization_constant<shared::number>() + 2;
        });
  });
  CHECK(sum() == 176);
  start([&](handler &group) {
    group.parallel_for<generic>(sycl::range(8), [=](auto item, auto handler) {
      out[item.get_id(0)] = handler.template get_specialization_constant<shared::number>() + 3;
    });
  });
  CHECK(sum() == 184);
  *out = 0;
  start([&](handler &group) {
    group.parallel_for<with_reduction>(sycl::range(10), sycl::reduction(out, sycl::plus<int>()),
                                       [=](sycl::id<1>, auto &total, kernel_handler handler) {
                                         total +=
                                             handler.get_specialization_constant<shared::number>();
                                       });
  });
  CHECK(*out == 200);
  start([&](handler &group) {
    group.parallel_for<with_group_reduction>(
        sycl::nd_range<1>(8, 4), sycl::reduction(out, sycl::plus<int>()),
        [=](sycl::nd_item<1>, auto &total, kernel_handler handler) {
          total += handler.get_specialization_constant<shared::number>();
        });
  });
  CHECK(*out == 360);
  start([&](handler &group) {
    group.parallel_for_work_group<hierarchical>(
        sycl::range(2), sycl::range(4), [=](sycl::group<1> own, kernel_handler handler) {
          int number = handler.get_specialization_constant<shared::number>() + 4;
          own.parallel_for_work_item(
              [&](sycl::h_item<1> item) { out[item.get_global_id(0)] = number; });
        });
  });
  CHECK(sum() == 192);
  // A kernel has the values of the time when it is started.
  start([&](handler &group) {
    group.parallel_for(8, [=](int i, kernel_handler handler) {
      out[i] = handler.get_specialization_constant<shared::number>();
    });
    group.set_specialization_constant<shared::number>(21);
  });
  CHECK(sum() == 160);
  // Shortcuts of a queue cannot set values; the next value does not affect earlier work.
  queue
      .parallel_for(8,
                    [=](int i, kernel_handler handler) {
                      out[i] = handler.get_specialization_constant<shared::number>();
                    })
      .wait();
  CHECK(sum() == 40);
  queue.single_task([=](kernel_handler) { out[0] = 6; }).wait();
  CHECK(sum() == 41);
  for (int value = 1; value <= 4; ++value)
    queue.submit([&](handler &group) {
      group.set_specialization_constant<shared::number>(value);
      group.single_task([=](kernel_handler handler) {
        out[value] = handler.get_specialization_constant<shared::number>();
      });
    });
  queue.wait();
  CHECK(out[1] == 1 && out[2] == 2 && out[3] == 3 && out[4] == 4);
  sycl::free(out, queue);
}

static void command_groups() {
  sycl::queue &queue = the_queue();
  queue.submit([&](handler &group) {
    CHECK(group.get_specialization_constant<factor>() == 2.5f);
    group.set_specialization_constant<factor>(3.5f);
    CHECK(group.get_specialization_constant<factor>() == 3.5f);
    CHECK(group.get_specialization_constant<shared::where>().steps[2] == 3);
  });
  queue.submit([&](handler &group) { CHECK(group.get_specialization_constant<factor>() == 2.5f); });
  auto bundle = sycl::get_kernel_bundle<bundle_state::executable>(queue.get_context());
  queue.submit([&](handler &group) {
    group.use_kernel_bundle(bundle);
    CHECK(code_of([&] { group.set_specialization_constant<factor>(1.0f); }) ==
          int(sycl::errc::invalid));
    CHECK(code_of([&] { group.get_specialization_constant<factor>(); }) ==
          int(sycl::errc::invalid));
  });
  queue.submit([&](handler &group) {
    group.set_specialization_constant<factor>(1.0f);
    CHECK(code_of([&] { group.use_kernel_bundle(bundle); }) == int(sycl::errc::invalid));
  });
}

template <typename Bundle> static int run_number(const Bundle &bundle) {
  sycl::queue &queue = the_queue();
  int *out = sycl::malloc_shared<int>(1, queue);
  queue
      .submit([&](handler &group) {
        group.use_kernel_bundle(bundle);
        group.single_task<with_number>([=](kernel_handler handler) {
          *out = handler.get_specialization_constant<shared::number>();
        });
      })
      .wait();
  int value = *out;
  sycl::free(out, queue);
  return value;
}

static void bundles() {
  sycl::queue &queue = the_queue();
  float *out = sycl::malloc_shared<float>(1, queue);
  auto number = sycl::get_kernel_id<with_number>();
  auto scale = sycl::get_kernel_id<with_factor>();
  auto nothing = sycl::get_kernel_id<without>();
  sycl::context context = queue.get_context();
  queue.single_task<without>([=] { *out = 0; }).wait();

  auto input = sycl::get_kernel_bundle<bundle_state::input>(context, {number});
  CHECK(input.contains_specialization_constants() && input.native_specialization_constant());
  CHECK(input.has_specialization_constant<shared::number>());
  CHECK(input.begin()->has_specialization_constant<shared::number>());
  CHECK(!input.has_specialization_constant<unused>());
  auto plain = sycl::get_kernel_bundle<bundle_state::input>(context, {nothing});
  CHECK(!plain.has_specialization_constant<unused>());

  CHECK(input.get_specialization_constant<shared::number>() == 5);
  auto copy = input;
  copy.set_specialization_constant<shared::number>(31); // of all copies
  input.set_specialization_constant<unused>(1);
  CHECK(input.get_specialization_constant<shared::number>() == 31);
  auto built = sycl::build(input);
  auto object = sycl::compile(input);
  input.set_specialization_constant<shared::number>(32); // does not affect what was built
  CHECK(built.get_specialization_constant<shared::number>() == 31 && run_number(built) == 31);
  CHECK(object.get_specialization_constant<shared::number>() == 31);
  CHECK(object.get_specialization_constant<factor>() == 2.5f);

  auto scaled = sycl::get_kernel_bundle<bundle_state::input>(context, {scale});
  scaled.set_specialization_constant<factor>(8.0f);
  auto joined = sycl::link({object, sycl::compile(scaled)});
  CHECK(joined.get_specialization_constant<shared::number>() == 31);
  CHECK(joined.get_specialization_constant<factor>() == 8.0f && run_number(joined) == 31);
  CHECK(run_number(sycl::get_kernel_bundle<bundle_state::executable>(context)) == 5);
  CHECK(run_number(sycl::build(sycl::join(std::vector{input, scaled}))) == 32);
  queue
      .submit([&](handler &group) {
        group.use_kernel_bundle(joined);
        group.single_task<with_factor>(
            [=](kernel_handler handler) { *out = handler.get_specialization_constant<factor>(); });
      })
      .wait();
  CHECK(*out == 8.0f);
  sycl::free(out, queue);
}

static void sources() {
  CHECK(number_of_other(0) == 105 && number_of_other(3) == 8 && number_of_other(0) == 105);
}

static void unregistered() {
  // Only templates can name a local variable, and kernels could not read it.
  static constexpr sycl::specialization_id<int> local{1};
  the_queue().submit([&](handler &group) {
    CHECK(code_of([&] { group.set_specialization_constant<local>(2); }) ==
          int(sycl::errc::invalid));
  });
}

int main() {
  types();
  kinds_of_kernels();
  command_groups();
  bundles();
  sources();
  unregistered();
  std::printf("done\n");
}
