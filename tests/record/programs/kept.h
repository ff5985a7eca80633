/* KEPT: a function that compilers neither inline nor copy under another name. */
#pragma once

#ifdef __clang__
#define KEPT __attribute__((noinline, used))
#else
#define KEPT __attribute__((noinline, noclone, used))
#endif
