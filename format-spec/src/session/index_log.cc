#include "index_log.h"

#include <new>

#include "format-spec/src/base/zeroed_pages.h"

namespace evt {
namespace {

constexpr std::size_t kCapacity = 64 << 10;
// An entry with the most pieces fits, whatever their values; with all its counts one nearly always does. Otherwise it
// leaves out the counts.
constexpr std::size_t kRoomForOne = 12 << 10;

}  // namespace

// Half a megabyte of addresses, few of which are ever touched.
struct IndexLog::State {
  TypeCounts counts;
  std::uint8_t bytes[EVT_INDEX_FIXED_SIZE + kCapacity];
  IndexEntries entries;
};

void IndexLog::open() {
  state_ = map_zeroed<State>();
  if (state_ == nullptr) return;
  new (&state_->entries) IndexEntries(state_->bytes + EVT_INDEX_FIXED_SIZE, kCapacity);
}

void IndexLog::close() {
  unmap_zeroed(state_);
  state_ = nullptr;
}

void IndexLog::begin_again() {
  latest_size_ = 0;
  event_blocks_ = 0;
  if (state_ != nullptr) state_->entries.clear();
}

TypeCounts* IndexLog::begin_counts() {
  if (state_ == nullptr) return nullptr;
  state_->counts.clear();
  return &state_->counts;
}

void IndexLog::note(std::uint16_t type, std::uint64_t size) {
  if (state_ == nullptr) return;
  if (type == EVT_BLOCK_INDEX) {
    state_->entries.clear();
    event_blocks_ = 0;
    latest_size_ = size;
  } else if (!state_->entries.add(type, size)) {
    close();
  }
}

void IndexLog::note_events(std::uint64_t size, std::uint8_t codec, const EventsHeader& events, const Piece* pieces,
                           std::uint32_t count) {
  if (state_ == nullptr) return;
  ++event_blocks_;
  if (!state_->entries.add_events(size, codec, events, pieces, count, &state_->counts)) close();
}

bool IndexLog::is_due() const {
  return state_ != nullptr && (event_blocks_ >= EVT_INDEX_EVERY_BLOCKS || state_->entries.room() < kRoomForOne);
}

IndexLog::Bytes IndexLog::payload(std::size_t message_size) {
  const IndexEntries& entries = state_->entries;
  IndexHead head;
  head.entry_count = entries.count();
  head.previous_distance = latest_size_ == 0 ? 0 : entries.covered() + latest_size_;
  head.covered = entries.covered();
  head.entries_size = entries.size();
  head.info_size = static_cast<std::uint32_t>(message_size);
  store_index_head(head, state_->bytes);
  return {state_->bytes, EVT_INDEX_FIXED_SIZE + std::size_t{entries.size()}};
}

}  // namespace evt
