#include <evt/names.h>
#include <evt/saturating_add.h>
#include <evt/trace.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/block/block_decoder.h"
#include "libtrace-read/core/src/block/indexed_block_verifier.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "libtrace-read/core/src/event/interned_fields.h"
#include "libtrace-read/core/src/session/session_data.h"
#include "libtrace-read/core/src/source/open_source.h"
#include "libtrace-read/core/src/source/segment_files.h"
#include "trace_data.h"

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
  for (std::uint16_t cause = 1; cause < stream.lost_by_cause.size(); ++cause) {
    if (stream.lost_by_cause[cause] > 0) causes[cause] = stream.lost_by_cause[cause];
  }
  return causes;
}

std::uint64_t sum_of(const std::map<std::uint16_t, std::uint64_t>& causes) {
  std::uint64_t sum = 0;
  for (const auto& [cause, events] : causes) saturating_add(&sum, events);
  return sum;
}

// Why events of a session were lost: from its index, else from its LOST rows. Only blocks with such rows are decoded.
// Refers to both while it lives. Leaves damage to the code that reads it: notes nothing.
class LossSearch {
 public:
  LossSearch(const BlockReader& blocks, const SessionData& session)
      : session_(session), blocks_(blocks.anew(ledger_)), verifier_(blocks_, ledger_), decoder_(blocks_) {}

