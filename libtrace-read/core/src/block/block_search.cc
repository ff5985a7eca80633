#include "block_search.h"

#include <algorithm>
#include <vector>

#include "libtrace-read/core/src/source/block_scan.h"

namespace evt {
namespace {

constexpr std::size_t kSearchChunk = 64 << 10;

}  // namespace

BlockSearch::BlockSearch(HeaderReader& headers, const SeenBlocks& seen, bool salvage)
    : headers_(headers),
      seen_(seen),
      salvage_(salvage),
      work_left_(headers.size() < UINT64_MAX / 4 ? headers.size() * 4 : UINT64_MAX) {}

bool BlockSearch::spend(std::uint64_t bytes) {
  if (bytes > work_left_) {
    work_left_ = 0;
    return false;
  }
  work_left_ -= bytes;
  return true;
}

bool BlockSearch::continues(const Session& session, const Block& block) const {
  return block.header.session_id == session.id && seen_.has_session(session.id) &&
         seen_.is_new(session.id, block.header.block_no);
}

bool BlockSearch::is_candidate(const Block& block, const Session& interrupted) const {
  const std::uint64_t session = block.header.session_id;
  if (seen_.has_session(session)) return seen_.is_new(session, block.header.block_no);
  return block.header.type == EVT_BLOCK_SESSION || salvage_ || seen_.empty() || interrupted.has_ended;
}

// If the interrupted session continues anywhere, a SESSION before that is embedded in the damage: an event may well
// carry a trace as its payload.
std::uint64_t BlockSearch::find(std::uint64_t from, const Session& interrupted) {
  const auto may_follow = [&](const Block& block) { return is_candidate(block, interrupted); };
  const auto goes_on = [&](const Block& block) { return continues(interrupted, block); };
  const std::uint64_t first = search_for(from, may_follow);
  if (first >= headers_.size() || goes_on(headers_.probe(first).block) || !may_go_on_behind(first, interrupted)) {
    return first;
  }
  Places met;
  const std::uint64_t later = search_for(first + 1, goes_on, &met);
  if (later < headers_.size()) return later;
  if (work_left_ > 0) {
    last_of_session_ = std::move(met);
    searched_from_ = first + 1;
  }
  return first;
}

// Returns false if it certainly does not: for many traces in one file, each with damage, the rest is searched only
// once.
bool BlockSearch::may_go_on_behind(std::uint64_t offset, const Session& session) const {
  if (offset < searched_from_) return true;
  const auto last = last_of_session_.find(session.id);
  return last != last_of_session_.end() && last->second > offset;
}

template <typename Fits>
std::uint64_t BlockSearch::search_for(std::uint64_t from, Fits fits, Places* met) {
  std::vector<std::byte> chunk(kSearchChunk);
  while (from < headers_.size()) {
    const std::size_t got = headers_.read_at(from, chunk.data(), chunk.size());
    if (got == 0 || work_left_ == 0) break;
    const Bytes bytes(chunk.data(), got);
    std::uint64_t searched = 0;  // in this chunk, and already paid for
    const auto pay = [&](std::uint64_t up_to, std::uint64_t more) {
      work_left_ -= std::min(work_left_, up_to - searched + more);
      searched = up_to;
    };
    // A magic that straddles two chunks is found by the overlap.
    for (std::size_t at = find_magic(bytes, 0, got); at != kNoBlock; at = find_magic(bytes, at + 1, got)) {
      const HeaderReader::Probe here = headers_.probe(from + at);
      met_newer_ |= here.state == HeaderState::kNewer;
      pay(at, here.checked);
      if (work_left_ == 0) return headers_.size();
      if (!here.is_right()) continue;
      if (fits(here.block)) return from + at;
      if (met != nullptr) (*met)[here.block.header.session_id] = from + at;
    }
    pay(got, 0);
    const std::size_t overlap = got == chunk.size() ? EVT_MAGIC_SIZE - 1 : 0;
    from += got - overlap;
  }
  return headers_.size();
}

}  // namespace evt
