// How the member functions of the host's classes are compiled: definitions that are not templates
// start with DOVETAIL_HOST_BODY.
//
// By default, it means `inline`. A compiler that puts these bodies into a separate object file
// defines DOVETAIL_HOST_BODIES: 2 to compile that object, 1 for sources that are linked with it,
// which need not compile the bodies.
#pragma once

#ifndef DOVETAIL_HOST_BODIES
#define DOVETAIL_HOST_BODY inline
#elif DOVETAIL_HOST_BODIES == 2
#define DOVETAIL_HOST_BODY
#else
// Available for inlining, but not emitted: the definition is in the separate object.
#define DOVETAIL_HOST_BODY __attribute__((gnu_inline, noinline)) inline
#endif
