#include "session_copy.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_text.h"
#include "fact_table.h"
#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/session/metadata_records.h"
#include "format-spec/src/session/segment_record.h"
#include "quiet_signals.h"

namespace evt {
namespace {

constexpr std::size_t kEnough = 1 << 20;

bool read_at(int fd, std::uint64_t offset, std::uint8_t* out, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = pread(fd, out + done, size - done, static_cast<off_t>(offset + done));
    if (n <= 0 && (n == 0 || errno != EINTR)) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

bool is_copied_as_it_is(std::uint16_t type) {
  return type == EVT_BLOCK_CLOCK || type == EVT_BLOCK_TYPES || type == EVT_BLOCK_STREAMS || type == EVT_BLOCK_STRINGS ||
         type == EVT_BLOCK_FACTS || type == EVT_BLOCK_SYNC;
}

std::uint64_t id_in(const std::uint8_t* session, std::size_t size) {
  const void* const newline = memchr(session, '\n', size);
  const std::size_t line = static_cast<std::size_t>(static_cast<const std::uint8_t*>(newline) - session) + 1;
  return evt_session_id(session + line + padding_after(line) + 24);
}

}  // namespace

SessionCopy::SessionCopy(const std::uint8_t* session, std::size_t session_size, std::uint64_t copied_id, int out)
    : encoder_(put, this), session_(session), session_size_(session_size), copied_id_(copied_id), out_(out) {
  encoder_.begin(id_in(session, session_size), true);
}

bool SessionCopy::put(void* self, const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count) {
  auto& copy = *static_cast<SessionCopy*>(self);
  std::size_t size = 0;
  bool is_done = copy.append(front.bytes, front.size);
  for (std::size_t i = 0; i < count; ++i) {
    is_done = is_done && copy.append(parts[i].data, parts[i].size);
    size += parts[i].size;
  }
  static constexpr std::uint8_t kPadding[EVT_ALIGNMENT] = {};
  return is_done && copy.append(kPadding, padding_after(size));
}

bool SessionCopy::append(const void* bytes, std::size_t size) {
  if (error_number_ != 0) return false;
  gathered_.append(bytes, size);
  if (!gathered_.ok()) error_number_ = ENOMEM;
  return error_number_ == 0 && (gathered_.size() < kEnough || flush());
}

bool SessionCopy::flush() {
  const QuietSignals quiet;
  for (std::size_t done = 0; done < gathered_.size() && error_number_ == 0;) {
    const ssize_t n = ::write(out_, gathered_.data() + done, gathered_.size() - done);
    if (n <= 0 && (n == 0 || errno != EINTR)) error_number_ = n == 0 ? EIO : errno;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  gathered_.clear();
  return error_number_ == 0;
}

// Reads the block at an offset. kEnd: there is none, or not all of it.
SessionCopy::Loaded SessionCopy::load(int fd, std::uint64_t at, std::uint64_t size) {
  const std::size_t front = size - at < sizeof head_ ? static_cast<std::size_t>(size - at) : sizeof head_;
  if (front < EVT_BLOCK_HEADER_SIZE || !read_at(fd, at, head_, front)) return Loaded::kEnd;
  if (load_block_header(head_, front, &header_) != HeaderState::kGood) return Loaded::kEnd;
  if (header_.payload_size > size - at - header_.header_size) return Loaded::kEnd;
  payload_.clear();
  std::uint8_t* const payload = payload_.extend(header_.payload_size);
  if (payload == nullptr) return Loaded::kFailed;
  if (!read_at(fd, at + header_.header_size, payload, header_.payload_size)) return Loaded::kEnd;
  const bool is_right = crc32c(0, payload, header_.payload_size) == header_.payload_crc;
  return is_right ? Loaded::kYes : Loaded::kDamaged;
}

// Calls visit() for each block of the session; false ends it. `at`: where it ended, in so many bytes.
template <typename Visit>
SessionCopy::Loaded SessionCopy::each_block(int fd, std::uint64_t* at, std::uint64_t* size, Visit visit) {
  struct stat status;
  if (fstat(fd, &status) != 0) error_number_ = errno;
  *size = error_number_ == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  Loaded loaded = Loaded::kEnd;
  for (*at = 0; *at < *size && (loaded = load(fd, *at, *size)) == Loaded::kYes;) {
    if (header_.session_id == copied_id_ && !visit()) break;
    *at += header_.header_size + std::uint64_t{header_.payload_size};
    *at += padding_after(header_.payload_size);
  }
  if (loaded == Loaded::kFailed) error_number_ = ENOMEM;
  return loaded;
}

bool SessionCopy::look(int fd, evt_error* error) {
  std::uint64_t at = 0;
  std::uint64_t size = 0;
  if (!start_.has_ended()) each_block(fd, &at, &size, [this] { return look_at_block() && !start_.has_ended(); });
  if (start_.lacks_memory()) error_number_ = ENOMEM;
  return is_ok(error);
}

bool SessionCopy::look_at_block() {
  SegmentRecord segment;
  if (header_.type == EVT_BLOCK_SYNC) start_.add_sync(header_.block_no);
  if (header_.type == EVT_BLOCK_SEGMENT && load_segment(payload_.data(), payload_.size(), &segment)) {
    start_.add_segment(segment, payload_.data());
  }
  if (header_.type != EVT_BLOCK_EVENTS || header_.must_understand != 0) return true;
  const EventsHeader events = load_events_header(head_);
  if (!read_pieces(events)) return error_number_ == 0;
  start_.add_events(header_.block_no, events.clock_id, reinterpret_cast<const Piece*>(pieces_.data()),
                    static_cast<std::uint32_t>(pieces_.size() / sizeof(Piece)));
  return true;
}

bool SessionCopy::add(int fd, const char* path, bool is_last, evt_error* error) {
  std::uint64_t at = 0;
  std::uint64_t size = 0;
  bool is_copied = true;
  const Loaded loaded = each_block(fd, &at, &size, [&] { return is_copied = copy(); });
  last_fd_ = fd;
  // The writer's thread may be at work at the end of the last file.
  if (!is_copied || error_number_ != 0 || loaded == Loaded::kYes || at >= size || is_last) return is_ok(error);
  char shown[kPathShown];
  show_path(path, shown, sizeof shown);
  set_error(error, EVT_CODE_DAMAGED, "%s is damaged at %llu", shown, static_cast<unsigned long long>(at));
  return false;
}

bool SessionCopy::copy() {
  if (header_.type == EVT_BLOCK_SESSION) return begin();
  if (header_.type == EVT_BLOCK_SEGMENT) return !awaits_segment_ || add_segment();
  if (!has_begun_) return true;
  if (header_.type == EVT_BLOCK_EVENTS) return header_.must_understand != 0 || start_.has(header_) || add_events();
  if (header_.type == EVT_BLOCK_SYNC) return copy_sync();
  if (is_copied_as_it_is(header_.type)) return write(header_.type, payload_);
  const bool is_known = header_.type == EVT_BLOCK_INDEX || header_.type == EVT_BLOCK_TRAILER;
  if (is_known || (header_.flags & EVT_FLAG_COPYABLE) == 0) return true;
  return encoder_.write_copy(header_, payload_.data());
}

// The last of those that are left out tell the times of the rows that follow.
bool SessionCopy::copy_sync() {
  if (start_.has(header_) && start_.has_old_sync(header_)) return true;
  if (start_.has(header_) && payload_.size() >= EVT_SYNC_FIXED_SIZE) {
    evt_store_u16(payload_.data() + 4, evt_load_u16(payload_.data() + 4) | EVT_SYNC_COPY);
  }
  return write(header_.type, payload_);
}

// Repeats are of this session, too.
bool SessionCopy::begin() {
  if (!has_begun_ && start_.has_rows()) {
    Buffer payload;
    SegmentRecord segment;
    start_.append(payload);
    if (!payload.ok()) error_number_ = ENOMEM;
    return payload.ok() && load_segment(payload.data(), payload.size(), &segment) && begin_later(segment, payload);
  }
  const bool is_later = !has_begun_ && (header_.flags & EVT_FLAG_CONTINUED) != 0;
  awaits_segment_ = is_later;
  if (is_later) return true;
  has_begun_ = true;
  return encoder_.write(EVT_BLOCK_SESSION, session_, session_size_);
}

bool SessionCopy::add_segment() {
  SegmentRecord segment;
  return !load_segment(payload_.data(), payload_.size(), &segment) || begin_later(segment, payload_);
}

bool SessionCopy::begin_later(const SegmentRecord& segment, const Buffer& payload) {
  awaits_segment_ = false;
  has_begun_ = true;
  encoder_.begin_later(segment.number, segment.first_block_no, segment.rows_before, segment.lost_before);
  rows_ = rows_before_ = segment.rows_before;
  lost_ = segment.lost_before;
  for (std::uint32_t i = 0; i < segment.stream_count; ++i) {
    const SegmentStream stream = load_segment_stream(payload.data(), i);
    if (!note_lost(stream.id, stream.lost_total, true)) return false;
  }
  return encoder_.write(EVT_BLOCK_SESSION, session_, session_size_) && write(EVT_BLOCK_SEGMENT, payload);
}

// False if they cannot be read.
bool SessionCopy::read_pieces(const EventsHeader& events) {
  pieces_.clear();
  Piece piece = piece_of(events);
  bool is_read = true;
  if (is_multiplexed(events.layout)) {
    PieceTable table(events, payload_.data(), piece_table_size(payload_.data(), payload_.size()));
    while (table.next(&piece)) pieces_.append(&piece, sizeof piece);
    is_read = table.ok();
  } else {
    pieces_.append(&piece, sizeof piece);
  }
  if (!pieces_.ok()) error_number_ = ENOMEM;
  return is_read && pieces_.ok();
}

bool SessionCopy::add_events() {
  const EventsHeader events = load_events_header(head_);
  if (!read_pieces(events)) return error_number_ == 0;
  const auto* const pieces = reinterpret_cast<const Piece*>(pieces_.data());
  const auto count = static_cast<std::uint32_t>(pieces_.size() / sizeof *pieces);
  for (std::uint32_t i = 0; i < count; ++i) {
    rows_ += pieces[i].row_count;
    if (!note_lost(pieces[i].stream_id, pieces[i].lost_total, false)) return false;
  }
  StoredRows stored;
  stored.flags = header_.flags & EVT_FLAG_UNSORTED;
  stored.codec = header_.codec;
  stored.raw_size = header_.raw_size;
  stored.size = header_.payload_size;
  stored.crc = header_.payload_crc;
  encoder_.begin_counts();  // they are not known
  return error_number_ == 0 &&
         encoder_.write_events(events, stored, {nullptr, 0}, {payload_.data(), payload_.size()}, pieces, count);
}

// `is_before`: the losses of rows that are left out, which the session's total has.
bool SessionCopy::note_lost(std::uint32_t stream, std::uint64_t lost, bool is_before) {
  auto* const known = reinterpret_cast<StreamLoss*>(losses_.data());
  const std::uint64_t hash = hash_of(&stream, sizeof stream);
  const std::uint64_t place = by_stream_.find(hash, [&](std::uint64_t at) { return known[at].stream == stream; });
  if (place != HashIndex::kNone) {
    if (lost > known[place].lost) lost_ += lost - known[place].lost;
    if (lost > known[place].lost) known[place].lost = lost;
    return true;
  }
  if (!is_before) lost_ += lost;
  const StreamLoss loss = {stream, lost};
  const std::uint64_t at = losses_.size() / sizeof loss;
  losses_.append(&loss, sizeof loss);
  if (!losses_.ok() || !by_stream_.insert(hash, at)) error_number_ = ENOMEM;
  return error_number_ == 0;
}

// The last file has all of it.
bool SessionCopy::repeat_metadata(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) return true;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t from = encoder_.bytes();
  bool is_written = encoder_.write(EVT_BLOCK_SESSION, session_, session_size_);
  for (std::uint64_t at = 0; is_written && at < size;) {
    std::uint8_t head[EVT_BLOCK_HEADER_SIZE];
    if (!read_at(fd, at, head, sizeof head)) break;
    // A header of events has more bytes, whose checksum is not looked at again.
    const std::uint16_t type = static_cast<std::uint16_t>(head[8] | head[9] << 8);
    const bool is_metadata = is_copied_as_it_is(type) && type != EVT_BLOCK_SYNC;
    if (is_metadata && load(fd, at, size) == Loaded::kYes && header_.session_id == copied_id_) {
      is_written = write(type, payload_);
    }
    const std::uint64_t payload = evt_load_u32(head + 16);
    at += evt_load_u16(head + 12) + payload + padding_after(static_cast<std::size_t>(payload));
    if (evt_load_u16(head + 12) < EVT_BLOCK_HEADER_SIZE) break;
  }
  is_written = is_written && write_facts();
  encoder_.repeated(from);
  return is_written;
}

void SessionCopy::state(const char* key, const char* value, std::int64_t ns) {
  facts_.clear();
  facts_.append_u32(1);
  append_fact_record(facts_, fact_of_session(key, value, ns));
  if (!facts_.ok()) error_number_ = ENOMEM;
}

bool SessionCopy::finish(evt_error* error) {
  if (!has_begun_) {
    set_error(error, EVT_CODE_IO, "the beginning of the session is not in its file");
    return false;
  }
  if (!write_facts()) return is_ok(error);
  const bool repeats = encoder_.last_repeat_is_due();
  if ((repeats && !repeat_metadata(last_fd_)) || !encoder_.end(nullptr, 0, rows_, lost_)) return is_ok(error);
  flush();
  return is_ok(error);
}

// True if nothing has failed.
bool SessionCopy::is_ok(evt_error* error) const {
  if (error_number_ == 0) return true;
  set_error(error, error_number_ == ENOMEM ? EVT_CODE_MEMORY : EVT_CODE_IO, "cannot write the snapshot: %s",
            strerror(error_number_));
  return false;
}

}  // namespace evt
