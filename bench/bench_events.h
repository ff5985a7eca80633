// The events that the benchmarks emit and read: a thread starts, a thread stops.
#pragma once

#include <evt/schema.h>

struct Start {
  std::uint32_t thread = 0;
};
struct Stop {
  std::uint32_t thread = 0;
  std::uint16_t status = 0;
};
template <>
inline constexpr auto evt::schema<Start> = evt::event("sched.start", "a thread runs", evt::Role::kThreadRun,
                                                      evt::field("thread", &Start::thread));
template <>
inline constexpr auto evt::schema<Stop> = evt::event("sched.stop", "a thread stops", evt::Role::kThreadStop,
                                                     evt::field("thread", &Stop::thread),
                                                     evt::field("status", &Stop::status));
