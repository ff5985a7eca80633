#include "loss_search.h"

#include <evt/names.h>
#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>

#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"

namespace evt {
namespace {

// Rows take next to nothing in a file, and each may have its own cause.
constexpr std::size_t kMaxNoted = 4096;

std::string name_of(std::uint16_t cause) {
  const NamedNumber* const named = named_number(NumberList::kLossCause, cause);
  return named != nullptr ? label_of(*named) : fmt::format("cause {}", cause);
}

std::map<std::uint16_t, std::uint64_t> causes_by_index(const StreamInfo& stream) {
  std::map<std::uint16_t, std::uint64_t> causes;
  for (std::uint16_t cause = 1; cause < EVT_LOST_CAUSES; ++cause) {
    if (stream.lost_by_cause[cause] > 0) causes[cause] = stream.lost_by_cause[cause];
  }
  return causes;
}

std::uint64_t sum_of(const std::map<std::uint16_t, std::uint64_t>& causes) {
  std::uint64_t sum = 0;
  for (const auto& [cause, events] : causes) saturating_add(&sum, events);
  return sum;
}

}  // namespace

std::vector<Loss> LossSearch::find() {
  std::vector<Loss> all;
  bool has_all = true;
  for (const StreamInfo& stream : session_.session->streams) {
    if (stream.lost == 0) continue;
    Stream& of = streams_[stream.id];
    of.causes = causes_by_index(stream);
    has_all &= sum_of(of.causes) >= stream.lost;
  }
  if (!has_all) read();
  for (const StreamInfo& stream : session_.session->streams) {
    std::uint64_t rest = stream.lost;
    if (rest == 0) continue;
    for (const auto& [cause, events] : streams_[stream.id].causes) {
      all.push_back({&stream, name_of(cause), events, false});
      rest -= std::min(rest, events);
    }
    if (rest > 0) all.push_back({&stream, "", rest, rest < stream.lost});
  }
  return all;
}

void LossSearch::read() {
  for (auto& [id, stream] : streams_) stream.causes.clear();
  if (session_.segments != nullptr) {
    for (const auto& [id, stream] : session_.streams) {
      for (std::size_t i = 0; i < stream.parts.size(); ++i) {
        const Extract* const extract = session_.extract_of(id, i);
        extracts_[stream.parts[i]] = extract != nullptr ? extract->rows : OrdinalRange{0, UINT64_MAX};
      }
    }
  }
  for (std::uint32_t i = 0; i < session_.blocks.size(); ++i) read(i);
}

void LossSearch::read(std::uint32_t number) {
  Block block = session_.blocks[number];
  const bool has_table = is_multiplexed(block.events.layout);
  pieces_.assign(1, piece_of(block.events));
  if (!BlockDecoder::knows(block) || (!has_table && !has_losses(pieces_.front()))) return;
  if (!block.verified && !verifier_.verify(&block).ok()) return;
  if (has_table && !read_pieces(blocks_, block, &pieces_).ok()) return;
  if (!has_table) pieces_.assign(1, piece_of(block.events));
  std::vector<bool> is_wanted;
  for (const Piece& piece : pieces_) is_wanted.push_back(!has_table || has_losses(piece));
  if (std::ranges::find(is_wanted, true) == is_wanted.end()) return;
  rows_.resize(block.events.rows_size);
  if (!decoder_.decode(block, rows_.data()).ok()) return;
  Bytes rest = rows_;
  for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
    const Bytes rows = rest.first(std::min<std::size_t>(pieces_[i].rows_size, rest.size()));
    rest = rest.subspan(rows.size());
    if (is_wanted[i]) count(rows, pieces_[i], rows_to_read({number, has_table ? i : StreamSpan::kWhole}));
  }
}

// Parts of a session in segments may come in any order, and repeat rows.
bool LossSearch::has_losses(const Piece& piece) {
  const auto found = streams_.find(piece.stream_id);
  if (found == streams_.end() || piece.lost_total <= found->second.lost) return false;
  if (session_.segments == nullptr) found->second.lost = piece.lost_total;
  return true;
}

OrdinalRange LossSearch::rows_to_read(const StreamSpan& span) const {
  if (session_.segments == nullptr) return {0, UINT64_MAX};
  const auto found = extracts_.find(span);
  return found == extracts_.end() ? OrdinalRange{} : found->second;
}

void LossSearch::count(Bytes rows, const Piece& piece, OrdinalRange wanted) {
  RowReader walk(rows, piece.base_ticks);
  std::map<std::uint16_t, std::uint64_t>& causes = streams_[piece.stream_id].causes;
  std::uint64_t ordinal = piece.first_ordinal;
  for (std::uint32_t i = 0; i < piece.row_count; ++i, ++ordinal) {
    const RowView* const row = walk.next();
    if (row == nullptr) return;
    if (!row->is_lost() || ordinal < wanted.begin || ordinal >= wanted.end) continue;
    if (!causes.contains(row->lost_cause()) && noted_++ >= kMaxNoted) continue;
    saturating_add(&causes[row->lost_cause()], row->lost_count());
  }
}

}  // namespace evt
