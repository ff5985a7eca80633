// Numbers, or pairs of them -> values, in one piece of memory: for lookups at every event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace evt {

// An odd number that differs between processes: a file cannot choose keys that all collide.
std::uint64_t hash_factor();

struct NumberPair {
  std::uint64_t first = 0;
  std::uint32_t second = 0;

  friend bool operator==(const NumberPair&, const NumberPair&) = default;
};

// Erased entries take no memory. A value stays in place until the next insertion or removal.
template <typename T, typename Key = std::uint64_t>
class FlatMap {
 public:
  // Null: not found.
  T* find(Key key) {
    if (slots_.empty()) return nullptr;
    Slot& slot = slots_[place_of(key)];
    return slot.used ? &slot.value : nullptr;
  }
  const T* find(Key key) const { return const_cast<FlatMap*>(this)->find(key); }

  // The value of the key, and whether it is new.
  std::pair<T*, bool> add(Key key) {
    if (size_ * 2 >= slots_.size()) grow();
    Slot& slot = slots_[place_of(key)];
    const bool is_new = !slot.used;
    if (is_new) {
      slot.used = true;
      slot.key = key;
      ++size_;
    }
    return {&slot.value, is_new};
  }
  T& operator[](Key key) { return *add(key).first; }

  // `value`: a result of find() or add(). Later entries that are further from their home than this place move up, so
  // that no search ends too early.
  void erase(const T* value) {
    const std::ptrdiff_t bytes = reinterpret_cast<const char*>(value) - reinterpret_cast<const char*>(&slots_[0].value);
    std::size_t hole = static_cast<std::size_t>(bytes) / sizeof(Slot);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (hole + 1) & mask; slots_[at].used; at = (at + 1) & mask) {
      if (((at - home_of(slots_[at].key)) & mask) < ((at - hole) & mask)) continue;
      slots_[hole] = std::move(slots_[at]);
      hole = at;
    }
    slots_[hole] = Slot();
    --size_;
  }

  void clear() {
    slots_.clear();
    size_ = 0;
  }
  std::size_t size() const { return size_; }
  // Calls f(key, value) with each, in no particular order.
  template <typename F>
  void for_each(F f) const {
    for (const Slot& slot : slots_) {
      if (slot.used) f(slot.key, slot.value);
    }
  }

 private:
  struct Slot {
    Key key{};
    T value{};
    bool used = false;
  };

  static std::uint64_t number_of(std::uint64_t key) { return key ^ key >> 32; }
  static std::uint64_t number_of(NumberPair key) { return key.first + key.second * 0xC2B2AE3D27D4EB4F; }
  // The upper half of a product depends on all bits of its factors.
  std::size_t home_of(Key key) const {
    return static_cast<std::size_t>(number_of(key) * factor_ >> 32) & (slots_.size() - 1);
  }
  std::size_t place_of(Key key) const {
    std::size_t at = home_of(key);
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> before(slots_.empty() ? 16 : slots_.size() * 2);
    before.swap(slots_);
    for (Slot& slot : before) {
      if (slot.used) slots_[place_of(slot.key)] = std::move(slot);
    }
  }

  std::uint64_t factor_ = hash_factor();
  std::vector<Slot> slots_;  // their number is a power of two
  std::size_t size_ = 0;
};

}  // namespace evt
