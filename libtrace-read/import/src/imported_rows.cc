#include "imported_rows.h"

#include <cstring>

#include "format-spec/src/row/row_writer.h"

namespace evt {

ImportedRows::Gathered& ImportedRows::gathered(std::uint32_t stream, std::uint64_t ticks) {
  const auto [place, is_new] = places_.try_emplace(stream, used_);
  if (!is_new) return gathered_[place->second];
  if (used_ == gathered_.size()) gathered_.emplace_back();
  Gathered& fresh = gathered_[used_++];
  fresh.piece = {};
  fresh.piece.stream_id = stream;
  fresh.piece.base_ticks = fresh.piece.first_ticks = fresh.base = ticks;
  fresh.rows.clear();
  return fresh;
}

// `most`: maximal size of the row. Afterwards, gathered rows may be gone.
template <typename Write>
void ImportedRows::add(std::uint32_t stream, std::uint64_t ticks, std::size_t most, Write write) {
  Gathered& to = gathered(stream, ticks);
  const std::size_t before = to.rows.size();
  to.rows.resize(before + RowWriter::kTimeBaseSize + most);
  RowWriter writer(raw(to.rows.data()) + before);
  if (ticks - to.base > UINT32_MAX) {
    writer.time_base(ticks, 0);
    to.base = ticks;
    ++to.piece.row_count;
  }
  write(&writer, static_cast<std::uint32_t>(ticks - to.base));
  ++to.piece.row_count;
  to.piece.last_ticks = ticks;
  to.rows.resize(static_cast<std::size_t>(writer.at() - raw(to.rows.data())));
  to.piece.rows_size = static_cast<std::uint32_t>(to.rows.size());
  size_ += to.rows.size() - before;
  if (size_ >= kBlock) flush();
}

void ImportedRows::event(std::uint32_t stream, std::uint64_t ticks, std::uint32_t type, Bytes fields) {
  add(stream, ticks, RowWriter::kMaxEventFront + fields.size(), [&](RowWriter* writer, std::uint32_t delta) {
    std::uint8_t* const to = writer->event(delta, type, fields.size());
    if (!fields.empty()) std::memcpy(to, fields.data(), fields.size());
  });
}

void ImportedRows::lost(std::uint32_t stream, std::uint64_t ticks, evt_lost_cause cause, std::uint64_t count,
                        std::uint64_t duration) {
  add(stream, ticks, RowWriter::kLostSize, [&](RowWriter* writer, std::uint32_t delta) {
    writer->lost(delta, static_cast<std::uint16_t>(cause), count, duration);
  });
}

void ImportedRows::flush() {
  if (used_ == 0) return;
  std::vector<Piece> pieces;
  std::vector<std::byte> rows;
  for (std::size_t i = 0; i < used_; ++i) {
    pieces.push_back(gathered_[i].piece);
    rows.insert(rows.end(), gathered_[i].rows.begin(), gathered_[i].rows.end());
  }
  out_.put_rows(Block(), pieces, rows, kImportedClock);
  places_.clear();
  // Memory for one large row is not kept.
  if (size_ > 2 * kBlock || gathered_.size() > 256) gathered_.clear();
  used_ = 0;
  size_ = 0;
}

}  // namespace evt
