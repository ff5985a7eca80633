#include "cut_state.h"

#include <algorithm>

namespace evt {
namespace {

constexpr std::size_t kMaxOpen = 4096;  // deeper is no program, and memory is bounded

}  // namespace

bool CutState::knows(const EventType& type) {
  switch (type.role()) {
    case Role::kSpanBegin:
    case Role::kSpanEnd:
    case Role::kCallBegin:
    case Role::kCallEnd:
      return true;
    default:
      return false;
  }
}

void CutState::take(const EventType& type, std::uint16_t clock, const RowView& row) {
  switch (type.role()) {
    case Role::kSpanBegin:
      return push(&spans_, type, clock, row);
    case Role::kSpanEnd:
      if (!spans_.empty()) spans_.pop_back();
      return;
    case Role::kCallBegin:
      return push(&calls_, type, clock, row);
    case Role::kCallEnd:
      if (!calls_.empty()) calls_.pop_back();
      return;
    default:
      return;
  }
}

void CutState::push(std::vector<Open>* stack, const EventType& type, std::uint16_t clock, const RowView& row) {
  if (stack->size() == kMaxOpen) forget(clock, row.ticks);
  stack->push_back({&type, clock, row.ticks, {row.fields().begin(), row.fields().end()}});
}

void CutState::forget(std::uint16_t clock, std::uint64_t ticks) {
  spans_.clear();
  calls_.clear();
  is_unknown_ = true;
  unknown_clock_ = clock;
  unknown_until_ = ticks;
}

std::vector<CutState::Open> CutState::open() const {
  std::vector<Open> all = spans_;
  all.insert(all.end(), calls_.begin(), calls_.end());
  std::stable_sort(all.begin(), all.end(), [](const Open& a, const Open& b) { return a.ticks < b.ticks; });
  return all;
}

}  // namespace evt
