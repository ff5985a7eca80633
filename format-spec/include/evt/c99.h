/* Stops the compiler with one clear sentence if a header in C is included from an older language. */
#ifndef EVT_C99_H_
#define EVT_C99_H_

#if defined(__cplusplus)
#if __cplusplus < 201103L
#error "the headers of evtrace need C++11, -std=c++11, or later"
#include <evt/compilation_ends_here>
#endif
#elif !defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L
#error "the headers of evtrace need C99, -std=c99, or later"
#include <evt/compilation_ends_here>
#endif

#endif /* EVT_C99_H_ */
