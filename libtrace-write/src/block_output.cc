#include "block_output.h"

#include "format-spec/src/block/crc32c.h"

namespace evt {

namespace {

// Compacting a larger block, a single large event, is not worth memory that is never released.
constexpr std::uint32_t kMaxCompacted = 1 << 20;

}  // namespace

bool BlockOutput::use_compactor(const evt_compactor* compactor) {
  compactor_state_ = compactor->open();
  if (compactor_state_ == nullptr) return false;
  compactor_ = compactor;
  return true;
}

bool BlockOutput::write(std::uint16_t type, const void* payload, std::size_t size) {
  if (failed()) return false;
  if (type == EVT_BLOCK_TYPES && compactor_ != nullptr) {
    compactor_->learn(compactor_state_, static_cast<const std::uint8_t*>(payload), size);
  }
  return encoder_.write(type, payload, size);
}

bool BlockOutput::write_events(const std::uint8_t* rows, std::uint16_t flags, EventsHeader events,
                               const PieceTableBytes* table) {
  if (failed()) return false;
  events.rows_crc = crc32c(0, rows, events.rows_size);
  Compacted compacted = {rows, events.rows_size, events.rows_size, EVT_LAYOUT_ROWS, EVT_CODEC_NONE};
  if (compactor_ != nullptr && compacting_ && events.rows_size <= kMaxCompacted &&
      compactor_->compact(compactor_state_, rows, events.rows_size, events.row_count, &compacted)) {
    events.layout = table != nullptr ? with_table(compacted.layout) : compacted.layout;
  }
  const SessionEncoder::Part front =
      table != nullptr ? SessionEncoder::Part{table->data, table->size} : SessionEncoder::Part{};
  const bool as_they_are = compacted.payload == rows;
  StoredRows stored;
  stored.flags = flags;
  stored.codec = compacted.codec;
  stored.size = static_cast<std::uint32_t>(front.size + compacted.size);
  stored.raw_size = static_cast<std::uint32_t>(front.size + compacted.raw_size);
  stored.crc = as_they_are && front.size == 0
                   ? events.rows_crc
                   : crc32c(crc32c(0, front.data, front.size), compacted.payload, compacted.size);
  const Piece alone = piece_of(events);
  return encoder_.write_events(events, stored, front, {compacted.payload, compacted.size},
                               table != nullptr ? table->pieces : &alone, table != nullptr ? table->count : 1);
}

bool BlockOutput::end_segment(const IndexedStream* streams, std::uint32_t count, std::uint64_t rows,
                              std::uint64_t lost) {
  if (failed()) return false;
  return encoder_.end_segment(streams, count, rows, lost) ||
         (!failed() && !stalled() && no_memory(EVT_TRAILER_SEGMENT_SIZE));
}

void BlockOutput::end(const IndexedStream* streams, std::uint32_t count, std::uint64_t rows, std::uint64_t lost) {
  if (!failed() && !encoder_.end(streams, count, rows, lost) && !failed() && !stalled()) {
    no_memory(EVT_TRAILER_FIXED_SIZE);
  }
}

void BlockOutput::close(evt_error* error) {
  if (compactor_state_ != nullptr) compactor_->close(compactor_state_);
  compactor_ = nullptr;
  compactor_state_ = nullptr;
  encoder_.close();
  sink_.close(error);
}

bool BlockOutput::put(void* self, const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count) {
  return static_cast<BlockOutput*>(self)->put(front, parts, count);
}

bool BlockOutput::put(const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count) {
  static const std::uint8_t kPadding[EVT_ALIGNMENT] = {};
  constexpr std::size_t kMaxParts = 2;  // per payload
  iovec all[kMaxParts + 2] = {{const_cast<std::uint8_t*>(front.bytes), front.size}};
  std::size_t payload = 0;
  for (std::size_t i = 0; i < count; ++i) {
    all[i + 1] = {const_cast<std::uint8_t*>(parts[i].data), parts[i].size};
    payload += parts[i].size;
  }
  all[count + 1] = {const_cast<std::uint8_t*>(kPadding), padding_after(payload)};
  evt_error error;
  bool written = sink_.write(all, static_cast<int>(count) + 2, &error);
  while (!written && gives_space()) written = sink_.write(all, static_cast<int>(count) + 2, &error);
  if (!written) {
    note(error);
    if (!try_again_ || !sink_.may_work_later()) fail(error);
    __atomic_store_n(&stalled_, true, __ATOMIC_RELAXED);
    return false;
  }
  if (stalled_) __atomic_store_n(&stalled_, false, __ATOMIC_RELAXED);
  return true;
}

bool BlockOutput::no_memory(std::size_t size) {
  evt_error error;
  set_error(&error, EVT_CODE_MEMORY, "no memory for a block of %zu bytes", size);
  fail(error);
  return false;
}

void BlockOutput::note(const evt_error& error) {
  if (met_error_) return;
  first_error_ = error;
  __atomic_store_n(&met_error_, true, __ATOMIC_RELEASE);
}

void BlockOutput::fail(const evt_error& error) {
  note(error);
  __atomic_store_n(&failed_, true, __ATOMIC_RELEASE);
}

}  // namespace evt
