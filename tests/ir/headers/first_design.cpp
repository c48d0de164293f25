// The examples of the first design, "Implementation design for compile time constant properties",
// as C++ takes them: `using namespace` both would make `property_list` ambiguous, so the example
// that does so says which it means.
#include <sycl/sycl.hpp>

// Properties that the examples suppose.
namespace sycl::ext::oneapi {

struct foo {
  struct value_t {
    using key_t = foo;
    static constexpr const char *meta_name = "foo";
    static constexpr const char *meta_value = "";
  };
};
struct bar {
  template <int Number> struct value_t {
    using key_t = bar;
    static constexpr const char *meta_name = "bar";
    static constexpr int meta_value = Number;
  };
};
inline constexpr foo::value_t foo_v;
template <int Number> inline constexpr bar::value_t<Number> bar_v;

} // namespace sycl::ext::oneapi

// Whoever has compile-time properties, and shows them to the compiler.
namespace design {

using sycl::ext::oneapi::property_list;

template <typename T, typename PropertyListT = property_list<>> class variable {};

// Partial specialization to make PropertyListT visible as a parameter pack of properties.
template <typename T, typename... Props>
class
#ifdef __SYCL_DEVICE_ONLY__
    [[__sycl_detail__::add_ir_global_variable_attributes(Props::meta_name...,
                                                         Props::meta_value...)]]
#endif
    variable<T, property_list<Props...>> {
public:
  static constexpr int count = sizeof...(Props);
  T value;
};

template <typename T, typename PropertyListT = property_list<>> class argument;
template <typename T, typename... Props>
class
#ifdef __SYCL_DEVICE_ONLY__
    [[__sycl_detail__::add_ir_kernel_parameter_attributes(Props::meta_name...,
                                                          Props::meta_value...)]]
#endif
    argument<T, property_list<Props...>> {
public:
  T *pointer;
};

template <typename KernelType, typename PropertyListT> class KernelSingleTaskWrapper;
template <typename KernelType, typename... Props>
class KernelSingleTaskWrapper<KernelType, property_list<Props...>> {
  KernelType k;

public:
  KernelSingleTaskWrapper(KernelType k) : k(k) {}

#ifdef __SYCL_DEVICE_ONLY__
  [[__sycl_detail__::add_ir_function_attributes(Props::meta_name..., Props::meta_value...)]]
#endif
  void operator()() {
    k();
  }
};

template <typename T, typename PropertyListT = property_list<>> class annotated;
template <typename T, typename... Props> class annotated<T, property_list<Props...>> {
  T *ptr
#ifdef __SYCL_DEVICE_ONLY__
      [[__sycl_detail__::add_ir_member_annotation(Props::meta_name..., Props::meta_value...)]]
#endif
      ;

public:
  annotated(T *p) : ptr(p) {}
  T *get() const { return ptr; }
};

} // namespace design

namespace variables {
using namespace sycl::ext::oneapi;

design::variable<int, property_list_t<foo::value_t, bar::value_t<32>>> dm1;
static_assert(decltype(dm1)::count == 2);
static_assert(
    std::is_same_v<decltype(dm1),
                   design::variable<int, property_list_t<bar::value_t<32>, foo::value_t>>>);
} // namespace variables

namespace accessors {
using namespace sycl;
using namespace sycl::ext::oneapi;

void f(buffer<int> buf, handler &cgh) {
  using sycl::ext::oneapi::property_list;
  accessor acc(buf, cgh, property_list{no_alias_v, bar_v<32>});
  cgh.single_task([=] { acc[0] = 1; });
}
} // namespace accessors

namespace kernels {
using namespace sycl;
using namespace sycl::ext::oneapi;

void foo(handler &cgh, int *p) {
  using sycl::ext::oneapi::property_list;
  cgh.single_task(property_list{sub_group_size_v<32>, device_has_v<aspect::fp16>}, [=] { *p = 1; });
}

class MyKernel {
public:
  MyKernel(int *p) : p(p) {}
  void operator()() { *p = 1; }

  static constexpr auto properties =
      sycl::ext::oneapi::property_list{sub_group_size_v<32>, device_has_v<aspect::fp16>};

private:
  int *p;
};

void bar(handler &cgh, int *p) {
  MyKernel k(p);
  cgh.single_task(k);
}

void wrapped(handler &cgh, int *p) {
  auto kernel = [=] { *p = 1; };
  design::KernelSingleTaskWrapper<decltype(kernel), property_list_t<ext::oneapi::foo::value_t>> k(
      kernel);
  cgh.single_task<class wrapped_kernel>(k);
}
} // namespace kernels

namespace pointers {
using namespace sycl::ext::oneapi;

void f(int *p) {
  annotated_ptr<int, property_list_t<foo::value_t, bar::value_t<32>>> aptr(p);
  design::annotated<int, property_list_t<foo::value_t, bar::value_t<32>>> theirs(p);
  design::argument<int, property_list_t<bar::value_t<1>>> argument{p};
  *aptr = *argument.pointer + *theirs.get();
}
} // namespace pointers

namespace lists {
namespace oneapi = sycl::ext::oneapi;

constexpr oneapi::property_list one{oneapi::foo_v, oneapi::bar_v<2>};
constexpr oneapi::property_list two{oneapi::bar_v<2>, oneapi::foo_v};
static_assert(std::is_same_v<decltype(one), decltype(two)> && one == two);
static_assert(one.has_property<oneapi::foo>() && !one.has_property<int>());
static_assert(one.get_property<oneapi::bar>().meta_value == 2);
static_assert(oneapi::experimental::is_property_list_v<oneapi::property_list<>>);
// The standard's list of that name is another class.
sycl::property_list standard{sycl::no_init};
} // namespace lists
