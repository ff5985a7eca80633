#include <errno.h>
#include <evt/format.h>
#include <evt/little_endian.h>
#include <evt/recode.h>
#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <unordered_map>

#include "block_decoder.h"
#include "block_reader.h"
#include "eventlog/eventlog_source.h"
#include "format-spec/src/columns/frame.h"
#include "format-spec/src/crc32c.h"
#include "format-spec/src/piece_table.h"
#include "index_recode.h"
#include "raw_bytes.h"

namespace evt {
namespace {

class Recoder {
 public:
  Recoder(ByteSource& source, Form form, const TakeBytes& take)
      : source_(source),
        damage_(source.damage()),
        blocks_(source, damage_),
        decoder_(blocks_),
        form_(form),
        take_(take) {}

  Status run() {
    while (const Block* const block = blocks_.next()) {
      if (!copy(*block)) return status_;
    }
    if (!blocks_.status().ok()) return blocks_.status();
    if (!damage_.empty()) {
      const Damage& first = damage_.front();
      return {Code::kDamaged, fmt::format("at {}: {}", first.offset, first.reason), first.offset};
    }
    const bool cut =
        std::any_of(sessions_.begin(), sessions_.end(), [](const auto& each) { return !each.second.ended; });
    return cut ? Status(Code::kCut, "a session was cut: its end is missing") : Status();
  }

 private:
  // Of one session, in the new trace.
  struct Session {
    std::uint64_t begin = 0;
    std::uint64_t left_out = 0;  // blocks, so far
    bool ended = false;
    std::unique_ptr<ColumnFrame> frame;
    IndexRecoder index;
  };

  bool copy(const Block& block);
  bool read(const Block& block);
  bool to_rows(const Block& block);
  void store_as(std::uint8_t layout, std::uint8_t codec, Bytes rows, std::size_t raw_size);
  void to_columns(Session& session);
  void end_session(Session& session);
  bool put();

  ByteSource& source_;
  std::vector<Damage> damage_;
  BlockReader blocks_;
  BlockDecoder decoder_;
  Form form_;
  const TakeBytes& take_;
  std::unordered_map<std::uint64_t, Session> sessions_;
  std::uint64_t written_ = 0;
  Status status_;

