/* Stops the compiler with one clear sentence if a header that needs C++20 is included from anything else. Programs in
 * older C++ record through <evt/emit.h>, as those in C do. */
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
