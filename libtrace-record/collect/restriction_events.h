// Events by which a process records that it restricted its own system calls.
#pragma once

#include <string_view>

#include "libtrace-record/recorded/restriction_events.h"

namespace evt::record {

inline constexpr std::string_view kRestricted = RUN_RESTRICTED;
inline constexpr std::string_view kUnrestricted = RUN_UNRESTRICTED;
inline constexpr std::string_view kUnrestrictedThreads = RUN_UNRESTRICTED_THREADS;

}  // namespace evt::record
