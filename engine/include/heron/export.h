// HERON_EXPORT marks what a shared library of Heron exports: nothing else is visible.
#pragma once

#if defined(__GNUC__)
#define HERON_EXPORT __attribute__((visibility("default")))
#else
#define HERON_EXPORT
#endif
