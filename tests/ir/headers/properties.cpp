// What lists of properties are and say, in the form that is published today.
#include <sycl/sycl.hpp>

namespace exp = sycl::ext::oneapi::experimental;

constexpr bool same(const char *left, const char *right) { return !__builtin_strcmp(left, right); }
template <typename T, typename U> constexpr bool same_type = std::is_same_v<T, U>;
template <typename Property> using info = exp::detail::PropertyMetaInfo<std::decay_t<Property>>;

// Defined as for DPC++, with a number that means nothing here.
struct bar_key : exp::detail::compile_time_property_key<static_cast<exp::detail::PropKind>(
                     exp::detail::PropKind::PropKindSize + 1)> {
  using value_t = exp::property_value<bar_key>;
};
inline constexpr bar_key::value_t bar;
template <> struct exp::is_property_key_of<bar_key, sycl::kernel> : std::true_type {};
template <> struct exp::detail::PropertyMetaInfo<bar_key::value_t> {
  static constexpr const char *name = "sycl-bar";
  static constexpr std::nullptr_t value = nullptr;
};

// Defined by what is written into the IR.
struct foo {
  template <int Number> struct value_t {
    using key_t = foo;
    static constexpr const char *meta_name = "sycl-foo";
    static constexpr int meta_value = Number;
  };
};
template <int Number> inline constexpr foo::value_t<Number> foo_v;

// Known when the program runs.
struct depth : exp::detail::run_time_property_key<depth> {
  constexpr depth(int value) : value(value) {}
  int value;
  friend constexpr bool operator==(const depth &a, const depth &b) { return a.value == b.value; }
};
using depth_key = depth;
struct marked {};
template <> struct exp::is_property_key<marked> : std::true_type {};

// A value that is a type.
struct kind_key : exp::detail::compile_time_property_key<> {
  template <typename Kind> using value_t = exp::property_value<kind_key, Kind>;
};
static_assert(same_type<kind_key::value_t<int>::value_t, int>);
static_assert(same_type<bar_key::value_t::key_t, bar_key>);
static_assert(exp::sub_group_size<8>.value == 8);
static_assert(exp::sub_group_size<8> == exp::sub_group_size<8>);
static_assert(exp::sub_group_size<8> != exp::sub_group_size<16>);

static_assert(exp::is_property_key_v<bar_key> && exp::is_property_key<depth_key>::value);
static_assert(!exp::is_property_key_v<int> && !exp::is_property_value_v<int>);
static_assert(exp::is_property_value_v<bar_key::value_t> && exp::is_property_value_v<depth>);
static_assert(exp::is_property_value_v<foo::value_t<1>> && exp::is_property_value_v<marked>);
static_assert(exp::is_property_value<sycl::property::no_init>::value);
static_assert(exp::is_property_key_of_v<exp::device_has_key, sycl::kernel>);
static_assert(!exp::is_property_key_of<exp::device_has_key, sycl::queue>::value);
static_assert(exp::is_property_value_of<exp::device_has_key::value_t<>, sycl::kernel>::value);

// The order in which they are given says nothing.
constexpr exp::properties one{bar, exp::sub_group_size<8>, foo_v<3>};
constexpr exp::properties two{foo_v<3>, bar, exp::sub_group_size<8>};
static_assert(same_type<decltype(one), decltype(two)> && one == two && !(one != two));
static_assert(one != exp::properties{bar} && !(one == exp::properties{bar}));
static_assert(one != exp::properties{bar, exp::sub_group_size<8>, foo_v<4>});
static_assert(std::is_empty_v<std::decay_t<decltype(one)>>);
static_assert(exp::is_property_list_v<std::decay_t<decltype(one)>>);
static_assert(!exp::is_property_list<int>::value && !exp::is_property_list_v<bar_key::value_t>);
static_assert(same_type<decltype(exp::properties{}), exp::empty_properties_t>);
static_assert(same_type<decltype(exp::properties{one}), std::decay_t<decltype(one)>>);

static_assert(one.has_property<bar_key>() && decltype(one)::has_property<foo>());
static_assert(!one.has_property<depth_key>() && !exp::empty_properties_t::has_property<foo>());
static_assert(decltype(one)::get_property<exp::sub_group_size_key>() == exp::sub_group_size<8>);
static_assert(one.get_property<foo>().meta_value == 3);

