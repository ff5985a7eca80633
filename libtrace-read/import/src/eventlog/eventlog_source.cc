#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/base/record_list.h"
#include "libtrace-read/edit/src/session_maker.h"
#include "libtrace-read/edit/src/uuid_digest.h"
#include "libtrace-read/import/src/imported_rows.h"
#include "libtrace-read/import/src/importers.h"
#include "log_scan.h"

namespace evt {
namespace eventlog {
namespace {

std::string without_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

void add_session(const Session::Uuid& uuid, const LogFacts& facts, SessionMaker* out) {
  const std::string program = facts.arguments.empty() ? "" : without_folder(facts.arguments.front());
  std::vector<const char*> words;
  for (const std::string& word : facts.arguments) words.push_back(word.c_str());
  evt_session_info info = {};
  info.program = program.c_str();
  info.writer = facts.runtime.empty() ? "GHC" : facts.runtime.c_str();
  info.pid = facts.pid;
  info.command_line = words.data();
  info.command_line_count = static_cast<std::uint32_t>(words.size());
  info.start_utc_ns = facts.start_utc_ns;
  std::memcpy(info.uuid, uuid.data(), sizeof info.uuid);
  add_imported_session(info, 0, out);
}

// The same log always gives the same session.
Session::Uuid uuid_of(ByteSource& log, const Dictionary& types) {
  UuidDigest digest;
  digest.add(std::uint64_t{types.checksum()});
  digest.add(log, types.data_offset());
  return digest.uuid();
}

// SESSION, CLOCK, TYPES, STREAMS.
void add_metadata(const Session::Uuid& uuid, const Dictionary& types, const LogScan& scan, SessionMaker* out) {
  add_session(uuid, scan.facts(), out);
  RecordList records;
  // A log declares all types of its runtime system; those without events would be a third of a small trace.
  std::unordered_set<std::uint64_t> used;
  for (const Part& part : scan.parts()) {
    for (const TypeCount& type : part.counts) used.insert(type.number);
  }
  for (const auto& type : types.types()) {
    const std::uint32_t number = type->number();
    if (!used.contains(number > UINT16_MAX ? std::uint32_t{EVT_ROW_WIDE} : number)) continue;
    type->append_record(records.next(), scan.facts().runtime);
  }
  records.put([&](Bytes payload) { out->add_metadata(EVT_BLOCK_TYPES, payload); });
  for (const std::uint32_t id : scan.streams()) {
    const std::string name = id == LogScan::stream_of(LogScan::kNoCap) ? "global" : fmt::format("cap {}", id - 2);
    evt_stream_info info = {};
    info.name = name.c_str();
    info.id = id;
    append_stream_record(records.next(), info);
  }
  records.put([&](Bytes payload) { out->add_metadata(EVT_BLOCK_STREAMS, payload); });
}

class EventlogSource : public ByteSource {
 public:
  EventlogSource(std::unique_ptr<ByteSource> log, Dictionary types)
      : log_(std::move(log)), types_(std::move(types)), scan_(*log_, types_), rows_(*log_, types_) {
    name_ = log_->name();
    spooled_ = log_->spooled_bytes();
    made_from_ = log_->file_size();
    scan_.run();
    damage_ = scan_.damage();
    damage_.insert(damage_.end(), log_->damage().begin(), log_->damage().end());
    lay_out();
  }

  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) override {
    if (offset >= size_) return 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
    const std::lock_guard lock(mutex_);
    std::size_t done = 0;
    auto piece = std::ranges::upper_bound(pieces_, offset, {}, &Piece::offset);
    for (--piece; done < size; ++piece) {
      const Bytes bytes = bytes_of(*piece);
      const std::uint64_t begin = offset + done - piece->offset;
      const std::uint64_t length = (piece + 1 == pieces_.end() ? size_ : (piece + 1)->offset) - piece->offset;
      if (begin >= length) continue;
      if (bytes.size() < length) break;  // the log has changed
      const std::size_t count = std::min<std::size_t>(size - done, static_cast<std::size_t>(length - begin));
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), count, out + done);
      done += count;
    }
    return done;
  }

 private:
  static constexpr std::uint32_t kNoPart = UINT32_MAX;

  // A run of the trace's bytes: the rows of a part, or stored bytes.
  struct Piece {
    std::uint64_t offset = 0;
    std::uint32_t part = kNoPart;
    std::uint64_t kept_at = 0;
  };
  // Rows of parts that were requested last: a block is read in steps.
  struct Made {
    std::uint32_t part = kNoPart;
    std::uint64_t used = 0;
    std::vector<std::byte> rows;
  };

  void lay_out() {
    const Session::Uuid uuid = uuid_of(*log_, types_);
    SessionMaker maker(evt_session_id(uuid.data()), kept_);
    add_metadata(uuid, types_, scan_, &maker);
    pieces_.push_back({});
    for (std::uint32_t i = 0; i < scan_.parts().size(); ++i) {
      const Part& part = scan_.parts()[i];
      StoredRows stored;
      stored.size = stored.raw_size = part.events.rows_size;
      stored.crc = part.events.rows_crc;
      maker.add_events(part.events, stored, part.counts);
      if (part.lost > 0) maker.count_lost(part.events.stream_id, EVT_LOST_DAMAGE, part.lost);
      const std::uint64_t padding = padding_after(stored.size);
      pieces_.push_back({maker.size() - padding - stored.size, i, 0});
      pieces_.push_back({maker.size() - padding, kNoPart, kept_.size()});
      kept_.resize(kept_.size() + static_cast<std::size_t>(padding));
    }
    if (scan_.closed()) maker.end();
    size_ = maker.size();
  }

  Bytes bytes_of(const Piece& piece) {
    return piece.part == kNoPart ? Bytes(kept_).subspan(static_cast<std::size_t>(piece.kept_at)) : rows_of(piece.part);
  }

  Bytes rows_of(std::uint32_t part) {
    auto known = std::ranges::find_if(made_, [&](const Made& made) { return made.part == part; });
    if (known == made_.end()) {
      known = std::ranges::min_element(made_, {}, &Made::used);
      known->part = part;
      known->rows.clear();
      if (rows_.make(scan_.segments_of(scan_.parts()[part]))) {
        known->rows.assign(rows_.rows().begin(), rows_.rows().end());
      }
    }
    known->used = ++uses_;
    return known->rows;
  }

  std::unique_ptr<ByteSource> log_;
  Dictionary types_;
  LogScan scan_;
  LogRows rows_;
  std::vector<std::byte> kept_;
  std::vector<Piece> pieces_;
  std::mutex mutex_;
  std::array<Made, 8> made_;
  std::uint64_t uses_ = 0;
};

}  // namespace
}  // namespace eventlog

bool is_eventlog(Bytes front) {
  constexpr std::size_t kSize = sizeof eventlog::kMagic - 1;
  return front.size() >= kSize && std::memcmp(front.data(), eventlog::kMagic, kSize) == 0;
}

Result<std::unique_ptr<ByteSource>> open_eventlog(std::unique_ptr<ByteSource> log) {
  auto types = eventlog::read_header(*log);
  if (!types) return types.status();
  return {std::make_unique<eventlog::EventlogSource>(std::move(log), *std::move(types))};
}

}  // namespace evt
