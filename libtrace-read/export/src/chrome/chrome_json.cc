#include <evt/export/timeline_export.h>

#include <map>
#include <set>

#include "libtrace-read/export/src/picture/picture_format.h"
#include "libtrace-read/export/src/picture/timeline_picture.h"
#include "libtrace-read/text/counted_sentence.h"
#include "libtrace-read/text/format_number.h"
#include "libtrace-read/text/plain_value.h"
#include "libtrace-read/text/text_syntax.h"

namespace evt {
namespace {

constexpr std::int64_t kCpus = 1 << 25;  // a pseudo-process that has a thread for each cpu

// Microseconds; a double represents them exactly for some months.
void append_time(TextBuffer& out, std::int64_t ns) {
  std::uint64_t size = static_cast<std::uint64_t>(ns);
  if (ns < 0) {
    out += '-';
    size = 0 - size;
  }
  append_number(out, size / 1000);
  const auto rest = static_cast<unsigned>(size % 1000);
  out += '.';
  out += static_cast<char>('0' + rest / 100);
  out += static_cast<char>('0' + rest / 10 % 10);
  out += static_cast<char>('0' + rest % 10);
}

// Returns false if there are none.
bool append_fields(TextBuffer& out, const Event& event, TextBuffer& made) {
  FieldWalker walker = event.values();
  bool is_first = true;
  while (const std::optional<Value> value = walker.next()) {
    if (is_drawn(value->field())) continue;
    out += is_first ? std::string_view(",\"args\":{") : std::string_view(",");
    is_first = false;
    append_json_text(out, value->field().name);
    out += ':';
    append_json_value(out, event, *value, made);
  }
  return !is_first;
}

// Chrome's Trace Event Format, JSON object format ("Trace Event Format", a document of the Chromium project): one event
// per line, times in microseconds with three decimals.
class ChromeJson : public PictureFormat {
 public:
  // Our extensions tell the importer the kinds of slices, and that time 0 is when the session began.
  void begin(TextBuffer& out, std::int64_t start_utc_ns) override {
    out += "{\"displayTimeUnit\":\"ns\",\"evtraceStartUtcNs\":";
    append_number(out, start_utc_ns);
    out += ",\"traceEvents\":[\n";
  }

  void end(TextBuffer& out) override { out += "\n]}\n"; }

  void name_process(TextBuffer& out, std::int64_t process, std::string_view name) override {
    this->name(out, process, std::nullopt, name);
  }

  void name_track(TextBuffer& out, PictureTrack track, std::string_view name, bool) override {
    this->name(out, track.process, track.thread, name);
  }

  void begin_slice(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice) override {
    begin_event(out, 'B', ns, track);
    append_slice(out, slice, true);
  }

  void end_slice(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice) override {
    // speedscope ends a slice by its name.
    begin_event(out, 'E', ns, track);
    append_slice(out, slice, false);
  }

  void begin_async(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint64_t id,
                   const PictureSlice& slice) override {
    async(out, 'b', ns, track, id, slice);
  }

  void end_async(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint64_t id,
                 const PictureSlice& slice) override {
    async(out, 'e', ns, track, id, slice);
  }

  void instant(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice,
               const std::optional<PictureFlow>& flow) override {
    begin_event(out, 'i', ns, track);
    out += ",\"s\":\"t\"";
    append_slice(out, slice, true);
    if (!flow) return;
    begin_event(out, flow->leaves ? 's' : 'f', ns, track);
    append_id(out, flow->id);
    out += ",\"bp\":\"e\",\"name\":\"flow\",\"cat\":\"flow\"}";
  }

  void counter(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint32_t number,
               const Counters::Counter& counter) override {
    begin_event(out, 'C', ns, track);
    out += ",\"id\":";
    append_number(out, std::uint64_t{number});
    out += ",\"name\":";
    append_json_text(out, counter.name);
    out += ",\"args\":{";
    append_json_text(out, counter.unit.empty() ? std::string_view("value") : std::string_view(counter.unit));
    out += ':';
    append_float(out, counter.value);
    out += "}}";
  }

  // When the file is read again, each counter has the stream that it was on.
  bool counters_have_threads() const override { return true; }

