// Where reading goes on behind damage: section 10 of FORMAT.md.
#include <algorithm>

#include "block_reader.h"
#include "libtrace-read/core/src/source/block_scan.h"

namespace evt {
namespace {

constexpr std::size_t kChunk = 64 << 10;

}  // namespace

bool BlockReader::continues_session(const Block& block) const {
  return block.header.session_id == session_ && seen_.has_session(session_) &&
         seen_.is_new(session_, block.header.block_no);
}

bool BlockReader::is_candidate(const Block& block) const {
  const std::uint64_t session = block.header.session_id;
  if (seen_.has_session(session)) return seen_.is_new(session, block.header.block_no);
  return block.header.type == EVT_BLOCK_SESSION || salvage_ || seen_.empty() || ended_;
}

// Where reading goes on after damage. If the interrupted session goes on anywhere, a SESSION before that is embedded in
// the damage: an event may well carry a trace as its payload.
std::uint64_t BlockReader::search(std::uint64_t from) {
  const std::uint64_t first = search_for(from, &BlockReader::is_candidate);
  if (first >= source_->size() || continues_session(probe(first).block) || !may_go_on_behind(first)) return first;
  Places met;
  const std::uint64_t later = search_for(first + 1, &BlockReader::continues_session, &met);
  if (later < source_->size()) return later;
  if (work_left_ > 0) {
    last_of_session_ = std::move(met);
    searched_from_ = first + 1;
  }
  return first;
}

// False when it is known that it does not: of many traces in one file, each with damage, all that follows is searched
// once.
bool BlockReader::may_go_on_behind(std::uint64_t offset) const {
  if (offset < searched_from_) return true;
  const auto last = last_of_session_.find(session_);
  return last != last_of_session_.end() && last->second > offset;
}

std::uint64_t BlockReader::search_for(std::uint64_t from, bool (BlockReader::*fits)(const Block&) const, Places* met) {
  std::vector<std::byte> chunk(kChunk);
  while (from < source_->size()) {
    const std::size_t got = read_at(from, chunk.data(), chunk.size());
    if (got == 0 || work_left_ == 0) break;
    const Bytes bytes(chunk.data(), got);
    std::uint64_t searched = 0;  // of this chunk, and already paid for
    const auto pay = [&](std::uint64_t up_to, std::uint64_t more) {
      work_left_ -= std::min(work_left_, up_to - searched + more);
      searched = up_to;
    };
    // A magic that straddles two chunks is found by the overlap.
    for (std::size_t at = find_magic(bytes, 0, got); at != kNoBlock; at = find_magic(bytes, at + 1, got)) {
      const Probe here = probe(from + at);
      met_newer_ |= here.state == HeaderState::kNewer;
      pay(at, here.checked);
      if (work_left_ == 0) return source_->size();
      if (here.state != HeaderState::kGood || *here.why != '\0') continue;
      if ((this->*fits)(here.block)) return from + at;
      if (met != nullptr) (*met)[here.block.header.session_id] = from + at;
    }
    pay(got, 0);
    const std::size_t overlap = got == chunk.size() ? EVT_MAGIC_SIZE - 1 : 0;
    from += got - overlap;
  }
  return source_->size();
}

}  // namespace evt
