// What threads of a program are in at the end of its trace: the innermost span or call of each that has not ended.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <map>
#include <string>

namespace evt::tools {

struct OpenCall {
  std::string name;
  std::string object;        // its name, or number; empty: none
  std::uint64_t number = 0;  // of the object; 0: none
  std::string resource;      // the object's kind
  std::int64_t since_utc_ns = 0;
};

// By the system's numbers of threads, of the session with this id. Reads all of it.
std::map<std::uint64_t, OpenCall> open_calls(Trace& trace, std::uint64_t session_id);

}  // namespace evt::tools
