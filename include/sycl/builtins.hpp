// SYCL's built-in functions.
#pragma once

#include <sycl/builtins/common_functions.hpp>
#include <sycl/builtins/derived_functions.hpp>
#include <sycl/builtins/geometric_functions.hpp>
#include <sycl/builtins/half_precision_functions.hpp>
#include <sycl/builtins/integer_functions.hpp>
#include <sycl/builtins/math_functions.hpp>
#include <sycl/builtins/native_functions.hpp>
#include <sycl/builtins/relational_functions.hpp>
