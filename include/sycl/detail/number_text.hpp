// number_text: numbers as the text of a property that has several, such as "8,4,1".
#pragma once

namespace sycl {
inline namespace _V1 {
namespace detail {

template <unsigned long long... Numbers> struct number_text {
  struct characters {
    // Twenty digits and a comma each; the rest stays zero, as does the end.
    char text[sizeof...(Numbers) * 21 + 1] = {};
  };

  static constexpr characters write() {
    characters result;
    int length = 0;
    auto add = [&](unsigned long long number) {
      if (length)
        result.text[length++] = ',';
      int digits = 1;
      for (unsigned long long rest = number / 10; rest; rest /= 10)
        ++digits;
      for (int i = digits; i--; number /= 10)
        result.text[length + i] = static_cast<char>('0' + number % 10);
      length += digits;
    };
    (add(Numbers), ...);
    return result;
  }

  static constexpr characters written = write();
  static constexpr const char *value = written.text;
};

} // namespace detail
} // namespace _V1
} // namespace sycl
