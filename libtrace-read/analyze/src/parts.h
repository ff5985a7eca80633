// Helpers shared by analyses.
#pragma once

#include <evt/session.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace evt {

// The index of a type in Session::types; nothing for one that the session does not declare.
inline std::optional<std::uint32_t> place_of(const EventType& type, const Session& session) {
  const EventType* const first = session.types.data();
  const std::less<> before;  // for pointers of any origin
  if (before(&type, first) || !before(&type, first + session.types.size())) return std::nullopt;
  return static_cast<std::uint32_t>(&type - first);
}

inline std::uint64_t length(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

// Not inline, so that callers that rarely need it are inlined.
template <typename T>
[[gnu::noinline, gnu::cold]] void grow(std::vector<T>* all, std::uint32_t index) {
  all->resize(std::size_t{index} + 1);
}

// Returns the element, which exists from now on.
template <typename T>
[[gnu::always_inline]] inline T& grown(std::vector<T>* all, std::uint32_t index) {
  if (index >= all->size()) [[unlikely]]
    grow(all, index);
  return (*all)[index];
}

}  // namespace evt
