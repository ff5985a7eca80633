#include <errno.h>
#include <evt/format.h>
#include <evt/little_endian.h>
#include <evt/recode.h>
#include <fmt/core.h>
#include <string.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "format-spec/src/block/block_framer.h"
#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/columns/frame.h"
#include "format-spec/src/session/segment_record.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/block/block_reader.h"
#include "libtrace-read/core/src/index/index_payload.h"
#include "libtrace-read/core/src/session/metadata_reader.h"
#include "source_blocks.h"

namespace evt {
namespace {

void fill(TypeCounts& counts, const std::vector<TypeCount>& from) {
  counts.clear();
  for (const TypeCount& type : from) {
    if (type.rows == 0 || counts.rows[type.number] != 0) continue;
    counts.types[counts.met++] = static_cast<std::uint16_t>(type.number);
    counts.rows[type.number] = static_cast<std::uint32_t>(type.rows);
  }
}

// The index of a session whose blocks are rewritten in another form.
class IndexRecoder {
 public:
  // A block other than INDEX was written, with padding of this size.
  void wrote(const BlockHeader& header, const EventsHeader& events, std::uint64_t size) {
    written_.push_back({header.type, events.layout, header.codec, size});
  }

  // A block was left out: the index entries no longer match the blocks that were written.
  void left_out() { whole_ = false; }

  // Makes the payload of an INDEX block describe what was written; false if that is impossible.
  bool recode(const Block& block, std::vector<std::byte>* payload) {
    IndexPayload index;
    index.block = block;
    index.bytes = *payload;
    if (!whole_ || !index.parse().ok() || index.head.entry_count != written_.size()) return false;
    // Sizes and forms may take some bytes more than before, and each number reserves its largest size.
    std::vector<std::uint8_t> memory(8 * index.entries.size() + 16 * (written_.size() + 16));
    IndexEntries entries(memory.data(), memory.size());
    const auto counts = std::make_unique<TypeCounts>();
    IndexEntryReader from = index.read();
    for (const Written& written : written_) {
      const IndexEntry* const entry = from.next();
      if (entry == nullptr || entry->type != written.type) return false;
      if (entry->type != EVT_BLOCK_EVENTS) {
        if (!entries.add(written.type, written.size)) return false;
        continue;
      }
      EventsHeader events = entry->block().events;
      events.layout = written.layout;
      fill(*counts, entry->counts);
      const auto pieces = static_cast<std::uint32_t>(entry->pieces.size());
      if (!entries.add_events(written.size, written.codec, events, entry->pieces.data(), pieces, counts.get()))
        return false;
    }
    IndexHead head = index.head;
    head.previous_distance = index_size_ == 0 ? 0 : entries.covered() + index_size_;
    head.covered = entries.covered();
    head.entries_size = entries.size();
    payload->resize(EVT_INDEX_FIXED_SIZE);
    store_index_head(head, raw(payload->data()));
    const auto* const bytes = reinterpret_cast<const std::byte*>(memory.data());
    payload->insert(payload->end(), bytes, bytes + entries.size());
    payload->insert(payload->end(), index.info.begin(), index.info.end());
    return true;
  }

  // Notes that this INDEX block was written.
  void wrote_index(std::uint64_t size) {
    written_.clear();
    index_size_ = size;
  }

  // From the start of the last INDEX block to here; 0 if there is none directly before.
  std::uint64_t distance() const { return written_.empty() && whole_ ? index_size_ : 0; }

 private:
  struct Written {
    std::uint16_t type;
    std::uint8_t layout;
    std::uint8_t codec;
    std::uint64_t size;
  };

  std::vector<Written> written_;  // after the latest INDEX block
  std::uint64_t index_size_ = 0;  // the latest INDEX block's
  bool whole_ = true;
};

// REQUIRES: a trace that was not read by its index, so that it has the same blocks.
class Recoder {
 public:
  Recoder(TraceData& trace, Form form, const TakeBytes& take)
      : trace_(trace), blocks_(*trace.source, between_), form_(form), take_(take) {
    for (SessionData& data : trace.data) sources_[data.id] = &data;
    for (const Damage& damage : trace.ledger.damage()) damaged_.insert(damage.offset);
  }

