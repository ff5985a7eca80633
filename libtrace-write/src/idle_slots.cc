#include "idle_slots.h"

#include "producers.h"

namespace evt {
namespace {

// Threads that wait for a slot get one soon: these are written before others are taken.
constexpr std::uint32_t kEnough = 4096;

}  // namespace

void IdleSlots::take_back() {
  std::uint32_t taken = 0;
  for (int i = 0; i < 2 && taken == 0; ++i) {
    for (std::uint32_t left = ring_.slot_count(); left > 0 && taken < kEnough;) taken += look(&left);
  }
}

// Takes those of the next slots that are claimed at once; returns how many.
std::uint32_t IdleSlots::look(std::uint32_t* slots_left) {
  Claim claims[kAtOnce];
  std::uint32_t count = 0;
  for (; *slots_left > 0 && count < kAtOnce; --*slots_left) {
    next_ = next_ + 1 < ring_.slot_count() ? next_ + 1 : 0;
    if (claim(ring_.slot(next_), &claims[count])) ++count;
  }
  const bool is_seen = count > 0 && order_producers();
  std::uint32_t taken = 0;
  for (std::uint32_t i = 0; i < count; ++i) taken += settle(claims[i], is_seen) ? 1 : 0;
  return taken;
}

// Claims the slot if its stream looks idle. Its producer finds the stream switched off from here on.
bool IdleSlots::claim(SlotState& slot, Claim* claim) {
  const std::uint64_t generation = __atomic_load_n(&slot.memory->generation, __ATOMIC_ACQUIRE);
  if (generation == 0 || generation % 2 != 0) return false;
  StreamState& stream = *__atomic_load_n(&slot.stream, __ATOMIC_RELAXED);
  if (__atomic_load_n(&stream.slot, __ATOMIC_RELAXED) != &slot) return false;
  if (__atomic_load_n(&stream.hot.busy, __ATOMIC_RELAXED) != 0) return false;
  const std::uint64_t commit = slot.committed();
  if (slot.seen_commit != commit) {
    slot.seen_commit = commit;
    return false;
  }
  __atomic_store_n(&stream.hot.claimed, 1, __ATOMIC_SEQ_CST);
  *claim = {&stream, &slot, __atomic_exchange_n(&stream.hot.limit, nullptr, __ATOMIC_SEQ_CST)};
  return true;
}

// Returns true if the slot was taken. Until `claimed` is 0 again the stream belongs to this thread, unless its producer
// was busy.
bool IdleSlots::settle(const Claim& claim, bool is_seen) {
  StreamState& stream = *claim.stream;
  const bool is_idle = is_seen && claim.limit != nullptr && __atomic_load_n(&stream.hot.busy, __ATOMIC_ACQUIRE) == 0 &&
                       stream.slot == claim.slot;
  if (is_idle) {
    if (!stream.jump_pending) record_losses(stream);
    stream.size_class = 0;
    ring_.hand_over(detach_slot(stream));
    open_room(stream, stream.hot.cursor);
  } else if (claim.limit != nullptr) {
    // A producer that was about to get another slot has set its limit itself.
    std::uint8_t* off = nullptr;
    __atomic_compare_exchange_n(&stream.hot.limit, &off, claim.limit, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    if (__atomic_load_n(stream.all_off, __ATOMIC_ACQUIRE)) switch_off(stream);
  }
  __atomic_store_n(&stream.hot.claimed, 0, __ATOMIC_RELEASE);
  return is_idle;
}

}  // namespace evt
