#include <evt/analysis/stop_reasons.h>
#include <fmt/format.h>

#include <algorithm>

namespace evt {
namespace {

struct Word {
  std::string_view text;
  ThreadState state;
};
constexpr Word kWords[] = {
    {"", ThreadState::kUnknown},
    {"unknown", ThreadState::kUnknown},
    {"none", ThreadState::kUnknown},
    {"preempted", ThreadState::kRunnable},
    {"yielded", ThreadState::kRunnable},
    {"yielding", ThreadState::kRunnable},
    {"heap_overflow", ThreadState::kRunnable},   // GHC's way to collect garbage, and
    {"stack_overflow", ThreadState::kRunnable},  // to enlarge its stack
    {"migrating", ThreadState::kRunnable},
    {"called_out", ThreadState::kOutside},
    {"foreign_call", ThreadState::kOutside},
    {"ccall", ThreadState::kOutside},
    {"interruptible_ccall", ThreadState::kOutside},
    {"finished", ThreadState::kEnded},
};

}  // namespace

ThreadState StopReasons::state_after(std::string_view reason) {
  const auto word = std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& w) { return w.text == reason; });
  return word != std::end(kWords) ? word->state : ThreadState::kWaiting;
}

std::uint32_t StopReasons::add(const std::string& text) {
  const auto same =
      std::find_if(reasons_.begin(), reasons_.end(), [&](const StopReason& reason) { return reason.text == text; });
  if (same != reasons_.end()) return static_cast<std::uint32_t>(same - reasons_.begin());
  reasons_.push_back({text, state_after(text)});
  return static_cast<std::uint32_t>(reasons_.size() - 1);
}

std::uint32_t StopReasons::of(const Event& stop) {
  const std::optional<std::uint64_t> number = stop.number(Role::kReason);
  const Field* const field = stop.type().field(Role::kReason);
  const auto [place, is_new] = known_.try_emplace({number ? &stop.type() : nullptr, number.value_or(0)}, 0);
  if (!is_new) return place->second;
  std::string text;
  if (number && field->kind == Kind::kInterned) {
    const std::string* const interned = stop.session().text({static_cast<std::uint32_t>(*number)});
    text = interned != nullptr ? *interned : fmt::format("#{}", *number);
  } else if (number) {
    const Field::Label* const label = field->label(*number);
    text = label != nullptr ? label->text : fmt::format("reason {}", *number);
  }
  return place->second = add(text);
}

}  // namespace evt
