// What the amounts of recorded calls count.
#pragma once

#include <string_view>

namespace evt::record {

enum class CallBytes { kNone, kReads, kWrites };

// For a function that the preload library wraps; kNone for others.
CallBytes bytes_of(std::string_view function);

// True if the system counts its bytes in /proc/PID/io: it does not count calls that are only for sockets.
bool is_counted_by_system(std::string_view function);

}  // namespace evt::record
