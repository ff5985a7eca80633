// Finds numbered things by the hash of their name: open addressing; the things themselves are stored elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace evt {

inline std::uint64_t hash_of(const void* bytes, std::size_t size) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const std::uint8_t*>(bytes)[i]) * 0x100000001b3u;
  return hash;
}

class HashIndex {
 public:
  static constexpr std::uint64_t kNone = UINT64_MAX;

  HashIndex() = default;
  HashIndex(const HashIndex&) = delete;
  HashIndex& operator=(const HashIndex&) = delete;
  ~HashIndex() { std::free(slots_); }

  // The thing with this hash for which `is_it(thing)` is true, or kNone.
  template <class IsIt>
  std::uint64_t find(std::uint64_t hash, IsIt is_it) const {
    if (capacity_ == 0) return kNone;
    for (std::size_t i = first(hash); slots_[i].thing != kNone; i = (i + 1) & (capacity_ - 1)) {
      if (slots_[i].hash == hash && is_it(slots_[i].thing)) return slots_[i].thing;
    }
    return kNone;
  }

  void clear() {
    for (std::size_t i = 0; i < capacity_; ++i) slots_[i] = {0, kNone};
    count_ = 0;
  }

  void release() {  // releases its memory; it is empty then
    std::free(slots_);
    slots_ = nullptr;
    count_ = capacity_ = 0;
  }

  // Returns false if there is no memory.
  bool insert(std::uint64_t hash, std::uint64_t thing) {
    if ((count_ + 1) * 2 > capacity_ && !grow()) return false;
    place(hash, thing);
    ++count_;
    return true;
  }

 private:
  struct Slot {
    std::uint64_t hash;
    std::uint64_t thing;
  };

  std::size_t first(std::uint64_t hash) const { return static_cast<std::size_t>(hash) & (capacity_ - 1); }

  void place(std::uint64_t hash, std::uint64_t thing) {
    std::size_t i = first(hash);
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): it believes that grow() filled two of them
    while (slots_[i].thing != kNone) i = (i + 1) & (capacity_ - 1);
    slots_[i] = {hash, thing};
  }

  bool grow() {
    const std::size_t wanted = capacity_ == 0 ? 64 : capacity_ * 2;
    auto* const slots = static_cast<Slot*>(std::malloc(wanted * sizeof(Slot)));
    if (slots == nullptr) return false;
    for (std::size_t i = 0; i < wanted; ++i) slots[i] = {0, kNone};
    Slot* const old = slots_;
    const std::size_t old_capacity = capacity_;
    slots_ = slots;
    capacity_ = wanted;
    for (std::size_t i = 0; i < old_capacity; ++i) {
      if (old[i].thing != kNone) place(old[i].hash, old[i].thing);
    }
    std::free(old);
    return true;
  }

  Slot* slots_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t count_ = 0;
};

}  // namespace evt
