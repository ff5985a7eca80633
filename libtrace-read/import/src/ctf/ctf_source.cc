#include <evt/little_endian.h>
#include <evt/recode.h>
#include <fmt/core.h>

#include <cstdlib>
#include <cstring>

#include "ctf_events.h"
#include "format-spec/src/session/metadata_records.h"
#include "libtrace-read/core/src/base/record_list.h"
#include "libtrace-read/core/src/source/importer.h"
#include "libtrace-read/edit/src/trace_output.h"
#include "libtrace-read/edit/src/uuid_digest.h"
#include "libtrace-read/import/src/imported_rows.h"
#include "libtrace-read/import/src/importers.h"

namespace evt {
namespace ctf {
namespace {

// Data of CTF traces -> a trace of one session, with a stream for each of theirs. The same files always give the same
// trace.
class CtfSession {
 public:
  // The start that evt convert stated may be after the first event, though not by years.
  CtfSession(const std::string& name, CtfEvents& events) : name_(name), events_(events), start_ns_(events.first_ns()) {
    constexpr std::int64_t kMost = std::int64_t{1} << 60;
    const std::optional<std::int64_t> stated = events.origin().start_ns;
    if (stated && std::abs(*stated / 2 - start_ns_ / 2) < kMost / 2) start_ns_ = *stated;
  }

  // Passes its bytes to `take`; kIo if that fails, or if the events cannot be read again.
  Status write(const TakeBytes& take) {
    UuidDigest digest;
    digest.add(events_.size());
    digest.add(static_cast<std::uint64_t>(events_.first_ns()));
    for (const std::string& stream : events_.streams()) digest.add(stream);
    const Session::Uuid uuid = digest.uuid();
    TraceOutput out(take, evt_session_id(uuid.data()), std::nullopt);
    out_ = &out;
    add_session(uuid);
    events_.surroundings().types.put([&](Bytes payload) { out.add_metadata(EVT_BLOCK_TYPES, payload); });
    add_streams();
    add_strings();
    put_rows();
    out.end();
    if (out.status().ok() && !events_.rows().ok()) {
      return {Code::kIo, fmt::format("cannot read the temporary file of {}", name_)};
    }
    return out.status();
  }

 private:
  void add_session(const Session::Uuid& uuid) {
    const TraceOrigin& origin = events_.origin();
    evt_session_info info = {};
    info.program = origin.program.c_str();
    info.host = origin.host.c_str();
    info.pid = origin.pid;
    info.writer = "CTF";
    info.start_utc_ns = start_ns_;
    info.exact = 1;
    std::memcpy(info.uuid, uuid.data(), sizeof info.uuid);
    add_imported_session(info, kZeroTicks, out_);
  }

  void add_streams() {
    RecordList records;
    const auto put = [this](Bytes payload) { out_->add_metadata(EVT_BLOCK_STREAMS, payload); };
    std::uint32_t id = 0;
    for (const std::string& name : events_.streams()) {
      evt_stream_info info = {};
      info.name = name.c_str();
      info.id = ++id;
      append_stream_record(records.next(), info);
      if (records.is_full()) records.put(put);
    }
    records.put(put);
  }

  // Names of functions.
  void add_strings() {
    RecordList records;
    const auto put = [this](Bytes payload) { out_->add_metadata(EVT_BLOCK_STRINGS, payload); };
    std::vector<const std::string*> names(events_.surroundings().functions.size());
    for (const auto& [name, id] : events_.surroundings().functions) names[id - 1] = &name;
    for (std::size_t i = 0; i < names.size(); ++i) {
      append_string_record(records.next(), static_cast<std::uint32_t>(i + 1), names[i]->data(),
                           static_cast<std::uint32_t>(names[i]->size()));
      if (records.is_full()) records.put(put);
    }
    records.put(put);
  }

  void put_rows() {
    ImportedRows rows(*out_);
    std::unordered_map<std::uint32_t, std::uint32_t> running;  // the thread of each cpu
    std::vector<std::byte> fields;
    while (const RowSort::Row* const row = events_.rows().next()) {
      RowFront front;
      std::memcpy(&front, row->bytes.data(), sizeof front);
      const std::uint64_t ticks = ticks_of(row->ns);
      Bytes rest = row->bytes.subspan(sizeof front);
      if (front.type == 0) {
        std::uint64_t facts[2];
        std::memcpy(facts, rest.data(), sizeof facts);
        rows.lost(front.stream, ticks, static_cast<evt_lost_cause>(front.cause), facts[0], facts[1]);
        continue;
      }
      if (front.running.is_switch && front.running.cpu != Running::kUnknown) {
        running[front.running.cpu] = front.running.next;
      }
      const auto runs = front.running.has_no_thread ? running.find(front.running.cpu) : running.end();
      if (runs != running.end()) {
        fields.assign(rest.begin(), rest.end());
        evt_store_u32(raw(fields.data()) + fields.size() - 4, runs->second);
        rest = fields;
      }
      rows.event(front.stream, ticks, front.type, rest);
    }
    rows.flush();
  }

  std::uint64_t ticks_of(std::int64_t ns) const { return kZeroTicks + static_cast<std::uint64_t>(ns - start_ns_); }

  std::string name_;
  CtfEvents& events_;
  std::int64_t start_ns_;
  TraceOutput* out_ = nullptr;
};

}  // namespace
}  // namespace ctf

namespace {

Result<std::unique_ptr<ByteSource>> open_traces(const std::vector<ctf::TraceFiles>& traces, const std::string& called) {
  auto events = ctf::CtfEvents::read(traces, called);
  if (!events) return events.status();
  MadeFrom from;
  from.size = (*events)->size();
  from.damage = (*events)->damage();
  from.notes = (*events)->notes();
  return imported_source(called, std::move(from),
                         [&](const TakeBytes& take) { return ctf::CtfSession(called, **events).write(take); });
}

}  // namespace

bool is_ctf_stream(Bytes front) {
  return front.size() >= 4 && (std::memcmp(front.data(), "\xC1\x1F\xFC\xC1", 4) == 0 ||
                               std::memcmp(front.data(), "\xC1\xFC\x1F\xC1", 4) == 0);
}

Result<std::unique_ptr<ByteSource>> open_ctf_stream(std::unique_ptr<ByteSource> file) {
  const ctf::TraceFiles files = ctf::trace_of_stream(file->name());
  if (files.metadata.empty()) {
    return Status(
        Code::kNotATrace,
        fmt::format("{}: it is a stream of a CTF trace, and the file metadata is not beside it", file->name()));
  }
  return open_traces({files}, file->name());
}

// True if the folder, or one in it, has a file `metadata`.
bool is_imported_folder(const std::string& path) { return ctf::has_trace(path); }

// Reads all traces in the folder and below it as one session.
Result<std::unique_ptr<ByteSource>> open_imported_folder(const std::string& path) {
  return open_traces(ctf::traces_below(path), path);
}

}  // namespace evt
