#include <evt/recode.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "chrome_events.h"
#include "decimal_time.h"
#include "libtrace-read/core/src/base/record_list.h"
#include "libtrace-read/edit/src/trace_output.h"
#include "libtrace-read/edit/src/uuid_digest.h"
#include "libtrace-read/import/src/imported_rows.h"
#include "libtrace-read/import/src/importers.h"

namespace evt {
namespace chrome {
namespace {

static_assert(kMaxNs * 2 <= std::int64_t{kZeroTicks});

// Data of a file of Chrome's format -> a trace of one session: a stream for each thread, a part for each process if
// there are several. The same file always gives the same trace.
class ChromeSession {
 public:
  ChromeSession(ByteSource& file, ChromeEvents& events) : file_(file), events_(events) {}

  // Passes its bytes to `take`; kIo if that fails, or if the events cannot be read again.
  Status write(const TakeBytes& take) {
    UuidDigest digest;
    digest.add(file_, 0);
    const Session::Uuid uuid = digest.uuid();
    TraceOutput out(take, evt_session_id(uuid.data()), std::nullopt);
    out_ = &out;
    events_.threads().make_streams();
    add_metadata(uuid);
    put_rows();
    if (events_.is_closed()) {
      out.end();
    } else {
      out.flush();
    }
    if (out.status().ok() && !events_.rows().ok()) {
      return {Code::kIo, fmt::format("cannot read the temporary file of {}", file_.name())};
    }
    return out.status();
  }

 private:
  void add_metadata(const Session::Uuid& uuid) {
    add_session(uuid);
    const auto add = [this](std::uint16_t type) {
      return [this, type](Bytes payload) { out_->add_metadata(type, payload); };
    };
    events_.types().put(add(EVT_BLOCK_TYPES));
    add_streams();
    add_facts();
  }

  void add_session(const Session::Uuid& uuid) {
    const ChromeThreads& threads = events_.threads();
    evt_session_info info = {};
    info.writer = "Trace Event Format";
    info.start_utc_ns = events_.start_utc_ns();
    info.exact = 1;
    std::memcpy(info.uuid, uuid.data(), sizeof info.uuid);
    std::string program;
    if (threads.processes().size() == 1) {
      info.pid = threads.processes().front().number;
      program = threads.processes().front().name;
      info.program = program.c_str();
    }
    std::vector<evt_merged_part> parts;
    std::vector<std::string> names;
    names.reserve(threads.processes().size());
    for (std::uint32_t i = 0; has_parts() && i < threads.processes().size(); ++i) {
      UuidDigest digest;
      digest.add(uuid);
      digest.add(std::uint64_t{i});
      const Session::Uuid origin = digest.uuid();
      evt_merged_part part = {};
      std::memcpy(part.origin, origin.data(), sizeof part.origin);
      part.name = names.emplace_back(threads.process_name(threads.processes()[i])).c_str();
      std::tie(part.first_stream, part.stream_count) = threads.streams_of(i);
      part.alignment = EVT_ALIGNED_SAME_CLOCK;
      part.ended = events_.is_closed() ? 1 : 0;
      parts.push_back(part);
    }
    info.parts = parts.data();
    info.part_count = static_cast<std::uint32_t>(parts.size());
    add_imported_session(info, ticks_of(events_.start_ns()), out_);
  }

  void add_streams() {
    const ChromeThreads& threads = events_.threads();
    RecordList records;
    const auto put = [this](Bytes payload) { out_->add_metadata(EVT_BLOCK_STREAMS, payload); };
    for (const ChromeThreads::Thread& thread : threads.threads()) {
      if (!thread.has_own_stream) continue;
      const std::string name = threads.stream_name(thread);
      evt_stream_info info = {};
      info.name = name.c_str();
      info.id = thread.stream;
      info.thread = thread.number;
      info.process = threads.processes()[thread.process].number;
      append_stream_record(records.next(), info);
      if (records.is_full()) records.put(put);
    }
    records.put(put);
  }