  std::vector<Loss> find() {
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
  std::uint64_t bytes_read() const { return blocks_.bytes_read(); }

 private:
  struct Stream {
    std::uint64_t lost = 0;  // so far, from the headers
    std::map<std::uint16_t, std::uint64_t> causes;
  };

  void read() {
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
  void read(std::uint32_t number) {
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
  bool has_losses(const Piece& piece) {
    const auto found = streams_.find(piece.stream_id);
    if (found == streams_.end() || piece.lost_total <= found->second.lost) return false;
    if (session_.segments == nullptr) found->second.lost = piece.lost_total;
    return true;
  }
  OrdinalRange rows_to_read(const StreamSpan& span) const {
    if (session_.segments == nullptr) return {0, UINT64_MAX};
    const auto found = extracts_.find(span);
    return found == extracts_.end() ? OrdinalRange{} : found->second;
  }
  void count(Bytes rows, const Piece& piece, OrdinalRange wanted) {
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

  const SessionData& session_;
  Ledger ledger_;
  BlockReader blocks_;
  IndexedBlockVerifier verifier_;
  BlockDecoder decoder_;
  std::map<std::uint32_t, Stream> streams_;      // streams that lost events
  std::map<StreamSpan, OrdinalRange> extracts_;  // for a session in segments: the rows to read from each part
  std::vector<std::byte> rows_;
  std::vector<Piece> pieces_;
  std::size_t noted_ = 0;
};

Status cut(const Session& session) {
  std::string sentence = fmt::format("the session of {} is truncated: its end is missing",
                                     session.program.empty() ? "an unknown program" : session.program);
  if (session.ring == RingState::kOther) {
    sentence += fmt::format("; its ring {} belongs to {}", session.ring_name,
                            session.ring_file.empty() ? "another file" : session.ring_file);
  }
  if (session.ring == RingState::kAway) {
    sentence += fmt::format("; {} on {} may have had more", session.ring_name.empty() ? "a ring" : session.ring_name,
                            session.host.empty() ? "its machine" : session.host);
  }
  return {Code::kTruncated, std::move(sentence)};
}

}  // namespace

Status first_problem(const TraceData& trace) {
  if (!trace.structure.ok()) return trace.structure;
  if (!trace.blocks.status().ok()) return trace.blocks.status();
  if (!trace.ledger.damage().empty()) {
    const Damage& first = trace.ledger.damage().front();
    return {Code::kDamaged, fmt::format("at {}: {}", first.offset, first.reason), first.offset};
  }
  for (const Session& session : trace.sessions) {
    if (session.not_understood > 0) {
      return {Code::kDamaged,
              fmt::format("{} blocks that must be understood are not known to this version", session.not_understood)};
    }
    if (session.not_decodable > session.without_clock) {
      return {Code::kDamaged, fmt::format("{} rows are stored in a way that is not known to this version",
                                          session.not_decodable - session.without_clock)};
    }
    if (session.without_clock > 0) {
      return {Code::kDamaged,
              fmt::format("{} rows are of a clock that no CLOCK block describes", session.without_clock)};
    }
    if (session.missing > 0) return {Code::kDamaged, fmt::format("{} rows are missing", session.missing)};
    if (session.is_truncated()) return cut(session);
  }
  return {};
}

namespace {

const SessionData* data_of(const TraceData& trace, const Session& session) {
  const auto found =
      std::ranges::find_if(trace.data, [&](const SessionData& each) { return each.session == &session; });
  return found == trace.data.end() ? nullptr : &*found;
}

// Adds the file's name to the sentence, if the stage that made it does not know the name. Bytes in memory have none.
Status of_file(const TraceData& trace, bool named) {
  const Status& status = trace.structure;
  if (!named || !trace.blocks.status().ok()) return status;
  const char* const between = status.code() == Code::kNewerFormat ? " " : ": ";
  return {status.code(), trace.source->name() + between + status.message(), status.offset()};
}

// Meanwhile all segments of the session were put into another file at this path.
bool was_replaced(const std::string& path, const TraceData& trace) {
  const bool is_segment = std::ranges::any_of(trace.sessions, [](const Session& session) { return session.goes_on; }) ||
                          !trace.files.empty();
  struct stat facts;
  return is_segment && trace.options.rings && trace.source->identity() && ::stat(path.c_str(), &facts) == 0 &&
         !trace.source->has({facts.st_dev, facts.st_ino});
}

}  // namespace

Trace::Trace(std::unique_ptr<TraceData> data) : data_(std::move(data)) {}

Result<Trace> Trace::from_data(std::unique_ptr<TraceData> data, bool named) {
  const bool anything =
      std::ranges::any_of(data->sessions, [](const Session& session) { return session.declared || session.rows > 0; });
  if (!anything && !data->structure.ok()) return of_file(*data, named);
  if (data->options.strict && !first_problem(*data).ok()) return first_problem(*data);
  return Trace(std::move(data));
}

Result<Trace> Trace::open(const std::string& path, const ReadOptions& options) {
  constexpr int kOpenings = 10;
  for (int i = 0;; ++i) {
    auto source = open_trace_file(path);
    if (!source) return source.status();
    auto data = open_trace(*std::move(source), options);
    if (i == kOpenings || !was_replaced(path, *data)) return from_data(std::move(data), true);
  }
}

Result<Trace> Trace::open(std::span<const std::string> paths, const ReadOptions& options) {
  if (paths.empty()) return Status(Code::kInvalid, "no file was named");
  if (paths.size() == 1) return open(paths.front(), options);
  auto source = SegmentFiles::open(paths);
  if (!source) return source.status();
  return from_data(open_trace(*std::move(source), options), true);
}

std::vector<std::vector<std::size_t>> Trace::files_of_traces(std::span<const std::string> paths) {
  return SegmentFiles::together(paths);
}

Result<Trace> Trace::open(int descriptor, const std::string& name, const ReadOptions& options) {
  auto source = open_trace_descriptor(descriptor, name, options.already_read);
  if (!source) return source.status();
  return from_data(open_trace(*std::move(source), options), true);
}

Result<Trace> Trace::from_memory(Bytes bytes, const ReadOptions& options) {
  auto source = as_trace(open_memory(bytes));
  if (!source) return source.status();
  return from_data(open_trace(*std::move(source), options), false);
}

std::vector<Trace::RowsInTime> Trace::rows_in_time(const Session& session) const {
  std::vector<RowsInTime> all;
  const SessionData* const data = data_of(*data_, session);
  if (data == nullptr) return all;
  for (const auto& [id, stream] : data->streams) {
    for (std::size_t i = 0; i < stream.parts.size(); ++i) {
      const StreamSpan part = stream.parts[i];
      const EventsHeader& events = data->blocks[part.block].events;
      if (part.piece != StreamSpan::kWhole || events.row_count == 0) continue;
      const Extract* const extract = data->extract_of(id, i);
      all.push_back({stream.info, data->ns_of(events.clock_id, events.first_ticks),
                     data->ns_of(events.clock_id, events.last_ticks),
                     extract == nullptr ? events.row_count : extract->rows.size()});
    }
  }
  return all;
}

const std::vector<Loss>& Trace::losses(const Session& session) const {
  const auto [known, is_new] = data_->losses.try_emplace(&session);
  const SessionData* const data = data_of(*data_, session);
  if (!is_new || session.lost == 0 || data == nullptr) return known->second;
  LossSearch search(data_->blocks, *data);
  known->second = search.find();
  data_->blocks.count_read(search.bytes_read());
  return known->second;
}

const Trace::Recovery& Trace::recovery() const { return data_->recovery; }
const std::deque<Session>& Trace::sessions() const { return data_->sessions; }
Events Trace::events(const EventOptions& options) & { return {*data_, options}; }
const std::vector<Damage>& Trace::damage() const { return data_->ledger.damage(); }
const std::vector<MissingRows>& Trace::missing() const { return data_->ledger.missing(); }
Status Trace::status() const { return first_problem(*data_); }
const std::vector<Trace::File>& Trace::files() const { return data_->files; }
const std::vector<std::string>& Trace::duplicates() const { return data_->duplicates; }
const std::vector<std::string>& Trace::notes() const { return data_->source->notes(); }
std::uint64_t Trace::size() const { return data_->source->file_size(); }
std::uint64_t Trace::spooled_bytes() const { return data_->source->spooled_bytes(); }
std::uint64_t Trace::bytes_read() const { return data_->blocks.bytes_read(); }
std::uint64_t Trace::bytes_unpacked() const { return data_->blocks.bytes_unpacked(); }

const char* word_of(SessionEnd end) {
  constexpr const char* kWords[] = {"closed", "continued", "unknown", "living", "killed", "truncated"};
  return kWords[static_cast<std::size_t>(end)];
}

SessionEnd Session::end() const {
  if (closed) return SessionEnd::kClosed;
  if (goes_on) return SessionEnd::kContinued;
  if (abandoned) return SessionEnd::kUnknown;
  if (ring == RingState::kLive) return SessionEnd::kLiving;
  return ring == RingState::kRecovered ? SessionEnd::kKilled : SessionEnd::kTruncated;
}

std::optional<LeftOut> Session::left_out_of_copies() const {
  const bool has_end = !is_truncated() && !goes_on;
  if (has_end && not_kept == 0) return left_out;
  LeftOut all = left_out.value_or(LeftOut());
  all.others |= not_kept > 0;
  if (has_end) return all;
  if (!all.has_range) {
    all.has_range = true;
    all.from_ns = INT64_MIN;
    all.to_ns = INT64_MAX;
  }
  all.to_ns = std::min(all.to_ns, last_ns);
  return all;
}

std::string Session::cut_of_copies(const std::string& what) const {
  std::string words = what;
  const auto add = [&](const char* lack) { words += (words.empty() ? "" : "; ") + std::string(lack); };
  if (is_truncated()) add("its end is missing");
  if (goes_on) add("it goes on in another segment");
  if (not_kept > 0) add("rows of other segments were not there");
  return words;
}

const std::string* Session::text(Interned id) const {
  static const std::string kEmpty;
  if (id.id == 0) return &kEmpty;
  const auto found = strings.find(id.id);
  return found == strings.end() ? nullptr : &found->second;
}

std::optional<Value> SharedRow::value(Role role) const {
  FieldWalker walker(type->fields(), fields);
  while (const auto value = walker.next()) {
    if (value->field().role == role) return value;
  }
  return std::nullopt;
}

std::optional<SharedRow> Session::row(Reference id) const {
  const auto found = strings.find(id.id);
  const std::optional<RowView> row = found == strings.end() ? std::nullopt : row_in(found->second);
  if (!row) return std::nullopt;
  const auto type = std::ranges::find(types, row->number(), &EventType::number);
  return type == types.end() ? std::nullopt : std::optional(SharedRow{&*type, row->fields()});
}

const StreamInfo* Session::stream(std::uint32_t id) const {
  const auto found = std::ranges::lower_bound(streams, id, {}, &StreamInfo::id);
  return found != streams.end() && found->id == id ? &*found : nullptr;
}

std::string Session::part_name(std::uint32_t part) const {
  return !parts[part].name.empty() ? parts[part].name : "process " + std::to_string(part + 1);
}

const std::string* Session::fact(std::uint16_t scope, std::uint64_t id, std::string_view key) const {
  const auto place = [](const Fact& fact) { return std::tuple(fact.scope, fact.id, std::string_view(fact.key)); };
  const auto found = std::ranges::lower_bound(facts, std::tuple(scope, id, key), {}, place);
  const bool is_it = found != facts.end() && found->scope == scope && found->id == id && found->key == key;
  return is_it ? &found->value : nullptr;
}

const EventType* Session::type(std::string_view name) const {
  const auto found = std::ranges::find_if(types, [&](const EventType& t) { return t.name() == name; });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace evt