  void state(TextBuffer& out, std::int64_t ns, PictureTrack track, std::string_view name, ThreadState state,
             std::int64_t cpu) override {
    const auto running = running_.find(track);
    if (running != running_.end()) {
      stop_running(out, ns, running->second);
      running_.erase(running);
    }
    if (state == ThreadState::kRunning) running_[track] = {ns, cpu, std::string(name)};
    const bool is_other =
        state == ThreadState::kRunnable || state == ThreadState::kWaiting || state == ThreadState::kOutside;
    states_ += is_other ? 1 : 0;
  }

  void end_session(TextBuffer& out, std::int64_t ns) override {
    for (const auto& [track, running] : running_) stop_running(out, ns, running);
    running_.clear();
  }

  std::vector<std::string> left_out() const override {
    std::vector<std::string> sentences;
    add_counted(states_, " change of a thread to another state than running has no place in Chrome's format",
                " changes of threads to other states than running have no place in Chrome's format", &sentences);
    return sentences;
  }

 private:
  // A thread that runs on a cpu.
  struct Running {
    std::int64_t since_ns = 0;
    std::int64_t cpu = 0;
    std::string name;
  };

  void name(TextBuffer& out, std::int64_t process, std::optional<std::int64_t> thread, std::string_view name) {
    begin_object(out, 'M');
    out += ",\"pid\":";
    append_number(out, process);
    if (thread) {
      out += ",\"tid\":";
      append_number(out, *thread);
    }
    out += thread ? std::string_view(",\"name\":\"thread_name\"") : std::string_view(",\"name\":\"process_name\"");
    out += ",\"args\":{\"name\":";
    append_json_text(out, name);
    out += "}}";
  }

  void async(TextBuffer& out, char phase, std::int64_t ns, PictureTrack track, std::uint64_t id,
             const PictureSlice& slice) {
    begin_event(out, phase, ns, track);
    append_id(out, id);
    append_slice(out, slice, true);
  }

  void append_id(TextBuffer& out, std::uint64_t id) const {
    out += ",\"id\":\"";
    append_hex(out, &id, sizeof id);
    out += '"';
  }

  void begin_object(TextBuffer& out, char phase) {
    out += has_any_ ? std::string_view(",\n{\"ph\":\"") : std::string_view("{\"ph\":\"");
    has_any_ = true;
    out += phase;
    out += '"';
  }

  void begin_event(TextBuffer& out, char phase, std::int64_t ns, PictureTrack track) {
    begin_object(out, phase);
    out += ",\"ts\":";
    append_time(out, ns);
    out += ",\"pid\":";
    append_number(out, track.process);
    out += ",\"tid\":";
    append_number(out, track.thread);
  }

  // The rest of an event: its name, and its fields.
  void append_slice(TextBuffer& out, const PictureSlice& slice, bool has_category) {
    out += ",\"name\":";
    append_json_text(out, slice.name);
    if (has_category) {
      out += ",\"cat\":\"";
      out += slice.category;
      out += '"';
    }
    const bool has_fields = slice.event != nullptr && append_fields(out, *slice.event, made_);
    const bool has_flag = slice.is_open || slice.is_cut || slice.is_uncertain;
    if (has_flag) {
      out += has_fields ? std::string_view(",\"end\":\"") : std::string_view(",\"args\":{\"end\":\"");
      out += slice.is_open ? "open\"" : slice.is_cut ? "cut\"" : "uncertain\"";
    }
    out += has_fields || has_flag ? std::string_view("}}") : std::string_view("}");
  }

  void stop_running(TextBuffer& out, std::int64_t ns, const Running& running) {
    const PictureTrack cpu = {kCpus, running.cpu};
    if (named_cpus_.empty()) name_process(out, kCpus, "cpus");
    if (named_cpus_.insert(running.cpu).second) name_track(out, cpu, "cpu " + std::to_string(running.cpu), false);
    begin_event(out, 'X', running.since_ns, cpu);
    out += ",\"dur\":";
    append_time(out, ns - running.since_ns);
    PictureSlice slice;
    slice.name = running.name;
    slice.category = "running";
    append_slice(out, slice, true);
  }

  TextBuffer made_;
  bool has_any_ = false;
  std::map<PictureTrack, Running> running_;
  std::set<std::int64_t> named_cpus_;
  std::uint64_t states_ = 0;  // not drawn
};

}  // namespace

std::unique_ptr<TimelineExport> chrome_json() {
  return std::make_unique<TimelinePicture>(std::make_unique<ChromeJson>());
}

}  // namespace evt
