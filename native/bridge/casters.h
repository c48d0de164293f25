// Conversions between Python's and the bridge's types that nanobind does not provide.
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
  std::string Data;
};

} // namespace dovetail

namespace nanobind::detail {

template <> struct type_caster<dovetail::Bytes> {
  NB_TYPE_CASTER(dovetail::Bytes, const_name("bytes"))

  bool from_python(handle Source, uint32_t, cleanup_list *) noexcept {
    if (!PyBytes_Check(Source.ptr()))
      return false;
    value.Data.assign(PyBytes_AS_STRING(Source.ptr()), PyBytes_GET_SIZE(Source.ptr()));
    return true;
  }
  static handle from_cpp(const dovetail::Bytes &Content, rv_policy, cleanup_list *) noexcept {
    return PyBytes_FromStringAndSize(Content.Data.data(),
                                     static_cast<Py_ssize_t>(Content.Data.size()));
  }
};

/// Only to Python. nanobind has no C++ type for tuples of variable length.
template <> struct type_caster<dovetail::ConditionRecord> {
  NB_TYPE_CASTER(dovetail::ConditionRecord, const_name("tuple[int | None, ...]"))

  static handle from_cpp(const dovetail::ConditionRecord &Cond, rv_policy,
                         cleanup_list *) noexcept {
    PyObject *Numbers = PyTuple_New(static_cast<Py_ssize_t>(Cond.Numbers.size()));
    for (Py_ssize_t Index = 0; Numbers && Index < PyTuple_GET_SIZE(Numbers); ++Index) {
      std::optional<int32_t> Number = Cond.Numbers[Index];
      object Item = Number ? steal(PyLong_FromLong(*Number)) : none();
      PyTuple_SET_ITEM(Numbers, Index, Item.release().ptr());
    }
    return Numbers;
  }
};

/// int (an i32), Integer (any width), str, None, or a sequence of these. The stub file defines the
/// type's name.
template <> struct type_caster<dovetail::MetadataOperand> {
  NB_TYPE_CASTER(dovetail::MetadataOperand, const_name("MetadataOperand"))

  bool from_python(handle Source, uint32_t Flags, cleanup_list *Cleanup) noexcept {
    if (Source.is_none()) {
      value.Value = std::monostate();
      return true;
    }
    return take<dovetail::MetadataInteger>(Source, Flags, Cleanup) || takeInt(Source, Flags) ||
           take<std::string>(Source, Flags, Cleanup) ||
           take<dovetail::MetadataNode>(Source, Flags, Cleanup);
  }

  static handle from_cpp(const dovetail::MetadataOperand &Op, rv_policy Policy,
                         cleanup_list *Cleanup) noexcept {
    if (std::holds_alternative<std::monostate>(Op.Value))
      return none().release();
    if (auto *Integer = std::get_if<dovetail::MetadataInteger>(&Op.Value))
      return fromInteger(*Integer, Cleanup);
    if (auto *Text = std::get_if<std::string>(&Op.Value))
      return make_caster<std::string>::from_cpp(*Text, Policy, Cleanup);
    return make_caster<dovetail::MetadataNode>::from_cpp(
        *std::get_if<dovetail::MetadataNode>(&Op.Value), Policy, Cleanup);
  }

private:
  template <class T> bool take(handle Source, uint32_t Flags, cleanup_list *Cleanup) noexcept {
    make_caster<T> Caster;
    if (!Caster.from_python(Source, Flags, Cleanup))
      return false;
    value.Value = Caster.operator cast_t<T>();
    return true;
  }

  bool takeInt(handle Source, uint32_t Flags) noexcept {
    make_caster<int64_t> Caster;
    if (!Caster.from_python(Source, Flags, nullptr))
      return false;
    value.Value = dovetail::MetadataInteger{Caster.value};
    return true;
  }

  static handle fromInteger(const dovetail::MetadataInteger &Integer,
                            cleanup_list *Cleanup) noexcept {
    if (Integer.Bits == 32)
      return PyLong_FromLongLong(Integer.Value);
    return make_caster<dovetail::MetadataInteger>::from_cpp(Integer, rv_policy::copy, Cleanup);
  }
};

} // namespace nanobind::detail
