#include "ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "format-spec/src/block/block_framer.h"
#include "stream_state.h"

namespace evt {
namespace {

using ring::kPage;
using ring::round_up;

constexpr std::uint32_t kAreas = ring::kMaxAreas;
constexpr std::uint32_t kStreams = ring::kMaxStreams;
constexpr std::uint64_t kLog = ring::kLogSize;
constexpr std::uint64_t kStep = 64 << 10;     // size of steps in which log and records get memory
constexpr std::uint64_t kLogKept = 32 << 20;  // beyond which the log is reused once all of it is in the file
constexpr std::uint64_t kMaxPrivate = 256 << 20;
constexpr std::uint64_t kMaxShared = 256 << 20;
constexpr std::uint64_t kMin = 1 << 20;
constexpr std::uint64_t kMinSlots = 64 << 10;
using ring::kMaxSlots;

// Slots kept free in each class: threads begin with small ones, and fast recorders use large ones.
constexpr std::uint32_t kKeptFree[Ring::kClasses] = {64, 4, 4, 4, 4, 4, 8};
// The system provides memory at 4 GB a second; no thread should wait for more than it can use meanwhile.
constexpr std::uint64_t kMaxAtOnce = 8 << 20;
constexpr std::uint32_t kAtOpen[Ring::kClasses] = {16, 2, 2, 2, 2, 2, 4};

constexpr std::uint32_t slot_size(unsigned size_class) { return Ring::kSmallestSlot << size_class; }

}  // namespace

bool Ring::open(const char* folder, const char* name, const Buffer& front, std::uint64_t session_id,
                std::uint64_t most) {
  const std::uint64_t header_at = round_up(front.size(), kPage);
  const std::uint64_t control_at = header_at + round_up(sizeof(ring::Header), kPage);
  const std::uint64_t areas_at = control_at + kPage;
  const std::uint64_t streams_at = areas_at + round_up(kAreas * sizeof(ring::Area), kPage);
  const std::uint64_t log_at = streams_at + round_up(std::uint64_t{kStreams} * sizeof(ring::StreamRecord), kPage);
  const std::uint64_t slots_at = log_at + kLog;

  if (most != 0 && most < kMinSlots) most = kMinSlots;
  bool opened = false;
  if (name != nullptr) {
    std::uint64_t share = RingMemory::fair_share(folder);
    if (share > kMaxShared) share = kMaxShared;
    slots_most_ = most != 0 && most < share ? most : share;
    opened = share >= kMin && memory_.open_shared(folder, name, slots_at + slots_most_) &&
             memory_.commit(0, areas_at + kPage);
  } else {
    slots_most_ = most != 0 ? most : kMaxPrivate;
    opened = memory_.open_private(slots_at + slots_most_);
  }
  void* const states = mmap(nullptr, kMaxSlots * sizeof(SlotState), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!opened || states == MAP_FAILED) {
    const int reason = errno;
    memory_.remove();
    memory_.unmap();
    if (states != MAP_FAILED) munmap(states, kMaxSlots * sizeof(SlotState));
    errno = reason;
    return false;
  }
  slots_ = static_cast<SlotState*>(states);
  slots_end_ = slots_at;
  slots_most_ += slots_at;

  memcpy(memory_.data(), front.data(), front.size());
  header_ = reinterpret_cast<ring::Header*>(memory_.data() + header_at);
  header_->version = 1;
  header_->header_size = sizeof(ring::Header);
  header_->session_id = session_id;
  header_->front_size = front.size();
  header_->log_offset = log_at;
  header_->log_capacity = kLog;
  header_->streams_offset = streams_at;
  header_->stream_size = sizeof(ring::StreamRecord);
  header_->stream_capacity = kStreams;
  header_->areas_offset = areas_at;
  header_->area_capacity = kAreas;
  header_->slot_header_size = sizeof(ring::Slot);
  header_->control_offset = control_at;
  commit_log(kStep);
  for (unsigned c = 0; c < kClasses && c <= largest_kept_; ++c) add_slots(c, kAtOpen[c]);
  if (slot_count_ == 0) {  // a ring without usable slots would lose everything
    memory_.remove();
    unmap();
    errno = ENOSPC;
    return false;
  }
  __atomic_thread_fence(__ATOMIC_RELEASE);
  memcpy(header_->magic, ring::kMagic, sizeof header_->magic);
  return true;
}

void Ring::set_output(const char* path, const FileId& id, std::uint64_t segment, std::uint64_t first_block_no) {
  ring::Output& output = header_->outputs[segment % 2];
  output.device = id.device;
  output.inode = id.inode;
  output.segment = segment;
  output.first_block_no = first_block_no;
  const std::size_t length = strlen(path);
  memset(output.path, 0, sizeof output.path);
  if (length < sizeof output.path) memcpy(output.path, path, length);
  if (segment == 0) header_->trace = output;
  __atomic_store_n(&header_->segment, segment, __ATOMIC_RELEASE);
}

ring::ControlPage* Ring::control() const {
  if (!memory_.shared()) return nullptr;
  return reinterpret_cast<ring::ControlPage*>(memory_.data() + header_->control_offset);
}

bool Ring::add_slots(unsigned size_class, std::uint32_t count) {
  const std::uint32_t size = slot_size(size_class);
  const std::uint32_t area = header_->areas;
  if (slots_end_ + std::uint64_t{size} * count > slots_most_) {
    count = static_cast<std::uint32_t>((slots_most_ - slots_end_) / size);
  }
  if (count > kMaxSlots - slot_count_) count = kMaxSlots - slot_count_;
  if (count == 0 || area == kAreas || !memory_.commit(slots_end_, std::uint64_t{size} * count)) return false;
  auto* const table = reinterpret_cast<ring::Area*>(memory_.data() + header_->areas_offset);
  if (reinterpret_cast<std::uintptr_t>(&table[area]) % kPage == 0 && area > 0 &&
      !memory_.commit(header_->areas_offset + area * sizeof(ring::Area), kPage)) {
    return false;
  }
  table[area] = {slots_end_, size, count};
  __atomic_store_n(&header_->areas, area + 1, __ATOMIC_RELEASE);
  for (std::uint32_t i = 0; i < count; ++i) {
    SlotState& slot = slots_[slot_count_];
    slot.memory = reinterpret_cast<ring::Slot*>(memory_.data() + slots_end_);
    slot.rows = reinterpret_cast<std::uint8_t*>(slot.memory + 1);
    slot.capacity = size - static_cast<std::uint32_t>(sizeof(ring::Slot));
    slot.size_class = static_cast<std::uint8_t>(size_class);
    slots_end_ += size;
    __atomic_store_n(&slot_count_, slot_count_ + 1, __ATOMIC_RELEASE);
    give(&slot);
  }
  __atomic_store_n(&was_added_[size_class], true, __ATOMIC_RELAXED);
  return true;
}

// Once: where the ring may not grow, smaller ones have to do.
void Ring::add_lacking(unsigned size_class) {
  if (!lacks(size_class)) return;
  add_slots(size_class, kAtOpen[size_class]);
  __atomic_store_n(&was_added_[size_class], true, __ATOMIC_RELAXED);
}

// At least as many as were used since the last growth, but few enough that getting them does not take long.
std::uint32_t Ring::wanted_slots(unsigned size_class) {
  const std::uint64_t size = slot_size(size_class);
  const std::uint32_t largest = __atomic_load_n(&largest_kept_, __ATOMIC_RELAXED);
  const std::uint64_t taken = __atomic_exchange_n(&taken_[size_class], 0, __ATOMIC_RELAXED) / size;
  const std::uint32_t count = size_class > largest ? 0
                              : largest < kClasses ? kAtOpen[size_class]
                                                   : kKeptFree[size_class];
  const std::uint64_t kept = std::uint64_t{count} * kept_times_;
  const std::uint64_t wanted = taken * 2 > kept ? taken * 2 : kept;
  const std::uint64_t have = __atomic_load_n(&free_count_[size_class], __ATOMIC_RELAXED);
  if (have * 2 > wanted) return 0;
  const std::uint64_t at_once = kMaxAtOnce / size;
  return static_cast<std::uint32_t>(wanted - have < at_once ? wanted - have : at_once);
}

bool Ring::grow() {
  if (!try_begin_growth()) return false;
  bool enough = true;
  for (unsigned c = 0; c < kClasses; ++c) {
    const std::uint32_t more = wanted_slots(c);
    if (more > 0) enough &= add_slots(c, more);
  }
  end_growth();
  return enough;
}

bool Ring::grow_for(unsigned size_class, unsigned least) {
  for (unsigned c = size_class + 1; c-- > least;) {
    const std::uint32_t more = wanted_slots(c);
    if (add_slots(c, more > 0 ? more : 1)) return true;
  }
  return false;
}

SlotState* Ring::pop(unsigned size_class) {
  std::uint64_t& list = free_[size_class];
  std::uint64_t head = __atomic_load_n(&list, __ATOMIC_ACQUIRE);
  while (static_cast<std::uint32_t>(head) != 0) {
    SlotState& slot = slots_[static_cast<std::uint32_t>(head) - 1];
    const std::uint64_t next = __atomic_load_n(&slot.next_free, __ATOMIC_RELAXED);
    // The tag distinguishes a list that came back to the same head.
    const std::uint64_t wanted = ((head >> 32) + 1) << 32 | next;
    if (__atomic_compare_exchange_n(&list, &head, wanted, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      __atomic_fetch_sub(&free_count_[size_class], 1, __ATOMIC_RELAXED);
      return &slot;
    }
  }
  return nullptr;
}

// If a recovery finds that the bound is for another clock, it has no bound.
void Ring::set_bound(std::uint16_t clock, std::uint64_t ticks) {
  if (header_->bound_clock_id != clock) {
    __atomic_store_n(&header_->bound_ticks, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&header_->bound_clock_id, clock, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&header_->bound_ticks, ticks, __ATOMIC_RELEASE);
}

SlotState* Ring::take(unsigned size_class) {
  SlotState* slot = nullptr;
  for (unsigned c = size_class; c < kClasses && slot == nullptr; ++c) slot = pop(c);
  for (unsigned c = size_class; c-- > 0 && slot == nullptr;) slot = pop(c);
  // Waiting threads retry: vain requests are not counted, or the ring would grow for them. A stream asks for the next
  // class when it has filled this one.
  const std::uint32_t largest = __atomic_load_n(&largest_kept_, __ATOMIC_RELAXED);
  if (size_class >= largest) __atomic_store_n(&largest_kept_, size_class + 1, __ATOMIC_RELAXED);
  if (slot != nullptr) __atomic_fetch_add(&taken_[size_class], slot_size(slot->size_class), __ATOMIC_RELAXED);
  return slot;
}

void Ring::give(SlotState* slot) {
  const auto index = static_cast<std::uint64_t>(slot - slots_) + 1;
  std::uint64_t& list = free_[slot->size_class];
  std::uint64_t head = __atomic_load_n(&list, __ATOMIC_RELAXED);
  std::uint64_t wanted;
  do {
    __atomic_store_n(&slot->next_free, static_cast<std::uint32_t>(head), __ATOMIC_RELAXED);
    wanted = ((head >> 32) + 1) << 32 | index;
  } while (!__atomic_compare_exchange_n(&list, &head, wanted, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  __atomic_fetch_add(&free_count_[slot->size_class], 1, __ATOMIC_RELAXED);
}

void Ring::hand_over(SlotState* slot) {
  StreamState& stream = *slot->stream;
  __atomic_fetch_add(&in_flight_, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&stream.users, 1, __ATOMIC_RELAXED);
  if (slot->mapped != 0) __atomic_fetch_add(&stream.own_blocks_in_flight, 1, __ATOMIC_RELAXED);
  const std::uint64_t next = slot->memory->first_ordinal + ring::rows_of(slot->committed());
  __atomic_store_n(&stream.next_ordinal, next, __ATOMIC_RELAXED);
  __atomic_store_n(&stream.losses->next_ordinal, next, __ATOMIC_RELAXED);
  push_full(slot);
}

void Ring::push_full(SlotState* slot) {
  SlotState* head = __atomic_load_n(&full_, __ATOMIC_RELAXED);
  do {
    slot->next = head;
  } while (!__atomic_compare_exchange_n(&full_, &head, slot, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

SlotState* Ring::take_full() {
  SlotState* newest_first = __atomic_exchange_n(&full_, nullptr, __ATOMIC_ACQUIRE);
  SlotState* oldest_first = nullptr;
  while (newest_first != nullptr) {
    SlotState* const slot = newest_first;
    newest_first = slot->next;
    slot->next = oldest_first;
    oldest_first = slot;
  }
  return oldest_first;
}

std::uint64_t Ring::unwritten_rows() const {
  std::uint64_t rows = 0;
  for (std::uint32_t i = 0; i < slot_count(); ++i) {
    const std::uint32_t flushed = ring::rows_of(slots_[i].flushed());
    const std::uint32_t committed = ring::rows_of(slots_[i].committed());
    if (committed > flushed) rows += committed - flushed;
  }
  return rows;
}

ring::StreamRecord* Ring::take_record() {
  const std::uint32_t index = header_->streams;
  if (index == kStreams) return nullptr;
  constexpr auto kPerStep = static_cast<std::uint32_t>(kStep / sizeof(ring::StreamRecord));
  if (index >= records_committed_) {
    // Whole steps of memory, which may have a few bytes more than whole records.
    const std::uint64_t from = round_up(std::uint64_t{index} * sizeof(ring::StreamRecord), kPage);
    const std::uint64_t to = round_up(std::uint64_t{index + kPerStep} * sizeof(ring::StreamRecord), kPage);
    const std::uint64_t room = round_up(std::uint64_t{kStreams} * sizeof(ring::StreamRecord), kPage);
    if (!memory_.commit(header_->streams_offset + from, (to < room ? to : room) - from)) return nullptr;
    records_committed_ = index + kPerStep;
  }
  auto* const records = reinterpret_cast<ring::StreamRecord*>(memory_.data() + header_->streams_offset);
  __atomic_store_n(&header_->streams, index + 1, __ATOMIC_RELEASE);
  return &records[index];
}

bool Ring::commit_log(std::uint64_t size) {
  if (size > kLog) return false;
  while (log_committed_ < size) {
    if (!memory_.commit(header_->log_offset + log_committed_, kStep)) return false;
    log_committed_ += kStep;
  }
  return true;
}

bool Ring::append_to_log(std::uint16_t type, const void* payload, std::size_t size, std::uint64_t session_id) {
  const std::size_t whole = EVT_BLOCK_HEADER_SIZE + size + padding_after(size);
  std::uint64_t total = header_->log_total;
  if (total - header_->log_base > kLogKept && log_written() == total) {
    // All of it is in the file: no reader needs it any more, and it starts over.
    __atomic_store_n(&header_->log_base, total, __ATOMIC_RELEASE);
  }
  std::uint64_t at = total - header_->log_base;
  if (!commit_log(at + whole)) {
    // No memory for more: the log is reused once all of it is in the file.
    if (at == 0 || log_written() != total || !commit_log(whole)) return false;
    __atomic_store_n(&header_->log_base, total, __ATOMIC_RELEASE);
    at = 0;
  }
  __atomic_thread_fence(__ATOMIC_RELEASE);  // a reader that sees these bytes also sees where the log begins
  std::uint8_t* const out = memory_.data() + header_->log_offset + at;
  const BlockFront front = BlockFramer::of_ring(session_id).front(type, payload, size);
  memcpy(out, front.bytes, front.size);
  memcpy(out + front.size, payload, size);
  memset(out + EVT_BLOCK_HEADER_SIZE + size, 0, padding_after(size));
  __atomic_store_n(&header_->log_total, total + whole, __ATOMIC_RELEASE);
  return true;
}

std::uint64_t Ring::log_since(std::uint64_t from, const std::uint8_t** bytes) const {
  const std::uint64_t total = __atomic_load_n(&header_->log_total, __ATOMIC_ACQUIRE);
  *bytes = memory_.data() + header_->log_offset + (from - __atomic_load_n(&header_->log_base, __ATOMIC_RELAXED));
  return total;
}

void Ring::unmap() {
  memory_.unmap();
  munmap(slots_, kMaxSlots * sizeof(SlotState));
  slots_ = nullptr;
}

}  // namespace evt
