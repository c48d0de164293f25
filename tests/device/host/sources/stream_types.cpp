// The types that a stream outputs, and its semantics as an object.
#include <sycl/sycl.hpp>

#include <cassert>
#include <iostream>

using namespace sycl;

enum colour { red, green };
struct point {
  int x, y;
};
const stream &operator<<(const stream &out, const point &p) {
  return out << '(' << p.x << ", " << p.y << ')';
}
template <typename DataT> struct box {
  DataT content;
};
template <typename DataT> const stream &operator<<(const stream &out, const box<DataT> &b) {
  return out << '[' << b.content << ']';
}

void by_value(stream out, int i) { out << "value " << i << endl; }
void by_reference(const stream &out, int i) { out << "reference " << i << endl; }
SYCL_EXTERNAL void external(const stream &out, int i) { out << "external " << i << endl; }

struct function_object {
  char tag;
  stream out;
  void operator()() const { out << "tag " << tag << endl; }
};

int main() {
  queue q;
  char in_memory[] = "from memory";
  auto *text = malloc_shared<char>(sizeof(in_memory), q);
  std::memcpy(text, in_memory, sizeof(in_memory));

  q.submit([&](handler &h) {
    stream out(4096, 256, h, property_list{});
    assert(out.size() == 4096 && out.get_work_item_buffer_size() == 256);
    stream copy(out), other(4096, 256, h);
    assert(copy == out && copy != other);
    assert(std::hash<stream>()(copy) == std::hash<stream>()(out));
    assert(!out.has_property<property::queue::in_order>());

    h.single_task([=] {
      out << out.size() << ' ' << out.get_work_item_buffer_size() << endl;
      const char *nothing = nullptr;
      char array[] = {'a', 'b', 0};
      out << "text " << 'c' << ' ' << array << ' ' << text << nothing << "" << endl;
      out << true << ' ' << false << ' ' << static_cast<unsigned char>(123) << ' '
          << static_cast<signed char>(-123) << ' ' << hex << static_cast<signed char>(-1) << dec
          << endl;
      out << green << ' ' << point{3, 4} << ' ' << box<float>{0.5f} << ' ' << box<point>{{1, 2}}
          << endl;
      out << half(0.1f) << ' ' << vec<half, 2>(1.5f) << ' ' << ext::oneapi::bfloat16(0.1f) << endl;

      vec<int, 4> numbers(542325, 645, 771, 1024);
      out << vec<int, 1>(545) << " | " << numbers << " | " << numbers.odd() << " | " << numbers.x()
          << " | " << hex << showbase << numbers << dec << noshowbase << endl;
      out << vec<float, 2>(542.3f, -1.0f) << " | " << marray<bool, 3>(true, false, true) << " | "
          << vec<std::uint8_t, 2>(1, 255) << endl;
      out << id<1>(23) << id<3>(11, 12, 13) << range<2>(4, 5) << endl;
      out << nd_range<3>(range<3>(2, 4, 1), range<3>(1, 2, 1)) << endl;
      int number = 7;
      atomic_ref<int, memory_order::relaxed, memory_scope::device> reference(number);
      out << reference << endl;

      const int *none = nullptr;
      out << none << ' ' << reinterpret_cast<void *>(std::uintptr_t{0xabc}) << ' '
          << global_ptr<int>() << endl;
      out << setw(6) << 42 << '|' << setw(6) << "ab" << '|' << setw(3) << "long" << '|' << 1
          << endl;
      out << stream_manipulator::hex << 255 << stream_manipulator::dec << ' ' << setprecision(3)
          << 3.14159f << stream_manipulator::endl;
      // Copies share what manipulators set.
      copy << scientific;
      out << 0.5f << endl;
      by_value(out, 1);
      by_reference(copy, 2);
      external(out, 3);
    });
  });
  q.wait();

  q.submit([&](handler &h) { h.single_task(function_object{'t', stream(100, 100, h)}); }).wait();
  q.submit([&](handler &h) {
    stream out(1000, 100, h);
    h.parallel_for(range<2>(2, 3), [=](item<2> position) {
      if (position.get_linear_id() == 4)
        out << position << endl;
    });
  });
  q.wait();
  q.submit([&](handler &h) {
    stream out(1000, 200, h);
    h.parallel_for(nd_range<3>({4, 4, 4}, {2, 2, 2}), [=](nd_item<3> position) {
      if (position.get_global_id() == id<3>(1, 2, 3))
        out << position << '\n' << position.get_group() << endl;
    });
  });
  q.wait();
  q.submit([&](handler &h) {
    stream out(1000, 200, h);
    h.parallel_for_work_group(range<1>(1), range<1>(2), [=](group<1> all) {
      out << "group" << endl;
      all.parallel_for_work_item(range<1>(3), [&](h_item<1> position) {
        if (position.get_logical_local_id(0) == 1)
          out << position << endl;
      });
    });
  });
  q.wait();
  free(text, q);
}
