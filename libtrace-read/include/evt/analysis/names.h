// The names by which spans, functions and resources go, numbered from 0 on in the order in which they are met.
#pragma once

#include <evt/analysis/flat_map.h>
#include <evt/trace.h>

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Of one session, which must outlive it. Memory grows with different names.
class Names {
 public:
  explicit Names(const Session& session) : session_(&session) {}
  // A copy would refer to texts of the original.
  Names(Names&&) = default;
  Names& operator=(Names&&) = default;

  // What the field of this role says: a text, the label of a value, a number. Of a type without such a field, its own
  // name.
  std::uint32_t of(const Event& event, Role role);
  std::uint32_t index(std::string_view text);
  const std::string& operator[](std::uint32_t index) const { return *all_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::uint32_t of_interned(std::uint32_t id) {
    if (id < small_ids_.size() && small_ids_[id] != kUnknown) return small_ids_[id];
    return of_new_interned(id);
  }
  std::uint32_t of_new_interned(std::uint32_t id);
  std::uint32_t of_value(const Event& event, const Field& field);

  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  static constexpr std::uint32_t kSmallIds = 1 << 16;

  const Session* session_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> by_text_;
  std::vector<const std::string*> all_;   // in by_text_
  std::vector<std::uint32_t> small_ids_;  // of interned texts, which writers number from 1 on
  FlatMap<std::uint32_t> interned_;       // those that are larger
  FlatMap<std::uint32_t> types_;          // that have no name
};

}  // namespace evt
#pragma GCC visibility pop
