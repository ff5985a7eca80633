#include "cut_rows.h"

#include <algorithm>

#include "format-spec/src/row/row_writer.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

constexpr std::size_t kEnough = 64 << 10;         // bytes of rows for a separate block
constexpr std::size_t kMaxWaiting = 16 << 20;     // in all streams
constexpr std::size_t kMaxMultiplexed = 1 << 20;  // in one block

std::uint64_t common_bound(std::uint64_t a, std::uint64_t b) { return a == 0 || b == 0 ? 0 : std::max(a, b); }

// Room for a row after the others.
RowWriter row_behind(std::vector<std::byte>& rows, std::size_t size) {
  rows.resize(rows.size() + size);
  return RowWriter(raw(rows.data() + rows.size() - size));
}

}  // namespace

// True if readers find the row at its time after the waiting ones. A row that passes the bound gets the time of the row
// before it, or if it is the first, the earliest of its block.
bool CutRows::keeps_times(const Waiting& waiting, const Next& row) {
  return row.ticks == waiting.before || !(row.passes_bound || waiting.begins_passing_bound);
}

// Rows of several blocks share the latest bound, if no row passes its own.
CutRows::Waiting& CutRows::room_for(std::uint32_t stream, std::uint16_t clock, const Next& row) {
  const auto [base, size, ticks, jump, bound, passes_bound] = row;
  if (bytes_ >= kMaxWaiting) flush_all();
  Waiting& waiting = waiting_[stream];
  const bool one_bound = waiting.like.events.bound_ticks == bound || (!waiting.passes_bound && !passes_bound);
  const bool fits = waiting.clock == clock && waiting.rows.size() + size <= kEnough && !jump && one_bound &&
                    keeps_times(waiting, row);
  if (!waiting.rows.empty() && !fits) put(waiting);
  if (waiting.rows.empty()) {
    waiting.piece = {};
    waiting.piece.stream_id = stream;
    waiting.piece.base_ticks = base;
    waiting.piece.first_ticks = UINT64_MAX;
    waiting.clock = clock;
    waiting.base = base;
    waiting.latest = 0;
    waiting.jumps = jump;
    waiting.passes_bound = false;
    waiting.begins_passing_bound = passes_bound;
    waiting.like = Block();
    waiting.like.events.bound_ticks = bound;
    words_.use_stream(stream);
  }
  waiting.like.events.bound_ticks = common_bound(waiting.like.events.bound_ticks, bound);
  waiting.passes_bound |= passes_bound;
  if (waiting.base != base || jump) add_time_base(waiting, base, jump);
  note(waiting, ticks);
  return waiting;
}

void CutRows::add_time_base(Waiting& waiting, std::uint64_t base, bool jump) {
  row_behind(waiting.rows, RowWriter::kTimeBaseSize).time_base(base, jump ? std::uint32_t{EVT_TIME_BASE_JUMP} : 0);
  waiting.base = base;
  waiting.piece.row_count += 1;
  bytes_ += RowWriter::kTimeBaseSize;
}

void CutRows::note(Waiting& waiting, std::uint64_t ticks) {
  waiting.piece.row_count += 1;
  waiting.piece.first_ticks = std::min(waiting.piece.first_ticks, ticks);
  waiting.piece.last_ticks = std::max(waiting.piece.last_ticks, ticks);
  if (ticks < waiting.latest) waiting.like.header.flags |= EVT_FLAG_UNSORTED;
  waiting.latest = std::max(waiting.latest, ticks);
  waiting.before = ticks;
}

void CutRows::append(std::uint32_t stream, std::uint16_t clock, const Block& like, const RowView& row,
                     std::uint64_t ticks, bool jump) {
  const std::uint64_t bound = like.events.bound_ticks;
  const bool passes_bound = row.ticks > like.events.latest_possible();
  Waiting& waiting = room_for(stream, clock, {row.base, row.bytes.size(), ticks, jump, bound, passes_bound});
  if (row.is_event()) {
    words_.use_type(row.number());
    words_.use_texts(row);
  }
  waiting.like.events.layout = like.events.layout;
  waiting.rows.insert(waiting.rows.end(), row.bytes.begin(), row.bytes.end());
  bytes_ += row.bytes.size();
}

void CutRows::append(std::uint32_t stream, std::uint16_t clock, std::uint64_t ticks, std::uint32_t type, Bytes fields) {
  const std::size_t size = RowWriter::size_of_event(type, fields.size());
  Waiting& waiting = room_for(stream, clock, {ticks, size, ticks});
  std::uint8_t* const to = row_behind(waiting.rows, size).event(0, type, fields.size());
  std::copy(fields.begin(), fields.end(), reinterpret_cast<std::byte*>(to));
  bytes_ += size;
}

void CutRows::append_lost(std::uint32_t stream, std::uint16_t clock, std::uint64_t ticks, std::uint64_t count) {
  Waiting& waiting = room_for(stream, clock, {ticks, RowWriter::kLostSize, ticks});
  row_behind(waiting.rows, RowWriter::kLostSize).lost(0, EVT_LOST_DAMAGE, count, 0);
  bytes_ += RowWriter::kLostSize;
}

void CutRows::put(Waiting& waiting) {
  if (waiting.rows.empty()) return;
  // A session must describe types, streams and strings before rows use them.
  words_.put();
  waiting.piece.rows_size = static_cast<std::uint32_t>(waiting.rows.size());
  waiting.like.events.layout = without_table(waiting.like.events.layout);
  out_.put_rows(waiting.like, {&waiting.piece, 1}, waiting.rows, waiting.clock);
  bytes_ -= waiting.rows.size();
  waiting.rows.clear();
}

void CutRows::flush(std::uint32_t stream) {
  const auto found = waiting_.find(stream);
  if (found != waiting_.end()) put(found->second);
}

void CutRows::put_multiplexed(const std::vector<Waiting*>& group) {
  if (group.size() == 1) return put(*group.front());
  words_.put();
  std::vector<Piece> pieces;
  std::vector<std::byte> rows;
  Block like = group.front()->like;
  for (Waiting* const waiting : group) {
    waiting->piece.rows_size = static_cast<std::uint32_t>(waiting->rows.size());
    pieces.push_back(waiting->piece);
    rows.insert(rows.end(), waiting->rows.begin(), waiting->rows.end());
    like.header.flags |= waiting->like.header.flags;
    like.events.bound_ticks = common_bound(like.events.bound_ticks, waiting->like.events.bound_ticks);
    bytes_ -= waiting->rows.size();
    waiting->rows.clear();
  }
  out_.put_rows(like, pieces, rows, group.front()->clock);
}

// Streams that record little share blocks.
void CutRows::flush_all() {
  std::vector<Waiting*> group;
  std::size_t size = 0;
  for (auto& [stream, waiting] : waiting_) {
    if (waiting.rows.empty()) continue;
    // A piece cannot begin with a jump, and has the bound of all others.
    if (waiting.jumps || waiting.passes_bound || waiting.rows.size() >= kEnough / 2) {
      put(waiting);
      continue;
    }
    if (!group.empty() && (group.front()->clock != waiting.clock || size >= kMaxMultiplexed)) {
      put_multiplexed(group);
      group.clear();
      size = 0;
    }
    group.push_back(&waiting);
    size += waiting.rows.size();
  }
  if (!group.empty()) put_multiplexed(group);
}

}  // namespace evt
