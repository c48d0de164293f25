// How the bodies of the host's classes are compiled: what is no template is written once with
// DOVETAIL_HOST_BODY in front.
//
// By default it is inline, in every source. A compiler that keeps these bodies as an object file of
// its own defines DOVETAIL_HOST_BODIES: 2 to compile that object, 1 for sources that are linked
// with it and need not compile, optimise and throw away the same code again.
#pragma once

#ifndef DOVETAIL_HOST_BODIES
#define DOVETAIL_HOST_BODY inline
#elif DOVETAIL_HOST_BODIES == 2
#define DOVETAIL_HOST_BODY
#else
// Never emitted for lack of users' inlining: the definition is elsewhere.
#define DOVETAIL_HOST_BODY __attribute__((gnu_inline, noinline)) inline
#endif
