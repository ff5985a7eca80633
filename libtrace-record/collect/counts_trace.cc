#include "counts_trace.h"

#include <evt/emit.h>
#include <evt/evt_copy.h>

#include <map>
#include <optional>

#include "libtrace-record/recorded/restriction_events.h"
#include "libtrace-record/sched/declare.h"

namespace evt::record {
namespace {

// Keeps the bytes that the trace refers to.
struct TraceInMemory {
  std::vector<std::byte> bytes;
  std::optional<Trace> trace;
};

int append(void* to, const void* bytes, std::size_t size) {
  const auto* const first = static_cast<const std::byte*>(bytes);
  static_cast<std::vector<std::byte>*>(to)->insert(static_cast<std::vector<std::byte>*>(to)->end(), first,
                                                   first + size);
  return 0;
}

class CountsWriter {
 public:
  CountsWriter(const CountsFile& counts, evt_writer* writer) : counts_(counts), writer_(writer) {}

  void write() {
    declare();
    for (const CountedFunction& function : counts_.functions) emit(function);
    if (counts_.restricted_ticks != 0) emit_restriction();
  }

 private:
  void declare() {
    type_ = record::declare(
        writer_, "run.call_counts", "how often a thread has called an imported function, and how long that took",
        EVT_ROLE_CALL_COUNTS,
        {EVT_FIELD_INTERNED("function", EVT_ROLE_FUNCTION), EVT_FIELD_INTERNED("library", EVT_ROLE_RESOURCE),
         EVT_FIELD_INTERNED("caller", EVT_ROLE_CALLER), EVT_FIELD_U64("calls", EVT_ROLE_VALUE),
         EVT_FIELD_U64("returned"), EVT_FIELD_U64("total", EVT_ROLE_DURATION, EVT_UNIT_NANOSECONDS),
         EVT_FIELD_U64("shortest", EVT_ROLE_NONE, EVT_UNIT_NANOSECONDS),
         EVT_FIELD_U64("longest", EVT_ROLE_NONE, EVT_UNIT_NANOSECONDS),
         EVT_FIELD_ARRAY(EVT_KIND_UNSIGNED, 8, "lengths", EVT_ROLE_NONE, EVT_UNIT_NANOSECONDS),
         EVT_FIELD_ARRAY(EVT_KIND_UNSIGNED, 8, "times"), EVT_FIELD_U64("timed")});
  }

  evt_stream* stream_of(std::uint32_t thread) {
    evt_stream*& stream = streams_[thread];
    if (stream != nullptr) return stream;
    evt_stream_info info = {};
    info.name = thread != 0 ? counts_.threads[thread].name.c_str() : "(ended threads)";
    info.thread = counts_.threads[thread].number;
    info.process = counts_.process;
    return stream = evt_stream_open_as(writer_, &info, nullptr);
  }

  std::uint32_t intern(const std::string& text) { return evt_intern(writer_, text.data(), text.size()); }

  void emit(const CountedFunction& counted) {
    const std::uint32_t function = intern(counted.name);
    const std::uint32_t library = intern(counted.library);
    const std::uint32_t caller = intern(counted.caller);
    evt_row row = evt_begin_at(stream_of(counted.thread), type_, ticks());
    if (row.p == nullptr) return;
    evt_u32(&row, function);
    evt_u32(&row, library);
    evt_u32(&row, caller);
    for (const std::uint64_t number :
         {counted.calls, counted.returned, counted.total_ns, counted.shortest_ns, counted.longest_ns}) {
      evt_u64(&row, number);
    }
    for (const std::vector<std::uint64_t>* const numbers : {&counted.lengths_ns, &counted.times}) {
      evt_array(&row, numbers->data(), static_cast<std::uint16_t>(numbers->size()), sizeof(std::uint64_t));
    }
    evt_u64(&row, counted.timed);
    evt_commit(&row);
  }

  // Emits the same event as the preload library, which records it if calls are traced.
  void emit_restriction() {
    const evt_type* const mark =
        record::declare(writer_, RUN_RESTRICTED,
                        "the program restricts its system calls: it is not counted from here on", EVT_ROLE_MARK, {});
    evt_row row = evt_begin_at(stream_of(0), mark, counts_.restricted_ticks);
    if (row.p != nullptr) evt_commit(&row);
  }

  // When the process was last seen: counts cover the time until then.
  std::uint64_t ticks() const { return counts_.last_ticks != 0 ? counts_.last_ticks : evt_writer_now(writer_); }

  const CountsFile& counts_;
  evt_writer* writer_;
  const evt_type* type_ = nullptr;
  std::map<std::uint32_t, evt_stream*> streams_;
};

}  // namespace

Result<std::shared_ptr<Trace>> trace_of_counts(const CountsFile& counts) {
  const auto made = std::make_shared<TraceInMemory>();
  evt_session_info info = {};
  info.program = counts.program.c_str();
  info.pid = counts.process;
  evt_options options = {};
  options.session = &info;
  options.flush_inline = 1;
  options.on_notice = [](void*, const evt_notice*) {};
  evt_error error;
  evt_writer* const writer = evt_open_sink(append, &made->bytes, &options, &error);
  if (writer != nullptr) {
    CountsWriter(counts, writer).write();
    evt_close(writer, &error);
  }
  if (error.code != EVT_OK) return Status(static_cast<Code>(error.code), error.message);
  auto opened = Trace::from_memory(made->bytes);
  if (!opened) return opened.status();
  made->trace = *std::move(opened);
  return std::shared_ptr<Trace>(made, &*made->trace);
}

}  // namespace evt::record
