// exception: what SYCL throws.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <sycl/errc.hpp>
#include <system_error>

namespace sycl {
inline namespace _V1 {

class context;

class exception : public virtual std::exception {
public:
  exception(std::error_code code, const std::string &text);
  exception(std::error_code code, const char *text);
  explicit exception(std::error_code code);
  exception(int value, const std::error_category &category, const std::string &text);
  exception(int value, const std::error_category &category, const char *text);
  exception(int value, const std::error_category &category);

  exception(context where, std::error_code code, const std::string &text);
  exception(context where, std::error_code code, const char *text);
  exception(context where, std::error_code code);
  exception(context where, int value, const std::error_category &category, const std::string &text);
  exception(context where, int value, const std::error_category &category, const char *text);
  exception(context where, int value, const std::error_category &category);

  const std::error_code &code() const noexcept;
  const std::error_category &category() const noexcept;
  const char *what() const noexcept override;

  bool has_context() const noexcept;
  context get_context() const;

private:
  std::error_code error;
  // Shared, since copying an exception must not fail.
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const context> where;
};

} // namespace _V1
} // namespace sycl