  // Returns an error if the new trace could not continue.
  Status run() {
    while (blocks_.next() != nullptr) {
    }
    blocks_.met_disorder() ? blocks_.sort() : blocks_.begin_again();
    while (const Block* const block = blocks_.next()) {
      if (!copy(*block)) return status_;
    }
    copy_truncated();
    return status_;
  }

 private:
  // A session in the new trace.
  struct Session {
    std::uint64_t old_begin = 0;
    std::uint64_t begin = 0;
    std::uint64_t left_out = 0;  // blocks, so far
    std::optional<SourceBlocks> source;
    std::unique_ptr<ColumnFrame> frame;
    IndexRecoder index;
  };

  Session& session_of(const Block& block) {
    const auto [at, is_new] = sessions_.try_emplace(block.header.session_id);
    Session& session = at->second;
    if (!is_new) return session;
    session.old_begin = block.offset;
    session.begin = written_;
    const auto source = sources_.find(block.header.session_id);
    if (source != sources_.end()) session.source.emplace(trace_, *source->second);
    return session;
  }

  // Returns false if the new trace cannot continue.
  bool copy(const Block& block) {
    Session& session = session_of(block);
    const bool is_right = load(block);
    const bool is_plain = is_right && header_.must_understand == 0 && header_.codec == EVT_CODEC_NONE;
    if (block.begins_segment() && block.offset != session.old_begin) begin_segment(session, block);
    if (header_.type == EVT_BLOCK_INDEX && !(is_plain && session.index.recode(block, &payload_))) {
      session.index.left_out();
      session.left_out += 1;
      return true;
    }
    number(session);
    if (!part_from_damaged(&session)) return false;
    if (header_.type == EVT_BLOCK_EVENTS && header_.must_understand == 0) make_form(session, block);
    if (is_plain && header_.type == EVT_BLOCK_TYPES && form_ == Form::kColumns) {
      if (session.frame == nullptr) session.frame = std::make_unique<ColumnFrame>();
      session.frame->encoder().learn(raw(payload_.data()), payload_.size());
    }
    if (is_plain && header_.type == EVT_BLOCK_SESSION && session.source) leave_draft();
    if (is_plain && header_.type == EVT_BLOCK_TRAILER) end_session(session, block);
    if (is_plain && header_.type == EVT_BLOCK_SEGMENT) number_segment(session);
    if (is_right) {
      header_.payload_size = static_cast<std::uint32_t>(payload_.size());
      if (header_.codec == EVT_CODEC_NONE) header_.raw_size = header_.payload_size;
      header_.payload_crc = crc32c(0, payload_.data(), payload_.size());
    }
    seal();
    const std::uint64_t before = written_;
    if (!put()) return false;
    if (!is_right) damaged_before_ = header_;
    if (header_.type == EVT_BLOCK_INDEX) {
      session.index.wrote_index(written_ - before);
    } else {
      session.index.wrote(header_, events_, written_ - before);
    }
    return true;
  }

  // True if its payload has the checksum in its header. A copy reads parts of a block that other readers skip.
  bool load(const Block& block) {
    header_ = block.header;
    events_ = block.events;
    head_.resize(header_.header_size);
    head_.resize(trace_.source->read_at(block.offset, head_.data(), head_.size()));
    std::uint32_t crc = 0;
    const bool is_right = blocks_.read_whole(block, &payload_, &crc);
    const bool is_known = header_.type == EVT_BLOCK_EVENTS || !damaged_.insert(block.offset).second;
    if (!is_right && !is_known) {
      const Status wrong = wrong_checksum("payload", crc, block.header.payload_crc);
      trace_.ledger.add({block.offset, block.end() - block.offset, wrong.message()});
    }
    return is_right;
  }

  // Looks at the rows, whether their form changes or not: errors in them are noted.
  void make_form(Session& session, const Block& block) {
    if (!session.source || session.source->next_at(block.offset) != true || has_form()) return;
    const SourceBlocks& source = *session.source;
    const Bytes rows = source.rows();
    table_.assign(source.stored().begin(), source.stored().begin() + static_cast<std::ptrdiff_t>(source.table_size()));
    store_as(EVT_LAYOUT_ROWS, EVT_CODEC_NONE, rows, rows.size());
    if (form_ == Form::kColumns) to_columns(session);
  }

