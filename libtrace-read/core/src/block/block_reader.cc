#include "block_reader.h"

#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/base/damaged.h"
#include "libtrace-read/core/src/source/block_scan.h"
#include "libtrace-read/core/src/source/foreign_files.h"

namespace evt {
namespace {

constexpr std::size_t kChecksumChunk = 64 << 10;

std::string describe(HeaderState state) {
  switch (state) {
    case HeaderState::kNotABlock:
      return "no block header";
    case HeaderState::kNewer:
      return "a block header of a newer format";
    case HeaderState::kShort:
      return "the file ends inside a block header";
    case HeaderState::kBadSize:
      return "a block header with an impossible size";
    case HeaderState::kBadChecksum:
      return "a block header whose checksum is wrong";
    case HeaderState::kGood:
      break;
  }
  return "a block header out of place";
}

}  // namespace

Status wrong_checksum(const char* of, std::uint32_t found, std::uint32_t expected) {
  return damaged(fmt::format("{} checksum is {:08x}, expected {:08x}", of, found, expected));
}

BlockReader::BlockReader(ByteSource& source, Ledger& ledger, bool salvage)
    : headers_(source),
      ledger_(ledger),
      salvage_(salvage),
      search_(headers_, seen_, salvage),
      order_(headers_, ledger) {}

// Why a block is not used if its session continued before it.
std::string BlockReader::why_not(SeenBlocks::State seen, std::uint64_t number, std::uint64_t latest) {
  if (seen != SeenBlocks::State::kSeen) {
    return fmt::format("block {} of its session among too many that are not in order, after block {}", number, latest);
  }
  if (number > 0) return fmt::format("block {} of its session again, after block {}", number, latest);
  return fmt::format("the session starts over (block 0 after block {}); was the file appended to itself?", latest);
}

const Block* BlockReader::next() {
  if (order_.has_begun_again()) return next_again();
  if (!status_.ok() || (!started_ && !begins_trace())) return nullptr;
  started_ = true;
  while (at_ < size()) {
    const HeaderReader::Probe here = headers_.probe(at_);
    bool ends_here = false;
    std::string reason;
    std::uint64_t search_from = at_ + 1;
    if (here.is_right()) {
      const Block block = here.block;
      const SeenBlocks::State seen = seen_.look(block.header.session_id, block.header.block_no);
      std::uint64_t behind = 0;
      if (seen != SeenBlocks::State::kNew) {
        reason = why_not(seen, block.header.block_no, seen_.end(block.header.session_id) - 1);
        search_from = block.payload_at();
      } else {
        const bool whole = block.end() <= size();
        if (ends_well(block, &behind) || (whole && payload_is_right(block))) return accept(block, behind);
        reason = whole ? "a block whose payload checksum is wrong and whose end is not followed by another block"
                       : fmt::format("a block of {} bytes, of which {} are there", block.end() - block.offset,
                                     size() - block.offset);
        ends_here = !whole;
        search_from = block.payload_at();
      }
    } else {
      reason =
          here.state == HeaderState::kGood ? fmt::format("a block that cannot be: {}", here.why) : describe(here.state);
      met_newer_ |= here.state == HeaderState::kNewer;
    }
    const std::uint64_t found = search_.find(search_from, latest_);
    const bool ends_early = found >= size() && here.state != HeaderState::kNotABlock &&
                            (here.state == HeaderState::kShort || here.block.end() > size());
    // Blocks of a later version are not damage: the status reports them.
    const bool is_damage = here.state != HeaderState::kNewer;
    order_.add(BlockOrder::Skip{at_, found, is_damage ? ledger_.damage().size() : SIZE_MAX});
    if (is_damage) skip(at_, found, std::move(reason));
    if (ends_early) status_ = Status(Code::kTruncated, "the file ends inside a block", at_);
    if (ends_early && ends_here) truncated_ = here.block;
    at_ = skipped_to_ = found;
  }
  return nullptr;
}

// A block that is no longer there: the file has changed since.
const Block* BlockReader::next_again() {
  while (const auto offset = order_.next()) {
    if (const Block* const block = header_at(*offset)) return block;
    skip(*offset, *offset, "the block that was here is gone");
  }
  return nullptr;
}

const Block* BlockReader::header_at(std::uint64_t offset) {
  const HeaderReader::Probe here = headers_.probe(offset);
  if (!here.is_right()) return nullptr;
  block_ = here.block;
  return &block_;
}

bool BlockReader::go_on(ByteSource& source) {
  const std::vector<BlockOrder::Skip>& skips = order_.skips();
  const bool is_truncated = status_.code() == Code::kTruncated && skips.size() == 1;
  const bool is_clean = skips.size() == ledger_.damage().size() && (skips.empty() || is_truncated);
  const bool is_simple =
      is_clean && !order_.has_begun_again() && !met_newer() && !met_disorder_ && !order_.places().empty();
  if (!is_simple || source.size() < (is_truncated ? skips.back().from : at_)) return false;
  headers_.go_on(source);
  if (is_truncated) {
    order_.forget_skips();
    ledger_.reset();
    status_ = Status();
    truncated_.reset();
    met_damage_ = false;
    skipped_to_ = 0;
  }
  // The padding of the last block may not have been there yet.
  const Block last = headers_.probe(order_.places().back()).block;
  return ends_well(last, &at_);
}

// Looks at the first megabyte: without a block there, it is not a trace.
bool BlockReader::begins_trace() {
  if (headers_.probe(0).is_right()) return true;
  if (salvage_ && search_.find(0, latest_) < size()) return true;
  std::vector<std::byte> front(static_cast<std::size_t>(std::min<std::uint64_t>(size(), kFrontSize)));
  front.resize(headers_.read_at(0, front.data(), front.size()));
  std::size_t found = find_block(front, 0, EVT_FIRST_BLOCK_WITHIN);
  bool newer = false;
  while (found != kNoBlock && headers_.probe(found).state == HeaderState::kNewer) {
    newer = true;
    found = find_block(front, found + 1, EVT_FIRST_BLOCK_WITHIN);
  }
  if (found != kNoBlock) return true;
  if (newer) {
    status_ = Status(
        Code::kNewerFormat,
        headers_.source().name() + " was written in a newer format than this program knows (" + EVT_FORMAT_NAME + ")");
  } else {
    status_ = not_a_trace(headers_.source().name(), front);
  }
  return false;
}

// Rule 1 of section 10: after its padding, at `next`, is something that may follow a block.
bool BlockReader::ends_well(const Block& block, std::uint64_t* next) {
  if (block.end() > size()) return false;
  std::array<std::byte, EVT_ALIGNMENT> behind{};
  const std::size_t got = headers_.read_next(block.end(), behind.data(), behind.size(),
                                             static_cast<std::size_t>(block.end() - block.offset));
  std::size_t padding = 0;
  while (padding < got && padding < EVT_ALIGNMENT - 1 && behind[padding] == std::byte{0}) ++padding;
  *next = block.end() + padding;
  if (*next == size()) return true;
  const HeaderReader::Probe following = headers_.probe(*next);
  if (following.state == HeaderState::kNewer) return true;
  if (!following.is_right()) return false;
  const BlockHeader& header = following.block.header;
  if (header.session_id == block.header.session_id) {
    const bool has_next = block.header.block_no != EVT_BLOCK_NO_RECOVERED;
    const bool is_next =
        header.block_no == EVT_BLOCK_NO_RECOVERED || (has_next && header.block_no == block.header.block_no + 1);
    return is_next || (block.header.type == EVT_BLOCK_TRAILER && following.block.begins_segment());
  }
  return header.type == EVT_BLOCK_SESSION;
}

bool BlockReader::payload_is_right(const Block& block) {
  return search_.spend(block.header.payload_size) && checksum(block) == block.header.payload_crc;
}

std::size_t BlockReader::read(const Block& block, std::uint64_t start, std::byte* out, std::size_t size) {
  if (start >= block.header.payload_size) return 0;
  const std::uint64_t left = block.header.payload_size - start;
  return headers_.read_at(block.payload_at() + start, out,
                          static_cast<std::size_t>(std::min<std::uint64_t>(size, left)));
}

std::uint32_t BlockReader::checksum(const Block& block) {
  std::vector<std::byte> chunk(std::min<std::size_t>(kChecksumChunk, block.header.payload_size));
  std::uint32_t crc = 0;
  for (std::uint64_t at = 0; at < block.header.payload_size;) {
    const std::size_t got = read(block, at, chunk.data(), chunk.size());
    if (got == 0) break;
    crc = crc32c(crc, chunk.data(), got);
    at += got;
  }
  return crc;
}

void BlockReader::skip(std::uint64_t from, std::uint64_t to, std::string reason) {
  met_damage_ = true;
  ledger_.add({from, to - from, std::move(reason)});
}

const Block* BlockReader::accept(const Block& block, std::uint64_t next) {
  if (block.header.block_no != EVT_BLOCK_NO_RECOVERED) note_place(block);
  order_.add(block.offset);
  latest_ = {block.header.session_id, block.header.type == EVT_BLOCK_TRAILER};
  block_ = block;
  at_ = next;
  return &block_;
}

// Blocks between segments were not kept, and segments may be in any order.
void BlockReader::note_place(const Block& block) {
  const std::uint64_t session = block.header.session_id;
  const std::uint64_t number = block.header.block_no;
  const bool is_next = numbered_ == session && number == number_ + 1 && !seen_.empty();
  if (!is_next) note_jump(block);
  seen_.add(session, number);
  if (block.ends_with_more()) {
    paused_.insert(session);
  } else if (!paused_.empty()) {
    paused_.erase(session);
  }
  numbered_ = session;
  number_ = number;
  numbered_ends_ = block.header.type == EVT_BLOCK_TRAILER;
}

// For a block that does not follow its predecessor in its session.
void BlockReader::note_jump(const Block& block) {
  const std::uint64_t session = block.header.session_id;
  const std::uint64_t number = block.header.block_no;
  const std::uint64_t expected = seen_.end(session);
  const bool has_session = seen_.has_session(session);
  const bool is_segment = block.begins_segment();
  if (number > expected && !(is_segment && (!has_session || paused_.contains(session)))) note_gap(block, expected);
  if (!has_session) return;
  const bool goes_on = numbered_ != session;  // after another one's blocks
  const bool is_placed = is_segment && numbered_ends_;
  met_disorder_ |= number < expected || (goes_on && !is_placed);
  met_damage_ |= (number < expected || goes_on) && !is_placed;
}

// For blocks that may come later; sort() decides.
void BlockReader::note_gap(const Block& block, std::uint64_t expected) {
  const bool explained = skipped_to_ == block.offset;
  if (explained || seen_.empty()) return;
  met_damage_ = true;
  ledger_.add({block.offset, 0, missing_blocks(expected, block.header.block_no)});
}

bool BlockReader::read_whole(const Block& block, std::vector<std::byte>* out, std::uint32_t* crc) {
  out->resize(block.header.payload_size);
  const std::size_t got = headers_.read_next(block.payload_at(), out->data(), out->size(), 0);
  *crc = crc32c(0, out->data(), got);
  return got == out->size() && *crc == block.header.payload_crc;
}

bool BlockReader::load(const Block& block, std::vector<std::byte>* out) {
  std::uint32_t crc = 0;
  if (read_whole(block, out, &crc)) return true;
  skip(block.offset, block.end(), wrong_checksum("payload", crc, block.header.payload_crc).message());
  return false;
}

}  // namespace evt
