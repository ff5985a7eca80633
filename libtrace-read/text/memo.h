// Results by key, so that each is made once: for each type, stream or string of a trace.
#pragma once

#include <evt/event_type.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <unordered_map>

namespace evt {

template <typename Key, typename Made>
class Memo {
 public:
  // The result for this key; null: none yet. Valid until clear().
  const Made* find(Key key) {
    Recent& recent = recent_[place_of(key)];
    if (recent.made != nullptr && recent.key == key) return recent.made;
    const auto known = all_.find(key);
    if (known == all_.end()) return nullptr;
    recent = {key, &known->second};
    return recent.made;
  }
  // The result of make() for this key, now or earlier.
  template <typename Make>
  const Made& of(Key key, Make make) {
    if (const Made* const made = find(key)) return *made;
    return all_.emplace(key, make()).first->second;
  }
  void clear() {
    all_.clear();
    recent_.fill({});
  }

 private:
  // A few keys occur again and again, and need no search.
  static constexpr unsigned kRecentBits = 6;
  struct Recent {
    Key key{};
    const Made* made = nullptr;
  };

  static std::size_t place_of(Key key) {
    std::uint64_t number = 0;
    if constexpr (std::is_pointer_v<Key>) {
      number = reinterpret_cast<std::uintptr_t>(key);
    } else {
      number = key;
    }
    return static_cast<std::size_t>(number * 0x9E37'79B9'7F4A'7C15 >> (64 - kRecentBits));
  }

  std::unordered_map<Key, Made> all_;
  std::array<Recent, 1u << kRecentBits> recent_{};
};

// As above for event types; those that the trace does not declare come and go.
template <typename Made>
class TypeMemo {
 public:
  // Valid until the next call.
  template <typename Make>
  const Made& of(const EventType& type, Make make) {
    if (type.declared() && type.number() != 0) return declared_.of(&type, make);
    other_ = make();
    return other_;
  }
  const Made* find(const EventType& type) { return declared_.find(&type); }
  void clear() { declared_.clear(); }

 private:
  Memo<const EventType*, Made> declared_;
  Made other_;
};

}  // namespace evt