// With values that are known later.
constexpr exp::properties mixed{depth(3), bar, marked()}, other{bar, marked(), depth(3)};
static_assert(same_type<decltype(mixed), decltype(other)>);
static_assert(mixed.get_property<depth_key>().value == 3 && mixed.has_property<marked>());
static_assert(same_type<decltype(mixed.get_property<bar_key>()), bar_key::value_t>);
static_assert(exp::properties{depth(3), bar} == exp::properties{bar, depth(3)});
static_assert(exp::properties{depth(3), bar} != exp::properties{depth(4), bar});

// What kernels require, and how it is written into the IR.
static_assert(exp::work_group_size<8, 4, 1>[0] == 8 && exp::work_group_size<8, 4, 1>[2] == 1);
static_assert(exp::device_has<sycl::aspect::cpu, sycl::aspect::fp64>.value[1] ==
              sycl::aspect::fp64);
static_assert(same(info<decltype(exp::work_group_size<8, 4, 1>)>::name, "sycl-work-group-size"));
static_assert(same(info<decltype(exp::work_group_size<8, 4, 1>)>::value, "8,4,1"));
static_assert(same(info<decltype(exp::work_group_size_hint<100>)>::value, "100"));
static_assert(same(info<decltype(exp::work_group_size<18446744073709551615u>)>::value,
                   "18446744073709551615"));
static_assert(same(info<decltype(exp::device_has<sycl::aspect::cpu, sycl::aspect::fp64>)>::value,
                   "1,6"));
static_assert(same(info<decltype(exp::device_has<>)>::value, ""));
static_assert(info<decltype(exp::sub_group_size<16>)>::value == 16);
static_assert(same(info<foo::value_t<1>>::name, "sycl-foo") && info<foo::value_t<1>>::value == 1);
static_assert(same(info<decltype(exp::alignment<64>)>::name, "sycl-alignment"));
static_assert(info<decltype(exp::buffer_location<2>)>::value == 2);

struct with_get {
  int *p;
  auto get(exp::properties_tag) const { return exp::properties{exp::sub_group_size<8>, bar}; }
  void operator()(sycl::item<2>) const { *p = 1; }
};
struct with_member {
  int *p;
  static constexpr auto properties = exp::properties{foo_v<1>};
  void operator()() const { *p = 1; }
};
struct with_another_member {
  int *properties;
  void operator()() const { *properties = 1; }
};

void kernels(sycl::queue q, int *p) {
  constexpr exp::properties list{exp::work_group_size<4, 2>, foo_v<7>};
  auto over_item = [=](sycl::item<2>) { *p = 1; };
  sycl::event e = q.single_task(exp::properties{bar}, [=] { *p = 1; });
  e = q.single_task<class named_1>(e, exp::properties{exp::device_has<>}, [=] { *p = 1; });
  e = q.single_task({e, e}, exp::properties{foo_v<1>}, [=] { *p = 1; });
  e = q.parallel_for(8, exp::properties{exp::work_group_size<4>}, [=](sycl::id<1>) { *p = 1; });
  e = q.parallel_for<class named_2>({8, 8}, list, over_item);
  e = q.parallel_for<class named_3>(sycl::range<3>(8, 8, 8), e, exp::properties{bar},
                                    [=](auto) { *p = 1; });
  e = q.parallel_for(sycl::nd_range<2>({8, 8}, {4, 2}), {e}, list,
                     [=](sycl::nd_item<2>) { *p = 1; });
  q.submit([&](sycl::handler &h) { h.single_task(exp::properties{bar}, [=] { *p = 1; }); });
  q.submit([&](sycl::handler &h) {
    h.parallel_for<class named_4>(sycl::range<2>(8, 8), list, over_item);
  });
  q.submit([&](sycl::handler &h) {
    h.parallel_for(sycl::nd_range<1>(8, 8), exp::properties{exp::sub_group_size<8>},
                   [=](sycl::nd_item<1>) { *p = 1; });
  });
  q.parallel_for({8, 8}, with_get{p});
  q.single_task(with_member{p});
  q.single_task(with_another_member{p});
}

