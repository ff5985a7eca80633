#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/ring/lock_in_time.h"
#include "format-spec/src/session/segment_record.h"

namespace evt {
namespace {

constexpr std::size_t kMaxGaps = 4096;  // in all streams

}  // namespace

TraceFile::~TraceFile() {
  if (fd_ >= 0) ::close(fd_);
}

bool TraceFile::open(const char* path) {
  fd_ = ::open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
  return fd_ >= 0 && reread();
}

bool TraceFile::lock() { return lock_in_time(fd_, LOCK_EX) || errno != EWOULDBLOCK; }

bool TraceFile::reread(const RingRecovery* ring) {
  ring_ = ring;
  struct stat status;
  if (fstat(fd_, &status) != 0) return false;
  id_ = id_of(status);
  owner_ = status.st_uid;
  if (!S_ISREG(status.st_mode)) return false;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  end_ = session_id_ = next_block_no_ = 0;
  append_at_ = size;
  forget_rows();
  std::uint8_t bytes[EVT_BLOCK_HEADER_MAX];
  while (end_ < size) {
    const ssize_t got = pread(fd_, bytes, sizeof bytes, static_cast<off_t>(end_));
    BlockHeader header;
    const HeaderState state =
        got <= 0 ? HeaderState::kNotABlock : load_block_header(bytes, static_cast<std::size_t>(got), &header);
    if (state == HeaderState::kShort) append_at_ = end_;  // truncated
    const std::uint64_t next =
        end_ + header.header_size + header.payload_size + padding_after(std::size_t{header.payload_size});
    if (state != HeaderState::kGood || next > size) {
      // Blocks after damage, or after a truncated one, count too: their rows must not come from a ring again, and they
      // must not be removed.
      const std::uint64_t behind = end_ > 0 ? next_header(end_ + 1, size) : size;
      if (behind == size && state == HeaderState::kGood) append_at_ = end_;
      if (behind == size) break;
      end_ = behind;
      continue;
    }
    if (header.session_id != session_id_) {
      forget_rows();
      has_segments_ = false;
      session_id_ = header.session_id;
    }
    note_block(bytes, header, end_ + header.header_size);
    end_ = next;
  }
  return end_ > 0 && !lacks_memory_;
}

void TraceFile::forget_rows() {
  ordinals_.clear();
  by_stream_.clear();
  gaps_.clear();
  has_many_gaps_ = false;
}

void TraceFile::note_block(const std::uint8_t* front, const BlockHeader& header, std::uint64_t payload_at) {
  finished_ = header.type == EVT_BLOCK_TRAILER && (header.flags & EVT_FLAG_MORE) == 0;
  if (header.block_no != EVT_BLOCK_NO_RECOVERED) next_block_no_ = header.block_no + 1;
  has_segments_ |= header.type == EVT_BLOCK_SEGMENT;
  if (header.type == EVT_BLOCK_SEGMENT) note_segment(payload_at, header.payload_size);
  if (header.type == EVT_BLOCK_SESSION) note_session(payload_at, header.payload_size);
  if (header.type != EVT_BLOCK_EVENTS || header.header_size < EVT_EVENTS_HEADER_SIZE) return;
  const EventsHeader events = load_events_header(front);
  if (is_multiplexed(events.layout)) return note_pieces(events, header, payload_at);
  const Piece piece = piece_of(events);
  if (!is_of_ring(piece) || has_payload(header, payload_at)) note_piece(piece);
}

std::uint64_t TraceFile::next_header(std::uint64_t from, std::uint64_t size) const {
  std::uint8_t bytes[4 << 10];
  while (from < size) {
    const ssize_t got = pread(fd_, bytes, sizeof bytes, static_cast<off_t>(from));
    if (got < ssize_t{EVT_BLOCK_HEADER_SIZE}) return size;
    const auto count = static_cast<std::size_t>(got);
    const void* const magic = memmem(bytes, count, EVT_MAGIC, EVT_MAGIC_SIZE);
    if (magic == nullptr) {
      from += count - (EVT_MAGIC_SIZE - 1);
      continue;
    }
    const auto at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(magic) - bytes);
    if (at > 0 && count - at < EVT_BLOCK_HEADER_MAX) {
      from += at;  // all of the header at once
      continue;
    }
    BlockHeader header;
    if (load_block_header(bytes + at, count - at, &header) == HeaderState::kGood) return from + at;
    from += at + 1;
  }
  return size;
}

