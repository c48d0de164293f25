// What the program and its libraries have of each other.
#pragma once
#include <sycl/sycl.hpp>

// The program's:
SYCL_EXTERNAL int main_step(int x);

// Of library one, and of its other version:
SYCL_EXTERNAL int scale(int x);
SYCL_EXTERNAL int first(int x); // calls second

// Of library two:
SYCL_EXTERNAL int second(int x); // calls main_step
SYCL_EXTERNAL int wide(int x);   // needs fp64