struct point {
  int x, y;
};

void pointers(int *p, point *q) {
  exp::annotated_ptr plain(p);
  exp::annotated_ptr alone(p, exp::properties{exp::no_alias, foo_v<32>});
  exp::annotated_ptr given(p, foo_v<32>, exp::no_alias);
  static_assert(same_type<decltype(alone), decltype(given)>);
  static_assert(same_type<decltype(plain), exp::annotated_ptr<int>>);
  static_assert(sizeof(alone) == sizeof(p) && std::is_trivially_copyable_v<decltype(alone)>);
  static_assert(std::is_trivially_default_constructible_v<decltype(alone)>);
  static_assert(alone.has_property<foo>() && alone.get_property<foo>().meta_value == 32);
  static_assert(!std::is_convertible_v<decltype(alone), int *>);
  exp::annotated_ptr more(plain, exp::properties{exp::alignment<4>});
  exp::annotated_ptr most(more, exp::properties{exp::buffer_location<1>, exp::alignment<4>});
  static_assert(same_type<decltype(most),
                          exp::annotated_ptr<int, decltype(exp::properties{exp::buffer_location<1>,
                                                                           exp::alignment<4>})>>);
  exp::annotated_ptr<const int, decltype(exp::properties{exp::no_alias, foo_v<32>})> constant(
      alone);
  exp::annotated_ptr<void> anything(p);
  exp::annotated_ptr<point> to_point(q);
  to_point->x = 1;
  *to_point = point{2, 3};
  point read = *to_point;
  alone[1] = *alone + read.y;
  alone[2] = alone[1];
  *alone += alone[2];
  alone[3] <<= 1;
  int before = alone[1]++ + --alone[2];
  ++alone;
  alone--;
  auto next = alone + 1;
  bool valid = anything && next.get() == p + 1 && next - alone == 1 && (next - 1).get() == p;
  alone = p + 2;
  *most = valid ? before : *constant;
}

void accessors(sycl::buffer<int> b, sycl::buffer<int, 2> c, sycl::queue q) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor all(b, h, exp::properties{exp::no_alias, foo_v<32>});
    sycl::accessor read(b, h, sycl::read_only, exp::properties{foo_v<32>});
    sycl::accessor part(c, h, sycl::range<2>(2, 2), sycl::id<2>(1, 1), sycl::write_only,
                        exp::properties{exp::buffer_location<3>, sycl::no_init});
    sycl::accessor today(
        b, h, sycl::write_only,
        sycl::ext::oneapi::accessor_property_list{sycl::ext::oneapi::no_alias, sycl::no_init});
    sycl::accessor late(b, exp::properties{exp::no_alias});
    sycl::accessor on_host(b, h, sycl::read_only_host_task, exp::properties{exp::no_alias});
    using no_alias_list = decltype(exp::properties{exp::no_alias});
    sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::device,
                   sycl::access::placeholder::false_t, no_alias_list>
        spelled(b, h, exp::properties{exp::no_alias});
    sycl::accessor<int, 1, sycl::access_mode::write, sycl::target::device,
                   sycl::access::placeholder::false_t, no_alias_list>
        same_as_today = today;
    sycl::accessor<const int, 1, sycl::access_mode::read, sycl::target::device,
                   sycl::access::placeholder::false_t, no_alias_list>
        read_by_conversion = spelled;
    static_assert(sizeof(all) == sizeof(sycl::accessor<int>));
    static_assert(std::is_trivially_copyable_v<decltype(all)>);
    h.require(late);
    h.fill(same_as_today, 1);
    h.copy(read, today);
    (void)on_host;
    h.parallel_for(8, [=](sycl::id<1> i) {
      all[i] = read[i] + read_by_conversion[i];
      part[0][0] = late[i];
    });
  });
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp::nd_range_kernel<1>))
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp::work_group_size<8>))
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((foo_v<1>))
void free_function(int *p) { *p = 1; }

static_assert(SYCL_EXT_ONEAPI_PROPERTIES && SYCL_EXT_ONEAPI_KERNEL_PROPERTIES &&
              SYCL_EXT_ONEAPI_ANNOTATED_PTR);
