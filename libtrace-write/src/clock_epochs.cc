#include "clock_epochs.h"

#include "format-spec/src/row/row_reader.h"

namespace evt {
namespace {

// Differences that are not a step, in addition to the uncertainty of a pair of readings. An absolute limit would find a
// step in each program that is quiet for long, because clocks are slewed by up to 500 ppm.
constexpr double kAlwaysAllowedNs = 1e6;
constexpr double kAllowedPart = 1e-3;
// If the thread was interrupted between its readings, they tell little.
constexpr std::uint64_t kGoodEnoughNs = 100'000;
constexpr std::uint64_t kMarginNs = 1'000'000;  // cores differ by less

}  // namespace

// What the clock would read at a time of the session's scale, if it had not stepped since the last good reading.
std::uint64_t ClockEpochs::ticks_at(std::int64_t ns) const {
  const auto elapsed = static_cast<double>(ns - last_.ns);
  const double ticks = elapsed * static_cast<double>(clock_.hz()) / clock_.hz_denominator() / 1e9;
  return last_.ticks + static_cast<std::uint64_t>(static_cast<std::int64_t>(ticks));
}

bool ClockEpochs::goes_on(const ClockReading& reading) const {
  const auto elapsed = static_cast<double>(reading.ns - last_.ns);
  const auto ticks = static_cast<double>(static_cast<std::int64_t>(reading.ticks - last_.ticks));
  const double by_ticks = ticks * 1e9 * clock_.hz_denominator() / static_cast<double>(clock_.hz());
  const double off = by_ticks > elapsed ? by_ticks - elapsed : elapsed - by_ticks;
  const auto uncertain = static_cast<double>(reading.uncertainty_ns + last_.uncertainty_ns);
  return off <= kAlwaysAllowedNs + uncertain + elapsed * kAllowedPart;
}

void ClockEpochs::note(const ClockReading& good) {
  if (good.uncertainty_ns <= kGoodEnoughNs) last_ = good;
}

bool ClockEpochs::has_stepped() {
  if (!clock_.can_sync() || clock_.kind() == EVT_CLOCK_MONOTONIC || current_ == UINT16_MAX) return false;
  ClockReading now = clock_.read_once();
  if (!goes_on(now)) now = clock_.read_all();  // one reading may be wrong
  if (goes_on(now)) {
    note(now);
    return false;
  }
  next_ = now;
  return true;
}

void ClockEpochs::start_next() {
  const std::uint64_t margin = clock_.ticks_in(kMarginNs);
  const std::uint64_t expected = ticks_at(next_.ns);
  const std::uint64_t elapsed = expected - last_.ticks;
  past_to_ = expected + margin;
  since_ = next_.ticks > elapsed + margin ? next_.ticks - elapsed - margin : 0;
  went_back_ = next_.ticks < expected;
  const std::uint64_t step = went_back_ ? expected - next_.ticks : next_.ticks - expected;
  separable_ = step > elapsed + 2 * margin;
  last_ = next_;
  __atomic_store_n(&current_, static_cast<std::uint16_t>(current_ + 1), __ATOMIC_RELEASE);
}

std::uint64_t ClockEpochs::bound(std::uint16_t clock_id, std::uint64_t margin_ms) const {
  if (!clock_.can_sync()) return 0;
  if (clock_id != current_) return clock_id + 1 == current_ ? past_to_ : 0;
  // A clock that has stepped back, which has not been noticed yet, reads less than rows from before the step.
  const std::uint64_t now = clock_.now();
  const std::uint64_t expected = ticks_at(clock_.session_ns());
  return (now > expected ? now : expected) + clock_.ticks_in(margin_ms * 1'000'000);
}

std::uint64_t ClockEpochs::end_of_past(const SlotState& slot, std::uint64_t commit) const {
  if (!separable_ || slot.clock_id() + 1 != current_) return commit;
  const std::uint64_t flushed = slot.flushed();
  const std::uint64_t margin = clock_.ticks_in(kMarginNs);
  std::uint64_t latest = slot.latest;
  RowReader reader(slot.rows + ring::bytes_of(flushed), ring::bytes_of(commit) - ring::bytes_of(flushed),
                   slot.base_of_unwritten());
  std::uint64_t end = flushed;  // before a time base, which stays with the next row
  std::uint64_t at = flushed;
  while (const RowView* const row = reader.next()) {
    at += (std::uint64_t{1} << 32) + row->bytes.size();
    if (row->type == EVT_ROW_TIME_BASE) continue;
    const bool is_behind = row->ticks >= since_ && (went_back_ ? row->ticks + margin < latest : row->ticks > past_to_);
    if (is_behind) return end;
    latest = row->ticks > latest ? row->ticks : latest;
    end = at;
  }
  return commit;
}

}  // namespace evt
