/* Stops the compiler with one sentence where headers that need C++20 are included from what is none. Programs in older
 * C++ record as those in C do, by <evt/emit.h>. */
#ifndef EVT_CPP20_H_
#define EVT_CPP20_H_

#if !defined(__cplusplus)
#error \
    "this header of evtrace is C++: programs in C include <evt/emit.h>, and <evt/emit_events.h> for the standard events"
#include <evt/compilation_ends_here>
#elif __cplusplus < 202002L
#error "this header of evtrace needs C++20, -std=c++20: programs in older C++ include <evt/emit.h>"
#include <evt/compilation_ends_here>
#endif

#endif /* EVT_CPP20_H_ */
