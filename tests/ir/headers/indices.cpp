// id, range, nd_range and item: everything here is decided while compiling.
#include <sycl/id.hpp>
#include <sycl/is_group.hpp>
#include <sycl/item.hpp>
#include <sycl/nd_item.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/range.hpp>

using sycl::id;
using sycl::nd_range;
using sycl::range;

template <typename T, typename U> constexpr bool same = std::is_same_v<T, U>;

// Construction and deduction.
static_assert(same<decltype(id(1)), id<1>> && same<decltype(id(1, 2)), id<2>> &&
              same<decltype(id(1, 2, 3)), id<3>>);
static_assert(same<decltype(range(1)), range<1>> && same<decltype(range(1, 2)), range<2>> &&
              same<decltype(range(1, 2, 3)), range<3>>);
static_assert(same<id<>, id<1>> && id<3>::dimensions == 3 && range<2>::dimensions == 2);
static_assert(!std::is_constructible_v<id<2>, int> && !std::is_constructible_v<id<1>, int, int>);
static_assert(id<3>() == id(0, 0, 0) && id<2>(range(4, 5)) == id(4, 5));
static_assert(range(2, 3, 4).size() == 24 && range(2, 3, 4).get(2) == 4 && range(2, 3)[1] == 3);
static_assert(std::is_trivially_copyable_v<id<3>> && sizeof(id<3>) == 3 * sizeof(std::size_t));
static_assert(std::is_standard_layout_v<id<1>> && sizeof(range<1>) == sizeof(std::size_t));

// Element-wise operators, with either operand a number.
static_assert(id(1, 2) + id(3, 4) == id(4, 6) && id(5, 6) - 1 == id(4, 5));
static_assert(2 * range(3, 4) == range(6, 8) && range(7, 9) / range(2, 4) == range(3, 2));
static_assert(id(7, 8) % 4 == id(3, 0) && (id(1, 2) << 3) == id(8, 16) &&
              (8u >> id(1, 2)) == id(4, 2));
static_assert((id(6, 3) & 2) == id(2, 2) && (id(6, 3) | 1) == id(7, 3) &&
              (id(6, 3) ^ 1) == id(7, 2));
static_assert((id(1, 5) < id(2, 4)) == id(1, 0) && (id(1, 5) >= 5) == id(0, 1));
static_assert((id(1, 0) && id(1, 1)) == id(1, 0) && (id(1, 0) || id(0, 0)) == id(1, 0));
static_assert(id(1, 2) + range(10, 20) == id(11, 22));
static_assert(id(1, 2) != id(1, 3) && +id(1, 2) == id(1, 2) && -id(1) + 1 == 0);

constexpr id<2> changed() {
  id<2> i(1, 2);
  i += 3;
  i *= id(2, 1);
  ++i;
  i--;
  i[0] = i[0] + 1;
  return i;
}
static_assert(changed() == id(9, 5));

// One dimension is a number.
static_assert(id(3) == 3 && 3 == id(3) && id(3) != 4 && id(3) < 4 && id(3) + 1 == id(4));
static_assert(static_cast<int>(id(3)) == 3 && std::is_convertible_v<id<1>, float>);
static_assert(!std::is_convertible_v<id<2>, std::size_t>);
constexpr int table[] = {10, 11, 12};
static_assert(table[id(2)] == 12);

static_assert(nd_range(range(8, 6), range(4, 2)).get_group_range() == range(2, 3));
static_assert(nd_range(range(8), range(4)) != nd_range(range(8), range(2)));

// The last dimension runs fastest.
constexpr auto item = sycl::detail::item_access::make<false>(id(1, 2, 3), range(4, 5, 6));
static_assert(item.get_linear_id() == (1 * 5 + 2) * 6 + 3 && item[1] == 2);
static_assert(item.get_range(2) == 6 && id<3>(item) == id(1, 2, 3));
static_assert(sycl::item<3>(item).get_id() == id(1, 2, 3));
constexpr auto shifted = sycl::detail::item_access::make<true>(id(5), range(9), id(2));
static_assert(shifted.get_linear_id() == 3 && shifted + 1 == 6);

// Nobody but the device's queries makes these.
static_assert(!std::is_default_constructible_v<sycl::nd_item<1>>);
static_assert(!std::is_default_constructible_v<sycl::group<1>>);
static_assert(!std::is_default_constructible_v<sycl::sub_group>);
static_assert(sycl::is_group_v<sycl::group<2>> && sycl::is_group_v<sycl::sub_group> &&
              !sycl::is_group_v<sycl::nd_item<1>>);
