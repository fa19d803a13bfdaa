// What a shared library of Heron exports: nothing but what has this mark.
#pragma once

#if defined(__GNUC__)
#define HERON_EXPORT __attribute__((visibility("default")))
#else
#define HERON_EXPORT
#endif