// The fixed part, after a line of text, has the start of the session.
void TraceFile::note_session(std::uint64_t payload_at, std::uint64_t size) {
  std::uint8_t front[1024];
  const ssize_t got = pread(fd_, front, size < sizeof front ? static_cast<std::size_t>(size) : sizeof front,
                            static_cast<off_t>(payload_at));
  if (got <= 0) return;
  const auto* const line_end =
      static_cast<const std::uint8_t*>(std::memchr(front, '\n', static_cast<std::size_t>(got)));
  if (line_end == nullptr) return;
  std::size_t fixed_at = static_cast<std::size_t>(line_end - front) + 1;
  fixed_at += padding_after(fixed_at);
  if (fixed_at + EVT_SESSION_FIXED_SIZE > static_cast<std::size_t>(got)) return;
  start_utc_ns_ = static_cast<std::int64_t>(evt_load_u64(front + fixed_at + 40));
}

// Rows of earlier segments must not come from a ring again.
void TraceFile::note_segment(std::uint64_t payload_at, std::uint32_t payload_size) {
  if (payload_size > EVT_MAX_METADATA_PAYLOAD) return;
  table_.clear();
  std::uint8_t* const bytes = table_.extend(payload_size);
  lacks_memory_ |= !table_.ok();
  SegmentRecord segment;
  const bool is_there = bytes != nullptr && pread(fd_, bytes, payload_size, static_cast<off_t>(payload_at)) ==
                                                static_cast<ssize_t>(payload_size);
  if (!is_there || !load_segment(bytes, payload_size, &segment)) return;
  for (std::uint32_t i = 0; i < segment.stream_count; ++i) {
    const SegmentStream stream = load_segment_stream(bytes, i);
    const std::uint64_t known = next_ordinal(stream.id);
    if (stream.next_ordinal > known) note_rows(stream.id, {known, stream.next_ordinal});
  }
}

std::uint64_t TraceFile::place_of(std::uint32_t stream) const {
  const auto* const ordinals = reinterpret_cast<const Ordinal*>(ordinals_.data());
  return by_stream_.find(hash_of(&stream, sizeof stream),
                         [&](std::uint64_t place) { return ordinals[place].stream == stream; });
}

void TraceFile::note_pieces(const EventsHeader& events, const BlockHeader& header, std::uint64_t payload_at) {
  std::uint8_t head[EVT_PIECE_TABLE_HEAD];
  const auto at = static_cast<off_t>(payload_at);
  if (pread(fd_, head, sizeof head, at) != ssize_t{sizeof head}) return;
  const std::size_t size = piece_table_size(head, header.payload_size);
  table_.clear();
  std::uint8_t* const bytes = size != 0 ? table_.extend(size) : nullptr;
  lacks_memory_ |= !table_.ok();
  if (bytes == nullptr || pread(fd_, bytes, size, at) != static_cast<ssize_t>(size)) return;
  bool is_wanted = false;
  PieceTable wanted(events, bytes, size);
  for (Piece piece; wanted.next(&piece);) is_wanted |= is_of_ring(piece);
  if (is_wanted && !has_payload(header, payload_at)) return;
  PieceTable table(events, bytes, size);
  for (Piece piece; table.next(&piece);) note_piece(piece);
}

// True if the ring that blocks are read for has rows that this piece has, or later ones.
bool TraceFile::is_of_ring(const Piece& piece) const {
  return ring_ != nullptr && piece.first_ordinal + piece.row_count > ring_->first_ordinal(piece.stream_id);
}

