#include "writer_events.h"

#include "row_in_progress.h"

namespace evt {
namespace {

// A row of trace.overhead, its time base, and the room that the next event needs.
constexpr std::ptrdiff_t kRoom = 4 * EVT_ROW_ROOM_;

constexpr evt_type kOff = {0, nullptr};
const evt_type* or_off(const evt_type* type) { return type != nullptr ? type : &kOff; }

}  // namespace

void WriterEvents::declared(const evt_type* overhead, const evt_type* stopped, const std::uint32_t* reasons) {
  __atomic_store_n(&wanted_, false, __ATOMIC_RELAXED);
  // Producers read them without a lock, from the first time that the type is on.
  for (int i = 0; i < kReasons && overhead != nullptr && !has_reasons_; ++i) reasons_[i] = reasons[i];
  has_reasons_ |= overhead != nullptr;
  __atomic_store_n(&overhead_, or_off(overhead), __ATOMIC_RELEASE);
  __atomic_store_n(&stopped_, or_off(stopped), __ATOMIC_RELEASE);
}

void WriterEvents::add(StreamState& stream, std::uint64_t ns) const {
  if (!allowed_) return;
  stream.tracing.ns += ns;
  stream.tracing.ended_ticks = evt_now(&stream.hot);
  stream.tracing.clock_id = clock_of(stream);
}

void WriterEvents::record(StreamState& stream, Reason reason, std::uint64_t ticks, bool is_last) {
  TracingTime& took = stream.tracing;
  if (!is_due(stream) || stream.jump_pending) return;
  const SlotState& slot = *stream.slot;
  if (slot.rows + slot.capacity - stream.hot.cursor < kRoom) return;
  const evt_type* const type = overhead();
  if (type == nullptr) return want();
  const std::uint32_t number = __atomic_load_n(&type->number, __ATOMIC_RELAXED);
  if (number == 0) {
    want();  // it may be on by now
  } else {
    // Not when it ended: other rows may have been recorded since.
    const std::uint64_t now = evt_now(&stream.hot);
    const std::uint64_t at = now < ticks ? now : ticks;
    if (!is_last && took.clock_id == slot.clock_id() && took.ended_ticks > at) return;
    set_base(stream, at);
    const evt_begun_ begun = begin_row(stream, number, at);
    evt_row row = {begun.start + EVT_ROW_FRONT_, nullptr, begun.start, &stream.hot, begun.head};
    evt_store_u32(row.p, reasons_[reason]);
    evt_store_u64(row.p + sizeof(std::uint32_t), clock_.ticks_in(took.ns));
    row.p += sizeof(std::uint32_t) + sizeof(std::uint64_t);
    finish_row(stream, row);
  }
  took = {};
}

}  // namespace evt
