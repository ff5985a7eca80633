// Writes events that were read, with the types, streams and texts that they need: for programs that filter traces, or
// make one from others. Needs only evt::Event of <evt/trace.h>, not the reader's library.
//
//   evt::BlockWriter out("half.evt");
//   while (const evt::Event* event = events.next()) {
//     if (wanted(*event)) out.write(*event);
//   }
//   if (evt::Status status = out.close(); !status.ok()) return fail(status);
#pragma once

#include <evt/described_session.h>
#include <evt/described_type.h>
#include <evt/evt_copy.h>
#include <evt/little_endian.h>
#include <evt/writer.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace evt {

// A file that appears at the first event. Each session that is read becomes a session: it begins with its first event
// that is written, has its own uuid, names the session that was read as its origin, and ends as that did, closed or
// truncated. It repeats what that session states of its parts, its cut and what was left out; what the caller leaves
// out is not added. Facts are kept. Clocks, facts about clocks, and blocks that readers skip (Session::other_blocks)
// are not. Times are nanoseconds. Events must come in the order in which the reader gives them, with losses and jumps
// (EventOptions::markers) and ends (EventOptions::ends) if they are to be kept. One thread at a time; trace and events
// must outlive this object.
class BlockWriter {
 public:
  // The start, on the clock of a session that is made from another's events: far enough from 0 for earlier times, and
  // from the largest number for every later time.
  static constexpr std::uint64_t kStartTicks = std::uint64_t{1} << 62;

  // Stands for "none" in a field that is a time, where the session that was read has a value for that. No event has
  // this time: it is 146 years after the start, or a duration of -292 years.
  static constexpr std::uint64_t kNoTime = std::uint64_t{1} << 63;

  explicit BlockWriter(std::string path) : path_(std::move(path)) {}
  // Writes to a function, see evt_open_sink.
  BlockWriter(evt_sink sink, void* context) : sink_(sink), context_(context) {}
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;
  ~BlockWriter() { end_session(); }

  template <typename Event>
  void write(const Event& event) {
    if (&event.session() != session_) {
      begin_session(event.session(), event.session().left_out, event.session().cut);
    }
    evt_stream* const stream = stream_of(event.stream());
    const std::uint64_t ticks = kStartTicks + static_cast<std::uint64_t>(event.ns());
    if (event.is_jump()) return evt_stream_jump(stream);
    if (event.is_end()) return evt_stream_end(stream, ticks);
    if (event.is_lost()) {
      const auto cause = static_cast<std::uint16_t>(event.value("cause")->as_unsigned());
      const auto duration = static_cast<std::uint64_t>(event.delta_to_ns(event.value("duration")->as_signed()));
      return add_lost(stream, cause, event.value("count")->as_unsigned(), ticks - duration, ticks);
    }
    const evt_type* const type = type_of(event.type());
    if (type == &refused_type_) return lose(event.stream(), 1, event.ns());
    evt_row row = evt_begin_at(stream, type, ticks);
    if (row.p == nullptr) return;
    const Bytes payload = in_nanoseconds(event);
    evt_raw(&row, payload.data(), payload.size());
    evt_commit(&row);
  }

  // Begins a session, which may stay without events. It will be closed even if the session that was read is truncated,
  // and then states that something is missing.
  template <typename Session>
  void begin(const Session& session) {
    begin_session(session, session.left_out_of_copies(), session.cut_of_copies(session.cut));
    closed_ = true;
  }

  // Counts events that were recorded and cannot be read. `ns`: time of the last of them, since the session's start.
  // REQUIRES: the session has begun.
  template <typename StreamInfo>
  void lose(const StreamInfo& stream, std::uint64_t count, std::int64_t ns) {
    const std::uint64_t ticks = kStartTicks + static_cast<std::uint64_t>(ns);
    add_lost(stream_of(stream), EVT_LOST_DAMAGE, count, ticks, ticks);
  }

  // One sentence for each type that a trace may have and the writer does not declare, such as one with two fields of
  // one name. Its events count as losses of the session that is written.
  const std::vector<std::string>& refused_types() const { return refused_; }

  // Ends the last session and returns the first error.
  Status close() {
    end_session();
    return status_;
  }

