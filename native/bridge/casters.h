// Conversions between Python's values and the bridge's that nanobind does not bring along.
#pragma once

#include "conditional_calls.h"
#include "metadata.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

namespace dovetail {

/// A string that Python sees as bytes.
struct Bytes {
  std::string data;
};

} // namespace dovetail

namespace nanobind::detail {

template <> struct type_caster<dovetail::Bytes> {
  NB_TYPE_CASTER(dovetail::Bytes, const_name("bytes"))

  bool from_python(handle source, uint32_t, cleanup_list *) noexcept {
    if (!PyBytes_Check(source.ptr()))
      return false;
    value.data.assign(PyBytes_AS_STRING(source.ptr()), PyBytes_GET_SIZE(source.ptr()));
    return true;
  }
  static handle from_cpp(const dovetail::Bytes &bytes, rv_policy, cleanup_list *) noexcept {
    return PyBytes_FromStringAndSize(bytes.data.data(), static_cast<Py_ssize_t>(bytes.data.size()));
  }
};

/// To Python alone. nanobind has no C++ type for tuples of any length.
template <> struct type_caster<dovetail::ConditionRecord> {
  NB_TYPE_CASTER(dovetail::ConditionRecord, const_name("tuple[int | None, ...]"))

  static handle from_cpp(const dovetail::ConditionRecord &condition, rv_policy,
                         cleanup_list *) noexcept {
    PyObject *numbers = PyTuple_New(static_cast<Py_ssize_t>(condition.numbers.size()));
    for (Py_ssize_t index = 0; numbers && index < PyTuple_GET_SIZE(numbers); ++index) {
      std::optional<int32_t> number = condition.numbers[index];
      object value = number ? steal(PyLong_FromLong(*number)) : none();
      PyTuple_SET_ITEM(numbers, index, value.release().ptr());
    }
    return numbers;
  }
};

/// int (an i32), Integer (any width), str, None, or a sequence of these. The stub defines the name.
template <> struct type_caster<dovetail::MetadataOperand> {
  NB_TYPE_CASTER(dovetail::MetadataOperand, const_name("MetadataOperand"))

  bool from_python(handle source, uint32_t flags, cleanup_list *cleanup) noexcept {
    if (source.is_none()) {
      value.value = std::monostate();
      return true;
    }
    return take<dovetail::MetadataInteger>(source, flags, cleanup) || takeInt(source, flags) ||
           take<std::string>(source, flags, cleanup) ||
           take<dovetail::MetadataNode>(source, flags, cleanup);
  }

  static handle from_cpp(const dovetail::MetadataOperand &operand, rv_policy policy,
                         cleanup_list *cleanup) noexcept {
    if (std::holds_alternative<std::monostate>(operand.value))
      return none().release();
    if (auto *integer = std::get_if<dovetail::MetadataInteger>(&operand.value))
      return fromInteger(*integer, cleanup);
    if (auto *text = std::get_if<std::string>(&operand.value))
      return make_caster<std::string>::from_cpp(*text, policy, cleanup);
    return make_caster<dovetail::MetadataNode>::from_cpp(
        std::get<dovetail::MetadataNode>(operand.value), policy, cleanup);
  }

private:
  template <class T> bool take(handle source, uint32_t flags, cleanup_list *cleanup) noexcept {
    make_caster<T> caster;
    if (!caster.from_python(source, flags, cleanup))
      return false;
    value.value = caster.operator cast_t<T>();
    return true;
  }

  bool takeInt(handle source, uint32_t flags) noexcept {
    make_caster<int64_t> caster;
    if (!caster.from_python(source, flags, nullptr))
      return false;
    value.value = dovetail::MetadataInteger{caster.value};
    return true;
  }

  static handle fromInteger(const dovetail::MetadataInteger &integer,
                            cleanup_list *cleanup) noexcept {
    if (integer.bits == 32)
      return PyLong_FromLongLong(integer.value);
    return make_caster<dovetail::MetadataInteger>::from_cpp(integer, rv_policy::copy, cleanup);
  }
};

} // namespace nanobind::detail