  // The block that is copied.
  BlockHeader header_;
  EventsHeader events_;
  std::vector<std::byte> head_;  // as it stood, with what a later version put there
  std::vector<std::byte> payload_;
  std::vector<std::byte> table_;  // at its front
};

// False when the new trace cannot go on.
bool Recoder::copy(const Block& block) {
  const auto [at, is_new] = sessions_.try_emplace(block.header.session_id);
  Session& session = at->second;
  if (is_new) session.begin = written_;
  if (!read(block)) {  // its damage is noted
    session.index.left_out();
    return true;
  }
  if (header_.type == EVT_BLOCK_INDEX && !session.index.recode(block, &payload_)) {
    session.index.left_out();
    session.left_out += 1;
    return true;
  }
  if (header_.block_no == EVT_BLOCK_NO_RECOVERED) {
    session.ended |= header_.type == EVT_BLOCK_SESSION;  // all that its ring had is in the file
  } else {
    header_.block_no -= session.left_out;
  }
  const bool is_known = header_.must_understand == 0;
  if (is_known && header_.type == EVT_BLOCK_EVENTS && BlockDecoder::knows(block)) {
    const std::uint8_t layout = without_table(events_.layout);
    const bool is_columns = layout == EVT_LAYOUT_COLUMNS && header_.codec == EVT_CODEC_ZSTD;
    const bool is_rows = layout == EVT_LAYOUT_ROWS && header_.codec == EVT_CODEC_NONE;
    if (form_ == Form::kColumns ? !is_columns : !is_rows) {
      if (!to_rows(block)) {
        session.index.left_out();
        return true;
      }
      if (form_ == Form::kColumns) to_columns(session);
    }
  }
  if (is_known && header_.codec == EVT_CODEC_NONE) {
    if (header_.type == EVT_BLOCK_TYPES && form_ == Form::kColumns) {
      if (session.frame == nullptr) session.frame = std::make_unique<ColumnFrame>();
      session.frame->encoder().learn(raw(payload_.data()), payload_.size());
    }
    if (header_.type == EVT_BLOCK_TRAILER) end_session(session);
  }
  const std::uint64_t before = written_;
  if (!put()) return false;
  if (header_.type == EVT_BLOCK_INDEX) {
    session.index.wrote_index(written_ - before);
  } else {
    session.index.wrote(header_, events_, written_ - before);
  }
  return true;
}

bool Recoder::read(const Block& block) {
  header_ = block.header;
  events_ = block.events;
  head_.resize(header_.header_size);
  if (source_.read_at(block.offset, head_.data(), head_.size()) != head_.size()) return false;
  return blocks_.load(block, &payload_);
}

bool Recoder::to_rows(const Block& block) {
  std::vector<std::byte> rows(events_.rows_size);
  const std::string wrong = decoder_.decode(block, rows.data());
  if (!wrong.empty()) {
    damage_.push_back({block.offset, block.end() - block.offset, wrong});
    return false;
  }
  table_.assign(decoder_.table().begin(), decoder_.table().end());
  store_as(EVT_LAYOUT_ROWS, EVT_CODEC_NONE, rows, rows.size());
  return true;
}

// Rows that take no less space so, or are none, stay as they are.
void Recoder::to_columns(Session& session) {
  if (session.frame == nullptr) session.frame = std::make_unique<ColumnFrame>();
  ColumnFrame& frame = *session.frame;
  if (!frame.make(raw(payload_.data()) + table_.size(), events_.rows_size, events_.row_count)) return;
  store_as(EVT_LAYOUT_COLUMNS, EVT_CODEC_ZSTD, {reinterpret_cast<const std::byte*>(frame.bytes()), frame.size()},
           frame.raw_size());
}

// The rows of the block that is copied, in another form, behind the table of gathered ones.
void Recoder::store_as(std::uint8_t layout, std::uint8_t codec, Bytes rows, std::size_t raw_size) {
  events_.layout = is_gathered(events_.layout) ? with_table(layout) : layout;
  header_.codec = codec;
  header_.raw_size = static_cast<std::uint32_t>(table_.size() + raw_size);
  payload_ = table_;
  payload_.insert(payload_.end(), rows.begin(), rows.end());
}

// The session has another size now, and another index or none.
void Recoder::end_session(Session& session) {
  session.ended = true;
  constexpr std::size_t kSizeAt = 8;
  constexpr std::size_t kIndexAt = 16;
  if (payload_.size() < EVT_TRAILER_FIXED_SIZE) return;
  evt_store_u64(raw(payload_.data()) + kSizeAt, written_ + head_.size() + payload_.size() - session.begin);
  evt_store_u64(raw(payload_.data()) + kIndexAt, session.index.distance());
}

bool Recoder::put() {
  header_.payload_size = static_cast<std::uint32_t>(payload_.size());
  if (header_.codec == EVT_CODEC_NONE) header_.raw_size = header_.payload_size;
  header_.payload_crc = crc32c(0, payload_.data(), payload_.size());
  store_block_header(header_, raw(head_.data()));
  if (header_.type == EVT_BLOCK_EVENTS) store_events_header(events_, raw(head_.data()));
  seal_header(raw(head_.data()), head_.size());
  static constexpr std::byte kPadding[EVT_ALIGNMENT] = {};
  const Bytes parts[] = {head_, payload_, {kPadding, padding_after(payload_.size())}};
  for (const Bytes part : parts) {
    const int error = part.empty() ? 0 : take_(part);
    if (error != 0) {
      status_ = Status(Code::kIo, fmt::format("cannot write: {}", strerror(error)));
      return false;
    }
    written_ += part.size();
  }
  return true;
}

}  // namespace

namespace {

Status recode(Result<std::unique_ptr<ByteSource>> source, Form form, const TakeBytes& take) {
  if (!source) return source.status();
  return Recoder(**source, form, take).run();
}

}  // namespace

Status recode(const std::string& path, Form form, const TakeBytes& take) {
  return recode(as_trace(open_file(path)), form, take);
}

Status recode(int descriptor, const std::string& name, Bytes already_read, Form form, const TakeBytes& take) {
  return recode(as_trace(open_descriptor(descriptor, name, already_read)), form, take);
}

}  // namespace evt
