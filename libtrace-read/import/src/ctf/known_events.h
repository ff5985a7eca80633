// Meanings of well-known events of kernels and of instrumented programs, by their names: those of LTTng, and of perf as
// `perf data convert --to-ctf` writes them.
#pragma once

#include <evt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace evt::ctf {

// The meaning of an event: a role, and the roles of its fields.
struct Meaning {
  struct FieldRole {
    std::string field;
    std::uint16_t role = EVT_ROLE_NONE;
  };
  std::uint16_t role = EVT_ROLE_NONE;
  std::vector<FieldRole> fields;
};

struct KnownEvent {
  std::vector<Meaning> meanings;  // the first is the type's own, the others are facets; empty for an unknown name
  bool is_switch = false;         // a field `reason` is added: whether the thread was still runnable
  std::string function;           // for a call: the called function; a field `function` is added
  bool is_call = false;           // by `addr` if there is no name
};

// Names of fields that the tool adds.
inline constexpr std::string_view kReason = "reason";
inline constexpr std::string_view kFunction = "function";
inline constexpr std::string_view kThread = "thread";
inline constexpr std::string_view kCpu = "cpu";

// `has_waking`: the trace has events of threads that are about to be woken, so events of woken threads would repeat
// them.
KnownEvent known_event(std::string_view name, const std::function<bool(std::string_view field)>& has_field,
                       bool has_waking);

}  // namespace evt::ctf
