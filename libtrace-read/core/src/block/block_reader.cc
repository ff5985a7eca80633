#include "block_reader.h"

#include <evt/format.h>
#include <evt/little_endian.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/base/damaged.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/source/block_scan.h"

namespace evt {
namespace {

constexpr std::size_t kChunk = 64 << 10;

// Why a header with a right checksum cannot be believed; null when it can.
const char* broken_claim(const BlockHeader& header, const EventsHeader& events) {
  if (header.codec == EVT_CODEC_NONE && header.raw_size != header.payload_size) {
    return "its raw size differs from its payload size";
  }
  const std::uint32_t most = header.type >= EVT_BLOCK_PRIVATE  ? std::uint32_t{EVT_MAX_PRIVATE_PAYLOAD}
                             : header.type == EVT_BLOCK_EVENTS ? std::uint32_t{EVT_MAX_EVENTS_PAYLOAD}
                                                               : std::uint32_t{EVT_MAX_METADATA_PAYLOAD};
  if (header.payload_size > most) return "its payload is larger than the format allows";
  if (header.type != EVT_BLOCK_EVENTS) return nullptr;
  if (header.header_size < EVT_EVENTS_HEADER_SIZE) return "its header is too short for events";
  if (events.rows_size > EVT_MAX_EVENTS_PAYLOAD || header.raw_size > EVT_MAX_EVENTS_PAYLOAD) {
    return "its rows are larger than the format allows";
  }
  const bool plain = events.layout == EVT_LAYOUT_ROWS && header.codec == EVT_CODEC_NONE;
  if (plain && events.rows_size != header.payload_size) return "its rows and its payload differ in size";
  if (events.row_count > events.rows_size / RowReader::kMinRow) return "it claims more rows than its bytes can hold";
  if (events.first_ordinal > UINT64_MAX - events.row_count) return "its ordinals go on behind the largest number";
  return nullptr;
}

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

std::string missing_blocks(std::uint64_t begin, std::uint64_t end) {
  return end - begin == 1 ? fmt::format("block {} of the session is missing", begin)
                          : fmt::format("blocks {} to {} of the session are missing", begin, end - 1);
}

BlockReader::BlockReader(ByteSource& source, Ledger& ledger, bool salvage)
    : source_(&source),
      ledger_(ledger),
      salvage_(salvage),
      work_left_(source.size() < UINT64_MAX / 4 ? source.size() * 4 : UINT64_MAX) {}

std::size_t BlockReader::read_at(std::uint64_t offset, std::byte* out, std::size_t size) {
  const std::size_t got = source_->read_at(offset, out, size);
  bytes_read_ += got;
  return got;
}

BlockReader::Probe BlockReader::probe(std::uint64_t offset) {
  if (offset == ahead_at_) return ahead_;
  std::array<std::byte, EVT_BLOCK_HEADER_MAX> bytes;
  std::size_t got = read_at(offset, bytes.data(), EVT_EVENTS_HEADER_SIZE);
  Probe probe;
  probe.state = load_block_header(raw(bytes.data()), got, &probe.block.header);
  if (probe.state == HeaderState::kShort && got == EVT_EVENTS_HEADER_SIZE) {
    got += read_at(offset + got, bytes.data() + got, bytes.size() - got);
    probe.state = load_block_header(raw(bytes.data()), got, &probe.block.header);
  }
  probe.block.offset = offset;
  // A checksum was computed over as many bytes as the header states it has.
  const bool checked = probe.state == HeaderState::kGood || probe.state == HeaderState::kBadChecksum;
  probe.checked = checked ? evt_load_u16(bytes.data() + 12) : 0;
  if (probe.state == HeaderState::kGood) {
    if (probe.block.header.header_size >= EVT_EVENTS_HEADER_SIZE) {
      probe.block.events = load_events_header(raw(bytes.data()));
    }
    if (const char* why = broken_claim(probe.block.header, probe.block.events)) probe.why = why;
  }
  ahead_ = probe;
  ahead_at_ = offset;
  return probe;
}

// Why a block is not used whose session went on before it.
std::string BlockReader::why_not(SeenBlocks::State seen, std::uint64_t number, std::uint64_t latest) {
  if (seen != SeenBlocks::State::kSeen) {
    return fmt::format("block {} of its session among too many that are not in order, after block {}", number, latest);
  }
  if (number > 0) return fmt::format("block {} of its session again, after block {}", number, latest);
  return fmt::format("the session starts over (block 0 after block {}); was the file appended to itself?", latest);
}

const Block* BlockReader::next() {
  if (again_) return next_again();
  if (!status_.ok() || (!started_ && !begins_trace())) return nullptr;
  started_ = true;
  while (at_ < source_->size()) {
    const Probe here = probe(at_);
    bool ends_here = false;
    std::string reason;
    std::uint64_t search_from = at_ + 1;
    if (here.state == HeaderState::kGood && *here.why == '\0') {
      const Block block = here.block;
      const SeenBlocks::State seen = seen_.look(block.header.session_id, block.header.block_no);
      std::uint64_t behind = 0;
      if (seen != SeenBlocks::State::kNew) {
        reason = why_not(seen, block.header.block_no, seen_.end(block.header.session_id) - 1);
        search_from = block.payload_at();
      } else {
        const bool whole = block.end() <= source_->size();
        if (ends_well(block, &behind) || (whole && payload_is_right(block))) return accept(block, behind);
        reason = whole ? "a block whose payload checksum is wrong and whose end is not followed by another block"
                       : fmt::format("a block of {} bytes, of which {} are there", block.end() - block.offset,
                                     source_->size() - block.offset);
        ends_here = !whole;
        search_from = block.payload_at();
      }
    } else {
      reason =
          here.state == HeaderState::kGood ? fmt::format("a block that cannot be: {}", here.why) : describe(here.state);
      met_newer_ |= here.state == HeaderState::kNewer;
    }
    const std::uint64_t found = search(search_from);
    const bool cut = found >= source_->size() && here.state != HeaderState::kNotABlock &&
                     (here.state == HeaderState::kShort || here.block.end() > source_->size());
    // What a later version wrote is not damage: the status reports that it is there.
    const bool is_damage = here.state != HeaderState::kNewer;
    skips_.push_back({at_, found, is_damage ? ledger_.damage().size() : SIZE_MAX});
    if (is_damage) skip(at_, found, std::move(reason));
    if (cut) status_ = Status(Code::kTruncated, "the file ends inside a block", at_);
    if (cut && ends_here) truncated_ = here.block;
    at_ = skipped_to_ = found;
  }
  return nullptr;
}

bool BlockReader::go_on(ByteSource& source) {
  const bool is_truncated = status_.code() == Code::kTruncated && skips_.size() == 1;
  const bool is_clean = skips_.size() == ledger_.damage().size() && (skips_.empty() || is_truncated);
  const bool is_simple = is_clean && !again_ && !met_newer_ && !met_disorder_ && !places_.empty();
  if (!is_simple || source.size() < (is_truncated ? skips_.back().from : at_)) return false;
  source_ = &source;
  ahead_at_ = UINT64_MAX;
  if (is_truncated) {
    skips_.clear();
    ledger_.reset();
    status_ = Status();
    truncated_.reset();
    met_damage_ = false;
    skipped_to_ = 0;
  }
  // Of the last block the padding may not have been there yet.
  const Block last = probe(places_.back()).block;
  return ends_well(last, &at_);
}

// Looks at the first megabyte: no block there, no trace.
bool BlockReader::begins_trace() {
  const Probe first = probe(0);
  if (first.state == HeaderState::kGood && *first.why == '\0') return true;
  if (salvage_ && search(0) < source_->size()) return true;
  std::vector<std::byte> front(static_cast<std::size_t>(std::min<std::uint64_t>(source_->size(), kFrontSize)));
  front.resize(read_at(0, front.data(), front.size()));
  std::size_t found = find_block(front, 0, EVT_FIRST_BLOCK_WITHIN);
  bool newer = false;
  while (found != kNoBlock && probe(found).state == HeaderState::kNewer) {
    newer = true;
    found = find_block(front, found + 1, EVT_FIRST_BLOCK_WITHIN);
  }
  if (found != kNoBlock) return true;
  if (newer) {
    status_ = Status(Code::kNewerFormat, source_->name() + " was written in a newer format than this program knows (" +
                                             EVT_FORMAT_NAME + ")");
  } else {
    status_ = not_a_trace(source_->name(), front);
  }
  return false;
}

// Rule 1 of section 10: something that may follow a block is behind its padding, at `next`.
bool BlockReader::ends_well(const Block& block, std::uint64_t* next) {
  if (block.end() > source_->size()) return false;
  std::array<std::byte, EVT_ALIGNMENT> behind{};
  const std::size_t got = read_at(block.end(), behind.data(), behind.size());
  std::size_t padding = 0;
  while (padding < got && padding < EVT_ALIGNMENT - 1 && behind[padding] == std::byte{0}) ++padding;
  *next = block.end() + padding;
  if (*next == source_->size()) return true;
  const Probe following = probe(*next);
  if (following.state == HeaderState::kNewer) return true;
  if (following.state != HeaderState::kGood || *following.why != '\0') return false;
  const BlockHeader& header = following.block.header;
  if (header.session_id == block.header.session_id) {
    return header.block_no == block.header.block_no + 1 || header.block_no == EVT_BLOCK_NO_RECOVERED;
  }
  return header.type == EVT_BLOCK_SESSION;
}

bool BlockReader::payload_is_right(const Block& block) {
  if (block.header.payload_size > work_left_) {
    work_left_ = 0;
    return false;
  }
  work_left_ -= block.header.payload_size;
  return checksum(block) == block.header.payload_crc;
}

std::size_t BlockReader::read(const Block& block, std::uint64_t start, std::byte* out, std::size_t size) {
  if (start >= block.header.payload_size) return 0;
  const std::uint64_t left = block.header.payload_size - start;
  return read_at(block.payload_at() + start, out, static_cast<std::size_t>(std::min<std::uint64_t>(size, left)));
}

std::uint32_t BlockReader::checksum(const Block& block) {
  std::vector<std::byte> chunk(std::min<std::size_t>(kChunk, block.header.payload_size));
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
  const std::uint64_t session = block.header.session_id;
  const std::uint64_t number = block.header.block_no;
  if (number != EVT_BLOCK_NO_RECOVERED) {
    const std::uint64_t expected = seen_.end(session);
    if (number > expected) note_gap(block, expected);
    const bool goes_on = numbered_ != session && seen_.has_session(session);  // behind another one's blocks
    if (number < expected || goes_on) met_disorder_ = met_damage_ = true;
    seen_.add(session, number);
    numbered_ = session;
  }
  places_.push_back(block.offset);
  session_ = session;
  ended_ = block.header.type == EVT_BLOCK_TRAILER;
  block_ = block;
  at_ = next;
  return &block_;
}

// Blocks that may come later: sort() knows.
void BlockReader::note_gap(const Block& block, std::uint64_t expected) {
  const bool explained = skipped_to_ == block.offset;
  if (explained || seen_.empty()) return;
  met_damage_ = true;
  ledger_.add({block.offset, 0, missing_blocks(expected, block.header.block_no)});
}

bool BlockReader::read_whole(const Block& block, std::vector<std::byte>* out, std::uint32_t* crc) {
  out->resize(block.header.payload_size);
  const std::size_t got = read_at(block.payload_at(), out->data(), out->size());
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