 private:
  template <typename Session, typename LeftOut>
  void begin_session(const Session& session, const std::optional<LeftOut>& leaves_out, const std::string& cut) {
    end_session();
    session_ = &session;
    std::vector<const char*> words;
    for (const std::string& word : session.command_line) words.push_back(word.c_str());
    std::vector<evt_merged_part> parts;
    for (const auto& part : session.parts) {
      evt_merged_part& described = parts.emplace_back(described_part(part));
      // The new session's own time is 0 at its start.
      const auto start = static_cast<std::uint64_t>(session.start_ns);
      described.offset_ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(part.offset_ns) - start);
    }
    evt_session_info info = {};
    info.program = session.program.c_str();
    info.host = session.host.c_str();
    info.boot_id = session.boot_id.c_str();
    info.writer = "evtrace " EVT_VERSION;
    info.pid = session.pid;
    info.command_line = words.data();
    info.command_line_count = static_cast<std::uint32_t>(words.size());
    info.start_utc_ns = session.start_utc_ns;
    info.time_scale = session.time_scale;
    info.exact = 1;
    info.origins = session.uuid.data();
    info.origin_count = session.declared ? 1 : 0;
    info.parts = parts.data();
    info.part_count = static_cast<std::uint32_t>(parts.size());
    info.cut = cut.c_str();
    std::optional<DescribedLeftOut> left_out;
    if (leaves_out) info.left_out = left_out.emplace(*leaves_out).message();
    evt_clock clock = {};
    clock.hz = 1'000'000'000;
    clock.start_ticks = kStartTicks;
    evt_options options = {};
    options.session = &info;
    options.clock = &clock;
    options.flush_inline = 1;
    options.buffer_size = buffer_size(session.streams.size());
    options.append = begun_ ? 1 : 0;
    evt_error error;
    writer_ =
        sink_ != nullptr ? evt_open_sink(sink_, context_, &options, &error) : evt_open(path_.c_str(), &options, &error);
    note(error);
    begun_ = true;
    closed_ = session.closed;
    lost_ = 0;
    for (const auto& [id, text] : session.strings) evt_intern_as(writer_, id, text.data(), text.size());
    declare_types_in_strings(session);
    for (const auto& fact : session.facts) {
      if (fact.scope != EVT_FACT_SCOPE_CLOCK) state(fact);
    }
  }

  // Types of rows in strings: no event has them.
  template <typename Session>
  void declare_types_in_strings(const Session& session) {
    std::set<std::uint32_t> numbers;
    for (const std::uint32_t id : session.row_strings) numbers.insert(number_in(session.strings.at(id)));
    for (const auto& type : session.types) {
      if (numbers.contains(type.number())) type_of(type);
    }
  }

  static std::uint32_t number_in(const std::string& row) {
    const std::uint16_t type = evt_load_u16(row.data() + 4);
    const bool is_large = evt_load_u16(row.data() + 6) == 0;
    return type == EVT_ROW_WIDE ? evt_load_u32(row.data() + (is_large ? 12 : 8)) : type;
  }

  // Readers' sums saturate at the largest number, the writer's do not: no sum here exceeds it.
  void add_lost(evt_stream* stream, std::uint16_t cause, std::uint64_t count, std::uint64_t first, std::uint64_t last) {
    count = std::min(count, UINT64_MAX - lost_);
    lost_ += count;
    evt_stream_lost(stream, cause, count, first, last);
  }

  template <typename Fact>
  void state(const Fact& fact) {
    evt_fact_info info = {};
    info.scope = fact.scope;
    info.id = fact.id;
    info.ns = fact.ns;
    info.key = fact.key.data();
    info.key_size = fact.key.size();
    info.value = fact.value.data();
    info.value_size = fact.value.size();
    evt_error error;
    evt_fact_as(writer_, &info, &error);
    note(error);
  }

  // A session with very many streams has little data in each.
  static std::uint32_t buffer_size(std::size_t streams) {
    constexpr std::size_t kAll = 32 << 20;
    constexpr std::size_t kMin = 1 << 10;
    constexpr std::size_t kMax = 64 << 10;
    return static_cast<std::uint32_t>(std::clamp(kAll / std::max<std::size_t>(1, streams), kMin, kMax));
  }

  void end_session() {
    if (writer_ == nullptr) return;
    evt_error error;
    (closed_ ? evt_close : evt_close_truncated)(std::exchange(writer_, nullptr), &error);
    note(error);
    streams_.clear();
    types_.clear();
    undeclared_.clear();
  }

  void note(const evt_error& error) {
    if (error.code != EVT_OK && status_.ok()) status_ = Status(static_cast<Code>(error.code), error.message);
  }

  template <typename StreamInfo>
  evt_stream* stream_of(const StreamInfo& from) {
    evt_stream*& stream = streams_[from.id];
    if (stream != nullptr) return stream;
    evt_stream_info info = {};
    info.name = from.declared_name.c_str();
    info.id = from.id;
    info.thread = from.thread;
    info.process = from.process;
    evt_error error;
    stream = evt_stream_open_as(writer_, &info, &error);
    note(error);
    return stream;
  }

  template <typename EventType>
  const evt_type* type_of(const EventType& from) {
    const evt_type*& type = types_[from.number()];
    if (type != nullptr) return type;
    if (!from.declared()) return type = &undeclared_.emplace_back(evt_type{from.number(), nullptr});
    DescribedType described;
    described.take(from.fields(), from.role());
    described.take(from.meaning());
    // On the new clock a time of 4 bytes may need 8, and the old value for "none" may be a time.
    for (evt_field& field : described.fields()) {
      const bool is_time = field.kind == EVT_KIND_TICKS || field.kind == EVT_KIND_TICK_DELTA;
      if (!is_time || field.shape != EVT_SHAPE_FIXED) continue;
      if (field.width == sizeof(std::uint32_t)) field.width = sizeof(std::uint64_t);
      if (field.has_absent != 0 && field.width == sizeof(std::uint64_t)) field.absent = kNoTime;
    }
    const std::string name = name_for_encoder(from.name());
    evt_event_type declared = described.as(name.c_str(), from.description().c_str());
    declared.number = from.number();
    evt_error error;
    type = evt_declare_as(writer_, &declared, &error);
    if (error.code != EVT_CODE_INVALID) {
      note(error);
      return type;
    }
    refused_.push_back(std::string(error.message) + ": its events are left out");
    return type = &refused_type_;
  }

  // A time of the old clock as one of the new one.
  template <typename Event, typename Value>
  static std::uint64_t in_nanoseconds(const Event& event, const Value& value) {
    if (value.is_absent()) return kNoTime;
    if (value.kind() == Kind::kTickDelta) return static_cast<std::uint64_t>(event.delta_to_ns(value.as_signed()));
    return kStartTicks + static_cast<std::uint64_t>(event.ticks_to_ns(event.ticks_in(value)));
  }

  // The payload, with times of the old clock converted; those that are not known (Event::is_known) as if the clock had
  // not stepped.
  template <typename Event>
  Bytes in_nanoseconds(const Event& event) {
    const Bytes payload = event.payload();
    payload_.clear();
    const std::byte* copied = payload.data();  // up to here
    auto walker = event.values();
    while (const auto value = walker.next()) {
      if (value->kind() != Kind::kTicks && value->kind() != Kind::kTickDelta) continue;
      const std::uint64_t ns = in_nanoseconds(event, *value);
      payload_.insert(payload_.end(), copied, value->bytes().data());
      payload_.resize(payload_.size() + sizeof ns);
      evt_store_u64(reinterpret_cast<std::uint8_t*>(payload_.data()) + payload_.size() - sizeof ns, ns);
      copied = value->bytes().data() + value->bytes().size();
    }
    if (copied == payload.data()) return payload;
    payload_.insert(payload_.end(), copied, payload.data() + payload.size());
    return payload_;
  }

  std::string path_;
  evt_sink sink_ = nullptr;
  void* context_ = nullptr;
  Status status_;
  const void* session_ = nullptr;  // being written
  bool begun_ = false;             // the file
  bool closed_ = true;             // the session that is read was
  evt_writer* writer_ = nullptr;
  std::uint64_t lost_ = 0;                                    // in the session being written, so far
  std::unordered_map<std::uint32_t, evt_stream*> streams_;    // by id
  std::unordered_map<std::uint32_t, const evt_type*> types_;  // by number
  std::deque<evt_type> undeclared_;
  const evt_type refused_type_ = {0, nullptr};
  std::vector<std::string> refused_;
  std::vector<std::byte> payload_;
};

}  // namespace evt