bool TraceFile::has_payload(const BlockHeader& header, std::uint64_t payload_at) const {
  std::uint8_t bytes[4 << 10];
  std::uint32_t crc = 0;
  for (std::uint64_t done = 0; done < header.payload_size;) {
    const std::uint64_t left = header.payload_size - done;
    const auto wanted = static_cast<std::size_t>(left < sizeof bytes ? left : sizeof bytes);
    const ssize_t got = pread(fd_, bytes, wanted, static_cast<off_t>(payload_at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    crc = crc32c(crc, bytes, static_cast<std::size_t>(got));
    done += static_cast<std::uint64_t>(got);
  }
  return crc == header.payload_crc;
}

void TraceFile::note_piece(const Piece& piece) {
  if (piece.first_ordinal > UINT64_MAX - piece.row_count) return;
  note_rows(piece.stream_id, {piece.first_ordinal, piece.first_ordinal + piece.row_count});
}

void TraceFile::note_rows(std::uint32_t stream, OrdinalRange rows) {
  const std::uint64_t place = place_of(stream);
  const std::uint64_t next = next_ordinal(stream);
  if (rows.begin > next) add_gap(stream, {next, rows.begin});
  if (rows.begin < next) fill_gaps(stream, rows);
  if (place == HashIndex::kNone) {
    const Ordinal first = {stream, rows.end};
    const std::uint64_t at = ordinals_.size() / sizeof first;
    ordinals_.append(&first, sizeof first);
    lacks_memory_ |= !ordinals_.ok() || !by_stream_.insert(hash_of(&stream, sizeof stream), at);
  } else if (rows.end > next) {
    reinterpret_cast<Ordinal*>(ordinals_.data())[place].next = rows.end;
  }
}

void TraceFile::add_gap(std::uint32_t stream, OrdinalRange rows) {
  const Gap gap = {stream, rows};
  has_many_gaps_ |= gaps_.size() >= kMaxGaps * sizeof gap;
  if (!has_many_gaps_) gaps_.append(&gap, sizeof gap);
  lacks_memory_ |= !gaps_.ok();
}

// Rows inside a gap split it in two.
void TraceFile::fill_gaps(std::uint32_t stream, OrdinalRange rows) {
  const std::size_t count = gaps_.size() / sizeof(Gap);
  for (std::size_t i = 0; i < count; ++i) {
    Gap& gap = reinterpret_cast<Gap*>(gaps_.data())[i];
    const OrdinalRange all = gap.rows;
    if (gap.stream != stream || rows.end <= all.begin || rows.begin >= all.end) continue;
    gap.rows.end = rows.begin > all.begin ? rows.begin : all.begin;
    if (rows.end >= all.end) continue;
    if (gap.rows.size() == 0) {
      gap.rows = {rows.end, all.end};
    } else {
      add_gap(stream, {rows.end, all.end});  // may move them all
    }
  }
}

std::uint64_t TraceFile::next_ordinal(std::uint32_t stream) const {
  const std::uint64_t place = place_of(stream);
  return place == HashIndex::kNone ? 0 : reinterpret_cast<const Ordinal*>(ordinals_.data())[place].next;
}

OrdinalRange TraceFile::lacking(std::uint32_t stream, std::uint64_t from) const {
  const std::uint64_t next = next_ordinal(stream);
  OrdinalRange first = {next > from ? next : from, UINT64_MAX};
  const auto* const gaps = reinterpret_cast<const Gap*>(gaps_.data());
  for (std::size_t i = 0; i < gaps_.size() / sizeof(Gap); ++i) {
    const OrdinalRange rows = gaps[i].rows;
    if (gaps[i].stream != stream || rows.end <= from || rows.size() == 0) continue;
    if (rows.begin < first.begin) first = {rows.begin > from ? rows.begin : from, rows.end};
  }
  return first;
}

}  // namespace evt
