// Event types by their numbers.
#pragma once

#include <evt/event_type.h>

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace evt {

// Event types by number, in pages: a session that declares little costs little, whatever its numbers.
class TypeIndex {
 public:
  EventType* find(std::uint32_t number) const {
    if (number <= 0xFFFF) return (*(*pages_)[number >> 8])[number & 0xFF];
    const auto found = wide_.find(number);
    return found == wide_.end() ? nullptr : found->second;
  }
  void add(EventType* type, std::uint32_t number) {
    if (number > 0xFFFF) {
      wide_[number] = type;
      return;
    }
    if (declared_ == nullptr) pages_ = &(declared_ = std::make_unique<Declared>())->pages;
    std::unique_ptr<Page>& page = declared_->owned[number >> 8];
    if (page == nullptr) declared_->pages[number >> 8] = (page = std::make_unique<Page>()).get();
    (*page)[number & 0xFF] = type;
  }

 private:
  using Page = std::array<EventType*, 256>;
  using Pages = std::array<const Page*, 256>;
  // Pages without a type, so that lookups need no branch.
  static constexpr Page kNone{};
  static constexpr Pages kNoneOfAny = [] {
    Pages pages{};
    pages.fill(&kNone);
    return pages;
  }();
  struct Declared {
    Pages pages = kNoneOfAny;
    std::array<std::unique_ptr<Page>, 256> owned;
  };

  const Pages* pages_ = &kNoneOfAny;
  std::unique_ptr<Declared> declared_;
  std::unordered_map<std::uint32_t, EventType*> wide_;
};

}  // namespace evt