  void add_facts() {
    const ChromeThreads& threads = events_.threads();
    RecordList records;
    for (std::uint32_t i = 0; has_parts() && i < threads.processes().size(); ++i) {
      const ChromeThreads::Process& process = threads.processes()[i];
      add_fact(EVT_FACT_SCOPE_PART, i, EVT_FACT_PART_PROGRAM, process.name, &records);
      const std::string pid = process.number != 0 ? std::to_string(process.number) : "";
      add_fact(EVT_FACT_SCOPE_PART, i, EVT_FACT_PART_PID, pid, &records);
    }
    for (const ChromeFact& fact : events_.facts()) {
      if (fact.of == ChromeFact::Of::kThread) {
        add_fact(EVT_FACT_SCOPE_STREAM, stream_of(fact.thread), fact.key, fact.value, &records);
      } else if (fact.of == ChromeFact::Of::kProcess && has_parts()) {
        add_fact(EVT_FACT_SCOPE_PART, threads.threads()[fact.thread].process, fact.key, fact.value, &records);
      } else {
        add_fact(EVT_FACT_SCOPE_SESSION, 0, fact.key, fact.value, &records);
      }
    }
    records.put([this](Bytes payload) { out_->add_metadata(EVT_BLOCK_FACTS, payload); });
  }

  void add_fact(evt_fact_scope scope, std::uint64_t id, std::string_view key, std::string_view value,
                RecordList* records) {
    if (value.empty()) return;
    evt_fact_info fact = {};
    fact.scope = static_cast<std::uint16_t>(scope);
    fact.id = id;
    fact.key = key.data();
    fact.key_size = key.size();
    fact.value = value.data();
    fact.value_size = value.size();
    append_fact_record(records->next(), fact);
    if (records->is_full()) records->put([this](Bytes payload) { out_->add_metadata(EVT_BLOCK_FACTS, payload); });
  }

  void put_rows() {
    ImportedRows rows(*out_);
    while (const RowSort::Row* const row = events_.rows().next()) add_row(*row, &rows);
    rows.flush();
  }

  void add_row(const RowSort::Row& row, ImportedRows* rows) {
    std::uint32_t type = 0;
    std::uint32_t thread = 0;
    std::memcpy(&type, row.bytes.data(), sizeof type);
    std::memcpy(&thread, row.bytes.data() + sizeof type, sizeof thread);
    const Bytes fields = row.bytes.subspan(ChromeEvents::kRowFront);
    if (type != ChromeEvents::kLoss) return rows->event(stream_of(thread), ticks_of(row.ns), type, fields);
    std::uint64_t count = 0;
    std::memcpy(&count, fields.data(), sizeof count);
    rows->lost(stream_of(thread), ticks_of(row.ns), EVT_LOST_DAMAGE, count, 0);
  }

  std::uint64_t ticks_of(std::int64_t ns) const { return kZeroTicks + static_cast<std::uint64_t>(ns); }

  std::uint32_t stream_of(std::uint32_t thread) const { return events_.threads().threads()[thread].stream; }
  bool has_parts() const { return events_.threads().processes().size() > 1; }

  ByteSource& file_;
  ChromeEvents& events_;
  TraceOutput* out_ = nullptr;
};

}  // namespace
}  // namespace chrome

namespace {

std::string_view without_space(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

}  // namespace

bool is_chrome_json(Bytes front) {
  std::string_view text(reinterpret_cast<const char*>(front.data()), std::min(front.size(), std::size_t{64}));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = without_space(text);
  const bool is_object = text.starts_with('{');
  if (!is_object && !text.starts_with('[')) return false;
  text = without_space(text.substr(1));
  return text.empty() || (is_object ? text[0] == '"' || text[0] == '}' : text[0] == '{' || text[0] == ']');
}

Result<std::unique_ptr<ByteSource>> open_chrome_json(std::unique_ptr<ByteSource> file) {
  chrome::ChromeEvents events(*file);
  if (const Status read = events.run(); !read.ok()) return read;
  MadeFrom from;
  from.size = file->file_size();
  from.spooled = file->spooled_bytes();
  from.damage = events.damage();
  from.damage.insert(from.damage.end(), file->damage().begin(), file->damage().end());
  from.notes = events.notes();
  return imported_source(file->name(), std::move(from),
                         [&](const TakeBytes& take) { return chrome::ChromeSession(*file, events).write(take); });
}

}  // namespace evt