  bool has_form() const {
    const std::uint8_t layout = without_table(events_.layout);
    return form_ == Form::kColumns ? layout == EVT_LAYOUT_COLUMNS && header_.codec == EVT_CODEC_ZSTD
                                   : layout == EVT_LAYOUT_ROWS && header_.codec == EVT_CODEC_NONE;
  }
  void store_as(std::uint8_t layout, std::uint8_t codec, Bytes rows, std::size_t raw_size);
  // Rows that would not take less space, or are not valid, stay unchanged.
  void to_columns(Session& session) {
    if (session.frame == nullptr) session.frame = std::make_unique<ColumnFrame>();
    ColumnFrame& frame = *session.frame;
    if (!frame.make(raw(payload_.data()) + table_.size(), events_.rows_size, events_.row_count)) return;
    store_as(EVT_LAYOUT_COLUMNS, EVT_CODEC_ZSTD, {reinterpret_cast<const std::byte*>(frame.bytes()), frame.size()},
             frame.raw_size());
  }

  // Sizes and indexes are per segment.
  void begin_segment(Session& session, const Block& block) const {
    session.old_begin = block.offset;
    session.begin = written_;
    session.index = IndexRecoder();
  }

  // SEGMENT has the number of the block before it.
  void number_segment(const Session& session) {
    SegmentRecord segment;
    if (!load_segment(raw(payload_.data()), payload_.size(), &segment)) return;
    set_first_block(raw(payload_.data()), segment.first_block_no - session.left_out);
  }

  // A session of a draft becomes one of this version, by its first line too.
  void leave_draft() {
    constexpr std::size_t kIncompatAt = 8;
    constexpr std::string_view kDraft = "evtrace trace, format 1.0-candidate,";
    constexpr std::string_view kName = "evtrace trace, format " EVT_FORMAT_NAME ",";
    std::string payload(reinterpret_cast<const char*>(payload_.data()), payload_.size());
    const std::size_t end = payload.find('\n');
    const std::size_t fixed_at = end == std::string::npos ? end : (end / EVT_ALIGNMENT + 1) * EVT_ALIGNMENT;
    if (fixed_at > payload.size() || payload.size() - fixed_at < EVT_SESSION_FIXED_SIZE) return;
    char* const bits = &payload[fixed_at + kIncompatAt];
    if ((evt_load_u64(bits) & EVT_INCOMPAT_DRAFT) == 0) return;
    evt_store_u64(reinterpret_cast<std::uint8_t*>(bits), evt_load_u64(bits) & ~EVT_INCOMPAT_DRAFT);
    if (payload.starts_with(kDraft)) {
      std::string line = std::string(kName) + payload.substr(kDraft.size(), end + 1 - kDraft.size());
      line.resize((line.size() + EVT_ALIGNMENT - 1) / EVT_ALIGNMENT * EVT_ALIGNMENT);
      payload.replace(0, fixed_at, line);
    }
    const auto bytes = std::as_bytes(std::span(payload));
    payload_.assign(bytes.begin(), bytes.end());
  }

  // The session has another size now, and another index or none. A wrong size stays wrong by the same amount: a
  // difference must not make the session look complete.
  void end_session(const Session& session, const Block& block) {
    constexpr std::size_t kSizeAt = 8;
    constexpr std::size_t kIndexAt = 16;
    if (payload_.size() < EVT_TRAILER_FIXED_SIZE) return;
    const std::uint64_t wrong_by = evt_load_u64(payload_.data() + kSizeAt) - (block.end() - session.old_begin);
    const std::uint64_t size = written_ + head_.size() + payload_.size() - session.begin;
    evt_store_u64(raw(payload_.data()) + kSizeAt, size + wrong_by);
    evt_store_u64(raw(payload_.data()) + kIndexAt, session.index.distance());
  }
  void copy_truncated();
  void number(const Session& session);
  void seal();
  // A block whose payload is damaged is trusted for what follows it (FORMAT.md, section 10), and in the copy another
  // block may follow: damaged bytes and indexes are left out. In that case an empty block that readers skip is written
  // after it.
  bool part_from_damaged(Session* session) {
    if (!damaged_before_) return true;
    const BlockHeader before = *damaged_before_;
    damaged_before_.reset();
    const bool is_next = header_.session_id == before.session_id
                             ? header_.block_no == before.block_no + 1 || header_.block_no == EVT_BLOCK_NO_RECOVERED
                             : header_.type == EVT_BLOCK_SESSION;
    if (is_next) return true;
    sessions_[before.session_id].index.left_out();
    const BlockFront front = BlockFramer::of_ring(before.session_id).front(EVT_BLOCK_PRIVATE, nullptr, 0);
    const bool begins = session->begin == written_;  // it has no block yet
    if (!put_bytes({reinterpret_cast<const std::byte*>(front.bytes), front.size})) return false;
    if (begins) session->begin = written_;
    return true;
  }

