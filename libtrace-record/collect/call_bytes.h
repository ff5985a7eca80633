// What the amounts of recorded calls count.
#pragma once

#include <string_view>

namespace evt::record {

enum class CallBytes { kNone, kReads, kWrites };

// Of a function that the preload library wraps; kNone of others.
CallBytes bytes_of(std::string_view function);

// Whether the system has its bytes in /proc/PID/io: calls for sockets alone are not there.
bool is_counted_by_system(std::string_view function);

}  // namespace evt::record
