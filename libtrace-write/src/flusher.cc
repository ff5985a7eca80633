#include "flusher.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "format-spec/src/row/row_reader.h"

namespace evt {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kShortSleep = kMillisecond;
// A stop of the process is detected if it lasts longer than a sleep.
constexpr std::uint64_t kLongSleep = 100 * kMillisecond;
constexpr std::uint64_t kSweepEvery = 1000 * kMillisecond;
// The ring keeps rows safe meanwhile; the reader of a pipe wants them sooner.
constexpr std::uint64_t kOldestInFile = 60'000 * kMillisecond;
constexpr std::uint64_t kOldestInPipe = 1000 * kMillisecond;
// An event that asks for a snapshot is noticed when it is written.
constexpr std::uint64_t kOldestWatched = 100 * kMillisecond;
constexpr std::uint64_t kRetryAfter = 100 * kMillisecond;
// The longest time that this thread may have to wait for its turn.
constexpr std::uint64_t kMaxPauseMs = 60'000;
// With more than this waiting, rows are written uncompressed: pressure costs bytes, not events.
constexpr std::uint64_t kMaxWaiting = 16 << 20;
constexpr std::size_t kStack = 128 << 10;
enum : std::uint32_t { kAwake = 0, kShort = 1, kLong = 2, kRetry = 3 };

// A new time base applies to the next row, and stays with it.
bool is_lone_base(const SlotState& slot, std::uint64_t flushed, std::uint64_t commit) {
  if (ring::rows_of(commit) - ring::rows_of(flushed) != 1) return false;
  RowReader rows(slot.rows + ring::bytes_of(flushed), ring::bytes_of(commit) - ring::bytes_of(flushed), 0);
  const RowView* const row = rows.next();
  return row != nullptr && row->is_time_base();
}

}  // namespace

