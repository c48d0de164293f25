// The members of class exception.
#pragma once

#include <memory>
#include <string>
#include <sycl/context.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/errc.hpp>
#include <sycl/exception.hpp>
#include <system_error>
#include <utility>

namespace sycl {
inline namespace _V1 {

DOVETAIL_HOST_BODY exception::exception(std::error_code code, const std::string &text)
    : error(code), text(std::make_shared<const std::string>(text)) {}
DOVETAIL_HOST_BODY exception::exception(std::error_code code, const char *text)
    : exception(code, std::string(text)) {}
DOVETAIL_HOST_BODY exception::exception(std::error_code code) : exception(code, code.message()) {}
DOVETAIL_HOST_BODY exception::exception(int value, const std::error_category &category,
                                        const std::string &text)
    : exception({value, category}, text) {}
DOVETAIL_HOST_BODY exception::exception(int value, const std::error_category &category,
                                        const char *text)
    : exception({value, category}, text) {}
DOVETAIL_HOST_BODY exception::exception(int value, const std::error_category &category)
    : exception(std::error_code(value, category)) {}

DOVETAIL_HOST_BODY exception::exception(context where, std::error_code code,
                                        const std::string &text)
    : exception(code, text) {
  this->where = std::make_shared<const context>(std::move(where));
}
DOVETAIL_HOST_BODY exception::exception(context where, std::error_code code, const char *text)
    : exception(std::move(where), code, std::string(text)) {}
DOVETAIL_HOST_BODY exception::exception(context where, std::error_code code)
    : exception(std::move(where), code, code.message()) {}
DOVETAIL_HOST_BODY exception::exception(context where, int value,
                                        const std::error_category &category,
                                        const std::string &text)
    : exception(std::move(where), {value, category}, text) {}
DOVETAIL_HOST_BODY exception::exception(context where, int value,
                                        const std::error_category &category, const char *text)
    : exception(std::move(where), {value, category}, text) {}
DOVETAIL_HOST_BODY exception::exception(context where, int value,
                                        const std::error_category &category)
    : exception(std::move(where), std::error_code(value, category)) {}

DOVETAIL_HOST_BODY const std::error_code &exception::code() const noexcept { return error; }
DOVETAIL_HOST_BODY const std::error_category &exception::category() const noexcept {
  return error.category();
}
DOVETAIL_HOST_BODY const char *exception::what() const noexcept { return text->c_str(); }

DOVETAIL_HOST_BODY bool exception::has_context() const noexcept { return where != nullptr; }

DOVETAIL_HOST_BODY context exception::get_context() const {
  if (!where)
    throw exception(make_error_code(errc::invalid), "the exception has no context");
  return *where;
}

namespace detail {

DOVETAIL_HOST_BODY void fail(errc code, const char *text) {
  throw exception(make_error_code(code), text);
}

} // namespace detail

} // namespace _V1
} // namespace sycl
