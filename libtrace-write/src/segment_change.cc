#include "segment_change.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "format-spec/src/session/segment_record.h"

namespace evt {
namespace {

// A block should not describe more streams than this; the others count as ended.
constexpr std::uint32_t kMaxDescribed = 100'000;

}  // namespace

bool SegmentChange::request(const char* path) {
  if (is_due() || (path_ = strdup(path)) == nullptr) return false;
  __atomic_store_n(&is_due_, true, __ATOMIC_RELEASE);
  return true;
}

// The new file exists before the old one gets its end: without it the session continues where it is.
bool SegmentChange::go_on() {
  if (step_ == Step::kNone && fd_ < 0 && !open()) {
    answer();
    return true;
  }
  if (step_ == Step::kNone) {
    if (!gather()) return false;
    step_ = Step::kEnd;
  }
  BlockOutput& output = recording_.output();
  RowOutput& rows = recording_.rows();
  if (step_ == Step::kEnd) {
    const auto* const streams = table_.ok() ? reinterpret_cast<const IndexedStream*>(table_.data()) : nullptr;
    const auto count = static_cast<std::uint32_t>(table_.size() / sizeof(IndexedStream));
    if (!recording_.write_sync() || !output.end_segment(streams, count, rows.rows_written(), rows.lost_written())) {
      return false;
    }
    step_ = Step::kBegin;
  }
  if (step_ == Step::kBegin) {
    begin();
    step_ = Step::kFront;
  }
  if (!front_.ok()) return output.no_memory(front_.size());
  if (!MetadataLog::write_collected(output, front_, &front_written_)) return false;
  ring_.set_output(path_, output.sink().id(), output.segment(), first_block_no_);
  __atomic_add_fetch(&changed_, 1, __ATOMIC_RELEASE);
  answer();
  return true;
}

bool SegmentChange::open() {
  fd_ = ::open(path_, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600);
  error_number_ = fd_ < 0 ? errno : 0;
  if (fd_ < 0) return false;
  flock(fd_, LOCK_EX | LOCK_NB);
  return true;
}

// Collects what the session has so far, without waiting for its lock; false if the lock is not free.
bool SegmentChange::gather() {
  const Lock lock = Lock::try_to(recording_);
  if (!lock.held()) return false;
  table_.release();
  segment_.release();
  metadata_.release();
  recording_.append_stream_table(table_);
  SegmentRecord segment;
  segment.number = recording_.output().segment() + 1;
  segment.rows_before = segment.ended_rows = recording_.rows().rows_written();
  segment.lost_before = segment.ended_lost = recording_.rows().lost_written();
  append_segment(segment_, segment);
  for (StreamState* s = recording_.streams().first(); s != nullptr && segment.stream_count < kMaxDescribed;
       s = s->next) {
    append_segment_stream(segment_, {s->id, s->latest_clock, s->rows_written, s->lost_written, s->latest_ticks});
    segment.stream_count += 1;
    segment.ended_rows -= s->rows_written;
    segment.ended_lost -= s->lost_written;
    s->first_ticks = UINT64_MAX;
    s->last_ticks = 0;
  }
  const ClockReading now = recording_.clock().can_sync() ? recording_.clock().read_all() : ClockReading();
  segment.clock_id = recording_.epochs().current();
  segment.ticks = now.ticks;
  segment.ns = now.ns;
  if (!segment_.ok() || !recording_.gather_metadata(metadata_)) return false;
  store_segment(segment, segment_.data());
  return true;
}

// SESSION, SEGMENT, CLOCK, the last SYNCs, then all other metadata.
void SegmentChange::begin() {
  BlockOutput& output = recording_.output();
  output.sink().go_on(fd_, path_);
  output.begin_segment(recording_.rows().rows_written(), recording_.rows().lost_written());
  first_block_no_ = output.next_block_no();
  set_first_block(segment_.data(), first_block_no_);
  front_.clear();
  front_written_ = 0;
  Buffer syncs;
  recording_.append_sync_copies(syncs);
  if (!syncs.ok()) syncs.clear();  // times may differ a little then
  std::size_t at = 0;
  for (int i = 0; i < 2; ++i) {  // SESSION and CLOCK
    const std::size_t size = MetadataLog::collected_size(metadata_, at);
    front_.append(metadata_.data() + at, size);
    at += size;
    if (i == 0) MetadataLog::collect(front_, EVT_BLOCK_SEGMENT, segment_.data(), segment_.size());
  }
  for (std::size_t sync = 0; sync < syncs.size(); sync += EVT_SYNC_FIXED_SIZE) {
    MetadataLog::collect(front_, EVT_BLOCK_SYNC, syncs.data() + sync, EVT_SYNC_FIXED_SIZE);
  }
  front_.append(metadata_.data() + at, metadata_.size() - at);
}

void SegmentChange::give_up() {
  if (!is_due() || has_begun()) return;
  if (fd_ >= 0) {
    ::close(fd_);
    unlink(path_);
  }
  answer();
}

void SegmentChange::answer() {
  fd_ = -1;
  step_ = Step::kNone;
  free(path_);
  path_ = nullptr;
  table_.release();
  segment_.release();
  metadata_.release();
  front_.release();
  __atomic_store_n(&is_due_, false, __ATOMIC_RELEASE);
  __atomic_add_fetch(&answered_, 1, __ATOMIC_ACQ_REL);
}

}  // namespace evt