  bool put() {
    static constexpr std::byte kPadding[EVT_ALIGNMENT] = {};
    return put_bytes(head_) && put_bytes(payload_) && put_bytes({kPadding, padding_after(payload_.size())});
  }

  bool put_bytes(Bytes bytes) {
    const int error = bytes.empty() ? 0 : take_(bytes);
    if (error != 0) status_ = Status(Code::kIo, fmt::format("cannot write: {}", strerror(error)));
    if (error == 0) written_ += bytes.size();
    return error == 0;
  }

  TraceData& trace_;
  Ledger between_;  // the trace lists it already
  BlockReader blocks_;
  Form form_;
  const TakeBytes& take_;
  std::unordered_map<std::uint64_t, SessionData*> sources_;
  std::unordered_set<std::uint64_t> damaged_;  // places
  std::unordered_map<std::uint64_t, Session> sessions_;
  std::uint64_t written_ = 0;
  std::optional<BlockHeader> damaged_before_;  // the last block written, if its payload is damaged
  Status status_;

  // The current block.
  BlockHeader header_;
  EventsHeader events_;
  std::vector<std::byte> head_;  // in its stored form, with additions of a later version
  std::vector<std::byte> payload_;
  std::vector<std::byte> table_;  // at its front
};

// Stores the rows of the block that is copied, in another form, after the table of multiplexed ones.
void Recoder::store_as(std::uint8_t layout, std::uint8_t codec, Bytes rows, std::size_t raw_size) {
  events_.layout = is_multiplexed(events_.layout) ? with_table(layout) : layout;
  header_.codec = codec;
  header_.raw_size = static_cast<std::uint32_t>(table_.size() + raw_size);
  payload_ = table_;
  payload_.insert(payload_.end(), rows.begin(), rows.end());
}

// Copies the rest of a block inside which the file ends: its header shows which rows are missing.
void Recoder::copy_truncated() {
  const Block* const truncated = blocks_.truncated();
  if (truncated == nullptr || written_ == 0) return;
  header_ = truncated->header;
  events_ = truncated->events;
  head_.resize(header_.header_size);
  head_.resize(trace_.source->read_at(truncated->offset, head_.data(), head_.size()));
  payload_.resize(static_cast<std::size_t>(trace_.source->size() - truncated->payload_at()));
  payload_.resize(blocks_.read(*truncated, 0, payload_.data(), payload_.size()));
  Session& session = session_of(*truncated);
  number(session);
  seal();
  if (part_from_damaged(&session) && put_bytes(head_)) put_bytes(payload_);
}

void Recoder::number(const Session& session) {
  if (header_.block_no != EVT_BLOCK_NO_RECOVERED) header_.block_no -= session.left_out;
}

void Recoder::seal() {
  BlockFramer::replace(header_, header_.type == EVT_BLOCK_EVENTS ? &events_ : nullptr, raw(head_.data()));
}

// The whole file, without trusting an index.
constexpr ReadOptions kReading{.rings = false, .use_index = false, .check_index = true, .drafts = true};

Result<Trace> recode(Result<Trace> trace, Form form, const TakeBytes& take) {
  if (!trace) return trace;
  const Status status = Recoder(TraceData::of(*trace), form, take).run();
  return status.ok() ? std::move(trace) : Result<Trace>(status);
}

}  // namespace

Result<Trace> recode(const std::string& path, Form form, const TakeBytes& take) {
  return recode(Trace::open(path, kReading), form, take);
}

Result<Trace> recode(std::span<const std::string> paths, Form form, const TakeBytes& take) {
  return recode(Trace::open(paths, kReading), form, take);
}

Result<Trace> recode(int descriptor, const std::string& name, Bytes already_read, Form form, const TakeBytes& take) {
  ReadOptions options = kReading;
  options.already_read = already_read;
  return recode(Trace::open(descriptor, name, options), form, take);
}

}  // namespace evt
