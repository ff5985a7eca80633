#include "stop_reasons.h"

#include <fmt/core.h>

#include <algorithm>

namespace evt {
namespace {

struct Word {
  std::string_view text;
  ThreadState state;
};
constexpr std::string_view kFinished = "finished";
constexpr Word kWords[] = {
    {"", ThreadState::kUnknown},
    {"unknown", ThreadState::kUnknown},
    {"none", ThreadState::kUnknown},
    {"preempted", ThreadState::kRunnable},
    {"yielded", ThreadState::kRunnable},
    {"yielding", ThreadState::kRunnable},
    {"heap_overflow", ThreadState::kRunnable},   // GHC's word for collecting garbage, and
    {"stack_overflow", ThreadState::kRunnable},  // to enlarge its stack
    {"garbage collection", ThreadState::kRunnable},
    {"migrating", ThreadState::kRunnable},
    {"called_out", ThreadState::kOutside},
    {"foreign_call", ThreadState::kOutside},
    {"ccall", ThreadState::kOutside},
    {"interruptible_ccall", ThreadState::kOutside},
    {kFinished, ThreadState::kEnded},
};

}  // namespace

ThreadState StopReasons::state_after(std::string_view reason) {
  const auto word = std::ranges::find_if(kWords, [&](const Word& w) { return w.text == reason; });
  return word != std::end(kWords) ? word->state : ThreadState::kWaiting;
}

bool StopReasons::ends_thread(const Event& stop) {
  std::uint64_t number = 0;
  if (!stop.get_number(Role::kReason, &number)) return false;
  const Field& field = *stop.type().field(Role::kReason);
  if (field.kind == Kind::kInterned) {
    const std::string* const text = stop.session().text({static_cast<std::uint32_t>(number)});
    return text != nullptr && *text == kFinished;
  }
  const Field::Label* const label = field.label(number);
  return label != nullptr && label->text == kFinished;
}

std::optional<std::uint64_t> StopReasons::ending_number(const EventType& type) {
  const Field* const field = type.field(Role::kReason);
  if (field == nullptr) return std::nullopt;
  for (const Field::Label& label : field->labels) {
    if (label.text == kFinished) return label.value;
  }
  return std::nullopt;
}

std::uint32_t StopReasons::add(const std::string& text) {
  const auto known = by_text_.find(text);
  if (known != by_text_.end()) return known->second;
  const auto next = static_cast<std::uint32_t>(reasons_.size());
  if (next == kMax) reasons_.push_back({"(other reasons)", ThreadState::kWaiting});
  if (next >= kMax) return kMax;
  reasons_.push_back({text, state_after(text)});
  by_text_.emplace(text, next);
  return next;
}

void StopReasons::archive(Archive& archive) {
  archive.list(reasons_, kMax + 1, [&](StopReason& reason) {
    archive.text(reason.text);
    archive.choice(reason.state, ThreadState::kEnded);
  });
  const std::size_t named = std::min(reasons_.size(), kMax);
  for (std::uint32_t i = 0; archive.is_reading() && i < named; ++i) by_text_.emplace(reasons_[i].text, i);
}

std::uint32_t StopReasons::of_any(const Event& stop) {
  if (&stop.type() != type_) {
    type_ = &stop.type();
    std::ranges::fill(quick_, kUnknown);
  }
  const std::optional<std::uint64_t> number = stop.number(Role::kReason);
  const Field* const field = stop.type().field(Role::kReason);
  const std::pair key(number ? &stop.type() : nullptr, number.value_or(0));
  const auto place = known_.find(key);
  if (place != known_.end()) return quick_of(number, place->second);
  std::string text;
  if (number && field->kind == Kind::kInterned) {
    const std::string* const interned = stop.session().text({static_cast<std::uint32_t>(*number)});
    text = interned != nullptr ? *interned : fmt::format("#{}", *number);
  } else if (number) {
    const Field::Label* const label = field->label(*number);
    text = label != nullptr ? label->text : fmt::format("reason {}", *number);
  }
  const std::uint32_t index = add(text);
  if (known_.size() < kMax) known_.emplace(key, index);
  return quick_of(number, index);
}

// Remembers the index for later stops of the type.
std::uint32_t StopReasons::quick_of(std::optional<std::uint64_t> number, std::uint32_t index) {
  if (number && *number < kQuick) quick_[*number] = index;
  return index;
}

}  // namespace evt