bool Flusher::make_thread() {
  void* const memory =
      mmap(nullptr, sizeof(Buffers), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  buffers_ = static_cast<Buffers*>(memory);
  pthread_attr_t attributes;
  errno = pthread_attr_init(&attributes);
  if (errno != 0) return false;
  pthread_attr_setstacksize(&attributes, kStack);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread inherits this mask: the program's signals are not for it
  const int reason = pthread_create(&thread_, &attributes, run, this);
  running_ = reason == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  errno = reason;
  return running_;
}

void Flusher::start() {
  __atomic_store_n(&started_, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &started_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void Flusher::stop() {
  __atomic_store_n(&stop_, true, __ATOMIC_RELEASE);
  if (is_this_thread()) {  // the session is closed by on_error, maybe before start() has returned
    pthread_detach(pthread_self());
    return;
  }
  if (!running_) return;
  start();
  wake_from_any();
  pthread_join(thread_, nullptr);
  running_ = false;
}

void Flusher::release() {
  if (buffers_ != nullptr) munmap(buffers_, sizeof(Buffers));
  buffers_ = nullptr;
}

void Flusher::wake(bool now) {
  const std::uint32_t sleeping = __atomic_load_n(&sleeping_, __ATOMIC_RELAXED);
  if (sleeping == kAwake || sleeping == kRetry || (sleeping == kShort && !now)) return;
  wake_from_any();
}

void Flusher::wake_from_any() {
  if (__atomic_exchange_n(&sleeping_, kAwake, __ATOMIC_ACQ_REL) == kAwake) return;
  syscall(SYS_futex, &sleeping_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void Flusher::sleep_for(std::uint64_t ns, bool until_full) {
  const std::uint32_t how = !until_full ? kRetry : ns > 8 * kShortSleep ? kLong : kShort;
  __atomic_store_n(&sleeping_, how, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  // A stop, a request or a full slot from before `sleeping_` was set did not wake this thread.
  const bool requested = (__atomic_load_n(&requested_, __ATOMIC_ACQUIRE) != answered_ || next_file_.change().is_due() ||
                          snapshots_.is_requested()) &&
                         until_full;
  if (!__atomic_load_n(&stop_, __ATOMIC_ACQUIRE) && !requested && !(how == kLong && ring_.has_full())) {
    const timespec time = {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
    const std::uint64_t now = monotonic_ns();
    own_stream_.sleep(now, now + ns);
    syscall(SYS_futex, &sleeping_, FUTEX_WAIT_PRIVATE, how, &time, nullptr, 0);
    own_stream_.wake(monotonic_ns());
  }
  __atomic_store_n(&sleeping_, kAwake, __ATOMIC_RELAXED);
}

void* Flusher::run(void* self) {
  prctl(PR_SET_NAME, kFlusherName);
  Flusher* const flusher = static_cast<Flusher*>(self);
  while (__atomic_load_n(&flusher->started_, __ATOMIC_ACQUIRE) == 0) {
    syscall(SYS_futex, &flusher->started_, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  }
  __atomic_store_n(&flusher->self_, pthread_self(), __ATOMIC_RELAXED);
  flusher->swept_at_ns_ = monotonic_ns();
  flusher->state_stream_.begin(flusher->next_file_.change().changed());
  flusher->work();
  __atomic_store_n(&flusher->self_, pthread_t{}, __ATOMIC_RELAXED);
  return nullptr;
}

void Flusher::work() {
  std::uint64_t pause = kShortSleep;
  while (!__atomic_load_n(&stop_, __ATOMIC_ACQUIRE)) {
    ring_.memory().keep_alive();
    const ClockEpochs& epochs = recording_.epochs();
    ring_.set_bound(epochs.current(), epochs.bound(epochs.current(), kMaxPauseMs));
    // Events that do not wait need slots in advance. For others the ring grows only after they waited in vain: memory
    // that was just written is warm, and new memory is cold.
    const bool is_full = !recording_.drops() || !ring_.grow();
    if (ring_.is_called_for_idle_slots() && is_full) idle_slots_.take_back();
    switches_.apply(own_stream_);
    const std::uint64_t before = recording_.output().bytes_written();
    const bool done = change_segment() && next_file_.rotate_if_due() && follow_clock() && round() && answer();
    const std::uint64_t now = monotonic_ns();
    const bool is_watched = snapshots_.are_watching();
    if (done && now - swept_at_ns_ >= (is_watched ? kOldestWatched : kSweepEvery)) {
      swept_at_ns_ = now;
      if (rotation() != nullptr) rotation()->delete_what_is_over();
      sweep(is_watched ? kOldestWatched : recording_.output().sink().is_regular() ? kOldestInFile : kOldestInPipe);
    }
    snapshots_.go_on();
    recording_.report_error();
    const bool worked = recording_.output().bytes_written() != before;
    own_stream_.record(worked);
    pause = worked ? kShortSleep : pause * 2 < kLongSleep ? pause * 2 : kLongSleep;
    const bool idle = waiting_ == nullptr && !ring_.has_full();
    // Done once it is idle, and repeatedly then.
    if ((!done || (idle && pause > 8 * kShortSleep)) && threads_.have_ended()) return leave_program();
    if (idle || !done) sleep_for(done ? pause : kRetryAfter, done);
  }
}

// The last thread of a program ends it by exit(0), whose handlers want an ordinary stack.
void Flusher::leave_program() {
  if (drain()) sweep(0);
  __atomic_store_n(&has_ended_, true, __ATOMIC_RELEASE);
  pthread_t last;
  if (pthread_create(&last, nullptr, end_program, this) == 0) {
    pthread_detach(last);
    return;
  }
  running_ = false;
  pthread_detach(pthread_self());
  threads_.end_last();
}

// The C library counts threads, so the flusher ends first. This thread keeps the flusher's name, by which other writers
// of this program recognise it.
void* Flusher::end_program(void* self) {
  auto& flusher = *static_cast<Flusher*>(self);
  pthread_join(flusher.thread_, nullptr);
  flusher.running_ = false;
  flusher.threads_.end_last();
  return nullptr;
}

bool Flusher::change_segment() {
  const SegmentChange& change = next_file_.change();
  if (!change.is_due()) return true;
  if (!change.has_begun() && (!drain() || !sweep(0))) return false;
  return !change.is_due() || next_file_.go_on();
}

// Rows in the ring get the clock that they were recorded by; so do later rows when they are written.
bool Flusher::follow_clock() {
  ClockEpochs& epochs = recording_.epochs();
  if (!epochs.has_stepped() || !declare_clock()) return true;  // or in the next round
  epochs.start_next();
  if (!drain() || !sweep(0)) return false;
  for (std::uint32_t i = 0; i < ring_.slot_count(); ++i) {
    SlotState& slot = ring_.slot(i);
    const std::uint64_t generation = __atomic_load_n(&slot.memory->generation, __ATOMIC_ACQUIRE);
    if (generation % 2 == 0 && slot.committed() == slot.flushed()) slot.set_clock_id(epochs.current());
  }
  return true;
}

// In the log of the ring, before any of its rows.
bool Flusher::declare_clock() {
  const Lock lock = Lock::try_to(recording_);
  if (!lock.held()) return false;
  if (!recording_.add_next_clock()) return false;
  if (recording_.metadata().publish(ring_, recording_.output().session_id())) return true;
  recording_.metadata().take_back_clock();
  return false;
}

// Writes the slot's rows from before a step of the clock; the rest is on the current one.
bool Flusher::put_on_current_clock(SlotState& slot, std::uint64_t commit) {
  const ClockEpochs& epochs = recording_.epochs();
  if (!epochs.is_past(slot)) return true;
  if (!write_multiplexed() || !write_rows(slot, epochs.end_of_past(slot, commit))) return false;
  slot.set_clock_id(epochs.current());
  return true;
}

// Twice: a producer may have been handing over a slot while the first round looked, and its next slot has to wait for
// it.
bool Flusher::answer() {
  const std::uint64_t asked = __atomic_load_n(&requested_, __ATOMIC_ACQUIRE);
  if (asked == answered_) return true;
  for (int i = 0; i < 2; ++i) {
    if (!drain() || !sweep(0)) return false;
  }
  snapshots_.note_events();
  __atomic_store_n(&answered_, asked, __ATOMIC_RELEASE);
  return true;
}

bool Flusher::drain() {
  do {
    if (!round()) return false;
  } while (waiting_ != nullptr);
  return true;
}

// Writes what is waiting, except that it compresses only one block per round: compressing takes long, and meanwhile
// slots fill up and more are needed.
bool Flusher::round() {
  if (!next_file_.rotate_if_due()) return false;
  if (is_this_thread()) state_stream_.record(next_file_.change().changed());
  *waiting_end_ = ring_.take_full();
  for (; *waiting_end_ != nullptr; waiting_end_ = &(*waiting_end_)->next) {
    waiting_bytes_ += ring::bytes_of((*waiting_end_)->committed());
  }
  if (!write_log() && !recording_.output().failed()) return false;
  while (waiting_ != nullptr) {
    const bool compacts = waiting_bytes_ <= kMaxWaiting && waiting_bytes_ <= ring_.capacity() / 4;
    recording_.output().set_compacting(compacts);
    if (!write_waiting()) return false;
    if (compacts && recording_.output().compacts()) break;
  }
  return true;
}

// Writes the first waiting slot, and those that can be multiplexed with it. Returns false only if it is to be retried:
// rows that cannot be written at all stay in the ring, or are given up.
bool Flusher::write_waiting() {
  if (!next_file_.rotate_if_due(ring::bytes_of(waiting_->committed()) - ring::bytes_of(waiting_->flushed())))
    return false;
  std::uint32_t count = 0;
  for (SlotState* slot = waiting_; slot != nullptr; slot = slot->next, ++count) {
    const std::uint64_t commit = slot->committed();
    const bool is_past = recording_.epochs().is_past(*slot);
    if (is_past || commit == slot->flushed() || !buffers_->multiplexed.add(recording_.rows(), *slot, commit)) break;
  }
  const std::uint64_t commit = waiting_->committed();
  const bool written =
      count > 0 ? write_multiplexed() : put_on_current_clock(*waiting_, commit) && write_rows(*waiting_, commit);
  if (!written && !recording_.output().failed()) return false;
  // At once: producers that continued would keep this thread from reporting the error.
  if (!written && !recording_.streams().are_off()) recording_.streams().switch_off();
  if (count == 0) count = 1;
  for (; count > 0; --count) finish_first(written);
  return true;
}

void Flusher::finish_first(bool written) {
  SlotState& slot = *waiting_;
  waiting_bytes_ -= ring::bytes_of(slot.committed());
  if (rotation() != nullptr && state_stream_.is_of(*slot.stream)) {
    rotation()->add_state(ring::rows_of(slot.committed()), ring::bytes_of(slot.committed()));
  }
  waiting_ = slot.next;
  if (waiting_ == nullptr) waiting_end_ = &waiting_;
  if (!written && slot.mapped == 0 && keeps_ring()) {  // uncompressed
    ring_.take_out_of_flight();
    recording_.streams().release(*slot.stream);
    return;
  }
  if (!written) RowOutput::give_up(slot);
  release(slot);
}

void Flusher::release(SlotState& slot) {
  StreamState& stream = *slot.stream;
  if (slot.mapped != 0) __atomic_fetch_sub(&stream.own_blocks_in_flight, 1, __ATOMIC_RELEASE);
  if (slot.mapped != 0) {
    munmap(&slot, slot.mapped);  // it lies in its own memory
  } else {
    ring_.give(&slot);
  }
  ring_.take_out_of_flight();
  recording_.streams().release(stream);
}

// Streams that record little are written together: when one has waited this long, all that have waited half of it are
// written.
bool Flusher::sweep(std::uint64_t older_than_ns) {
  const std::uint64_t now = monotonic_ns();
  if (!any_older_than(older_than_ns, now)) return true;
  for (std::uint32_t i = 0; i < ring_.slot_count(); ++i) {
    SlotState& slot = ring_.slot(i);
    std::uint64_t commit = 0;
    if (!is_unwritten(slot, &commit) || slot.unwritten_since == 0) continue;
    if (now - slot.unwritten_since < older_than_ns / 2) continue;
    const std::uint64_t upcoming = ring::bytes_of(commit) - ring::bytes_of(slot.flushed());
    if (buffers_->multiplexed.empty() && !next_file_.rotate_if_due(upcoming)) return false;
    // Types first: what these rows need was in the log before they were committed.
    if (!write_log() || !put_on_current_clock(slot, commit)) return false;
    if (commit == slot.flushed() || buffers_->multiplexed.add(recording_.rows(), slot, commit)) continue;
    if (!write_multiplexed()) return false;
    if (!buffers_->multiplexed.add(recording_.rows(), slot, commit) && !write_rows(slot, commit)) return false;
  }
  return write_multiplexed();
}

// Notes how long slots have had unwritten rows.
bool Flusher::any_older_than(std::uint64_t ns, std::uint64_t now) {
  bool any = false;
  for (std::uint32_t i = 0; i < ring_.slot_count(); ++i) {
    SlotState& slot = ring_.slot(i);
    std::uint64_t commit = 0;
    if (!is_unwritten(slot, &commit)) continue;
    if (slot.unwritten_since == 0) slot.unwritten_since = now;
    any |= now - slot.unwritten_since >= ns;
  }
  return any;
}

// True if a slot that is being filled has rows that can be written now.
bool Flusher::is_unwritten(SlotState& slot, std::uint64_t* commit) const {
  const std::uint64_t generation = __atomic_load_n(&slot.memory->generation, __ATOMIC_ACQUIRE);
  const std::uint64_t flushed = slot.flushed();
  *commit = slot.committed();
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  const bool steady = generation == __atomic_load_n(&slot.memory->generation, __ATOMIC_RELAXED);
  if (!steady || generation % 2 != 0 || *commit == flushed || is_lone_base(slot, flushed, *commit)) return false;
  // An earlier slot may just have been handed over.
  return slot.memory->first_ordinal + ring::rows_of(flushed) == slot.stream->rows_written;
}

bool Flusher::prepare_block() {
  if (recording_.output().repeat_is_due() && !repeat_metadata(false)) return false;
  return write_log() && recording_.write_sync_if_due();
}

// Collected under the lock and written without it: no thread waits for the lock while the sink is slow.
bool Flusher::repeat_metadata(bool waits_for_lock) {
  Buffer all;
  {
    const Lock lock = waits_for_lock ? Lock(recording_) : Lock::try_to(recording_);
    if (!lock.held()) return true;
    recording_.gather_metadata(all);
  }
  return recording_.write_metadata(all);
}

bool Flusher::write_rows(SlotState& slot, std::uint64_t commit) {
  return commit == slot.flushed() || (prepare_block() && recording_.rows().write(slot, commit));
}

bool Flusher::write_multiplexed() {
  MultiplexedBlock& multiplexed = buffers_->multiplexed;
  if (multiplexed.empty()) return true;
  if (prepare_block()) return multiplexed.write(recording_.rows());
  multiplexed.clear();
  return false;
}

bool Flusher::write_log() {
  const std::uint8_t* block = nullptr;
  const std::uint64_t from = ring_.log_written();
  const std::uint64_t total = ring_.log_since(from, &block);
  for (std::uint64_t at = from; at < total;) {
    const std::size_t taken = write_blocks(block, static_cast<std::size_t>(total - at));
    if (taken == 0) return false;
    at += taken;
    block += taken;
    ring_.set_log_written(at);
  }
  return true;
}

// Writes the first of these blocks, those of one type together, because each holds little. Returns the number of bytes,
// or 0.
std::size_t Flusher::write_blocks(const std::uint8_t* block, std::size_t size) {
  BlockHeader first;
  load_block_header(block, size, &first);
  std::size_t at = first.header_size + first.payload_size + padding_after(first.payload_size);
  if (first.payload_size > sizeof buffers_->merged) {
    return recording_.output().write(first.type, block + first.header_size, first.payload_size) ? at : 0;
  }
  std::size_t merged = first.payload_size;
  memcpy(buffers_->merged, block + first.header_size, merged);
  while (at < size) {
    BlockHeader next;
    load_block_header(block + at, size - at, &next);
    if (next.type != first.type || first.type == EVT_BLOCK_CLOCK ||
        merged + next.payload_size > sizeof buffers_->merged)
      break;
    const std::uint8_t* const payload = block + at + next.header_size;
    evt_store_u32(buffers_->merged, evt_load_u32(buffers_->merged) + evt_load_u32(payload));  // the counts of records
    memcpy(buffers_->merged + merged, payload + 4, next.payload_size - 4);
    merged += next.payload_size - 4;
    at += next.header_size + next.payload_size + padding_after(next.payload_size);
  }
  return recording_.output().write(first.type, buffers_->merged, merged) ? at : 0;
}

}  // namespace evt
