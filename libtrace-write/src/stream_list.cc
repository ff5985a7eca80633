#include "stream_list.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error_text.h"

namespace evt {
namespace {

// The producer that ended a stream may still be in its last steps; and the thread of a stream, whose handle signal
// handlers can reach, must be gone.
bool is_unused(const StreamState& state) {
  // Pairs with the producer's last store to the state: everything before it is visible then.
  if (__atomic_load_n(&state.hot.busy, __ATOMIC_ACQUIRE) != 0) return false;
  return !state.of_thread ||
         (syscall(SYS_tgkill, getpid(), static_cast<pid_t>(state.thread), 0) != 0 && errno == ESRCH);
}

}  // namespace

bool StreamList::take_id(std::uint32_t wanted, std::uint32_t* id, evt_error* error) {
  if (next_id_ == kFlusherId) ++next_id_;
  *id = wanted == 0 ? next_id_ : wanted;
  const bool is_behind_all = wanted >= next_id_ && wanted != UINT32_MAX && wanted != kFlusherId;
  bool taken = wanted != 0 && !is_behind_all && were_used_again_ && wanted < next_id_;
  for (const StreamState* s = first_; s != nullptr && !taken && wanted != 0 && !is_behind_all; s = s->next) {
    taken = s->id == wanted;
  }
  if (taken) {
    set_error(error, EVT_CODE_INVALID, "stream %u exists already", wanted);
    return false;
  }
  // Continues after the largest, except after the last possible number, and that of the flusher.
  if (*id >= next_id_ && *id != UINT32_MAX && *id != kFlusherId) next_id_ = *id + 1;
  return true;
}

// States come from pages that a fork child finds empty, however it was made: there every stream is off, at no cost.
StreamState* StreamList::new_state() {
  constexpr std::size_t kPages = 64 << 10;
  if (unused_count_ == 0) {
    void* const pages = mmap(nullptr, kPages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    madvise(pages, kPages, MADV_WIPEONFORK);  // if this is not supported, the process id shows it in time
    unused_ = static_cast<StreamState*>(pages);
    unused_count_ = kPages / sizeof(StreamState);
  }
  --unused_count_;
  return unused_++;
}

StreamState* StreamList::retired_state() {
  for (StreamState* s = __atomic_exchange_n(&retired_, nullptr, __ATOMIC_ACQUIRE); s != nullptr;) {
    StreamState* const next = s->next_retired;
    s->next_retired = reusable_;
    reusable_ = s;
    s = next;
  }
  StreamState** place = &reusable_;
  constexpr int kMaxAsked = 8;
  for (int i = 0; i < kMaxAsked && *place != nullptr && !is_unused(**place); ++i) place = &(*place)->next_retired;
  StreamState* const state = *place;
  if (state == nullptr || !is_unused(*state)) return nullptr;
  *place = state->next_retired;
  ring::StreamRecord& losses = *state->losses;
  for (int cause = 0; cause < EVT_LOST_CAUSES; ++cause) {
    lost_[cause] += losses.lost[cause];
    losses.lost[cause] = losses.recorded[cause] = 0;
  }
  losses.next_ordinal = losses.lost_ticks = losses.first_lost_ticks = 0;
  texts_cut_ += state->texts_cut;
  free(state->name);
  StreamState fresh = {};
  fresh.next = state->next;
  fresh.listed = true;
  fresh.losses = state->losses;
  *state = fresh;
  were_used_again_ = true;
  return state;
}

StreamState* StreamList::make() {
  StreamState* const used_again = retired_state();
  StreamState* const stream = used_again != nullptr ? used_again : new_state();
  if (stream != nullptr) stream->all_off = &all_off_;
  return stream;
}

void StreamList::add(StreamState& stream) {
  __atomic_fetch_add(&open_, 1, __ATOMIC_RELAXED);
  if (stream.listed) return;
  stream.listed = true;
  stream.next = first_;
  __atomic_store_n(&first_, &stream, __ATOMIC_RELEASE);
}

void StreamList::release(StreamState& stream) {
  const bool was_last = __atomic_sub_fetch(&stream.users, 1, __ATOMIC_ACQ_REL) == 0;
  // The end of the session writes what retired streams still have to record, and opens none.
  if (was_last && !are_off()) retire(stream);
}

void StreamList::retire(StreamState& stream) {
  stream.next_retired = __atomic_load_n(&retired_, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&retired_, &stream.next_retired, &stream, true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}

void StreamList::switch_off() {
  __atomic_store_n(&all_off_, true, __ATOMIC_RELEASE);
  // A producer that gets a slot at this moment sees that, or its limit is removed here.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  for (StreamState* s = first(); s != nullptr; s = s->next) evt::switch_off(*s);
}

void StreamList::leave_to_parent() {
  switch_off();
  for (StreamState* s = first(); s != nullptr; s = s->next) __atomic_store_n(&s->hot.claimed, 0, __ATOMIC_RELAXED);
}

void StreamList::add_counts(evt_counts& counts) const {
  counts.texts_cut += texts_cut_;
  for (int cause = 0; cause < EVT_LOST_CAUSES; ++cause) counts.lost[cause] += lost_[cause];
  for (const StreamState* s = first_; s != nullptr; s = s->next) {
    for (int cause = 0; cause < EVT_LOST_CAUSES; ++cause) {
      counts.lost[cause] += __atomic_load_n(&s->losses->lost[cause], __ATOMIC_RELAXED);
    }
    counts.texts_cut += __atomic_load_n(&s->texts_cut, __ATOMIC_RELAXED);
  }
}

void StreamList::free_names() {
  for (StreamState* s = first_; s != nullptr; s = s->next) {
    free(s->name);
    s->name = nullptr;
  }
}

}  // namespace evt
