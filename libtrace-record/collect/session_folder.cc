#include "session_folder.h"

#include <evt/emit.h>
#include <evt/evt_copy.h>
#include <evt/saturating_add.h>
#include <evt/trace.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "counts_file.h"
#include "libtrace-record/preload/own_reads.h"
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

// Errors: those of Trace::from_memory().
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

namespace fs = std::filesystem;

bool is_of_counts(const fs::path& path) { return path.extension() == ".calls"; }

// A compressed one has a second suffix.
bool is_trace(const fs::path& path) {
  constexpr std::string_view kCompressed[] = {".gz", ".zst", ".xz"};
  const std::string suffix = path.extension().string();
  const bool is_compressed = std::ranges::find(kCompressed, suffix) != std::end(kCompressed);
  return (is_compressed ? path.stem().extension().string() : suffix) == ".evt";
}

std::vector<std::string> traces_in(const std::string& folder, std::error_code* error) {
  std::vector<std::string> files;
  for (fs::directory_iterator at(folder, *error), end; !*error && at != end; at.increment(*error)) {
    if (is_trace(at->path()) || is_of_counts(at->path())) files.push_back(at->path().string());
  }
  return files;
}

// PID.evt, or PID.000001.evt and others: what a process recorded is in the files that have its number.
std::string process_of(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return name.substr(0, name.find('.'));
}

// What a process recorded, as it was when it was looked at.
struct Input {
  std::vector<std::string> paths;
  std::string name;
  std::int64_t start_ns = 0;
  bool is_of_run = false;
  std::shared_ptr<Trace> kept;  // for what cannot be read twice
};

class FolderMerge {
 public:
  // Empty files in which processes state facts that are true for all of them.
  void look_for_notes(const std::string& folder) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      const std::string name = at->path().filename().string();
      if (name.starts_with("glob.") || name.starts_with("unhooked.")) found_.notes.insert(name);
    }
  }
  Status look_at(const std::vector<std::string>& files) {
    std::map<std::string, std::vector<std::string>> traces;
    for (const std::string& path : files) {
      if (is_of_counts(path)) {
        look_at_counts(path);
      } else {
        traces[process_of(path)].push_back(path);
      }
    }
    for (auto& [process, paths] : traces) {
      std::sort(paths.begin(), paths.end());
      look_at_process(paths);
    }
    if (inputs_.empty()) {
      const std::string why = found_.problems.empty() ? "" : ": " + found_.problems.front();
      return {Code::kNotATrace, "no trace can be read" + why};
    }
    std::ranges::sort(inputs_, [](const Input& a, const Input& b) {
      return std::tuple(a.is_of_run, a.start_ns, a.paths) < std::tuple(b.is_of_run, b.start_ns, b.paths);
    });
    return {};
  }

  Result<MergedFolder> run(const TakeBytes& take,
                           const std::function<void(std::uint64_t done, std::uint64_t total)>& progress) {
    MergeOptions wanted;
    for (const Input& input : inputs_) wanted.inputs.push_back({input.name, 0});
    wanted.writer = "evt run";
    wanted.progress = progress;
    wanted.open = [this](std::size_t input) { return open(inputs_[input]); };
    wanted.done = [this](std::size_t input, Trace& trace) {
      const Status status = trace.status();
      if (!status.ok()) found_.problems.push_back(fmt::format("{}: {}", inputs_[input].paths[0], status.message()));
    };
    const auto merged = merge(wanted, take);
    if (!merged) return merged.status();
    return std::move(found_);
  }

 private:
  static Result<std::shared_ptr<Trace>> open(const Input& input) {
    if (input.kept != nullptr) return input.kept;
    auto opened = Trace::open(input.paths);
    if (!opened) return opened.status();
    return std::make_shared<Trace>(*std::move(opened));
  }

  void look_at_counts(const std::string& path) {
    auto counts = read_counts(path);
    auto made = counts ? trace_of_counts(*counts) : Result<std::shared_ptr<Trace>>(counts.status());
    if (!made) {
      // A process that was killed while it began has no trace yet.
      if (made.status().code() != Code::kNotATrace) found_.problems.push_back(made.status().message());
      if (made.status().code() == Code::kNotATrace) found_.files.push_back(path);
      return;
    }
    Input input;
    input.paths = {path};
    input.name = fmt::format("{}.{}", counts->program, counts->process);
    input.start_ns = (*made)->sessions().front().start_ns;
    input.kept = *std::move(made);
    found_.files.push_back(path);
    if (counts->is_short) found_.problems.push_back(path + ": there was no room for all calls that were counted");
    found_.begins[counts->process].push_back(counts->start_ns);
    inputs_.push_back(std::move(input));
  }

  void note_process(const Session& session) {
    const auto has_number = [](const StreamInfo& stream) { return stream.thread != 0; };
    // One that was killed while it began has no stream.
    if (session.streams.empty() || std::ranges::any_of(session.streams, has_number)) {
      found_.begins[session.pid].push_back(session.start_ns);
    } else {
      ++found_.in_other_spaces;
    }
  }

  void note_own_reads(const Session& session) {
    for (const Fact& fact : session.facts) {
      std::uint64_t bytes = 0;
      if (fact.scope != EVT_FACT_SCOPE_SESSION || fact.key != RUN_OWN_READS) continue;
      std::from_chars(fact.value.data(), fact.value.data() + fact.value.size(), bytes);
      saturating_add(&found_.own_reads, bytes);
    }
  }

  void look_at_process(const std::vector<std::string>& paths) {
    auto opened = Trace::open(paths);
    if (!opened || opened->sessions().empty()) {
      // A program that was killed while it began has no session yet, and perhaps an empty file.
      std::error_code none;
      const bool has_begun = opened.status().code() != Code::kNotATrace || fs::file_size(paths[0], none) > 0;
      if (!opened && has_begun) found_.problems.push_back(opened.status().message());
      return;
    }
    // A process has several: one for each program that it executed.
    const Session& session = opened->sessions().back();
    Input input;
    input.paths = paths;
    input.is_of_run = process_of(paths[0]) == kRunSession;
    input.name = input.is_of_run ? "evt run" : fmt::format("{}.{}", session.program, session.pid);
    input.start_ns = opened->sessions().front().start_ns;
    for (const std::string& ring : opened->recovery().rings) found_.rings.push_back(ring);
    found_.files.insert(found_.files.end(), paths.begin(), paths.end());
    if (session.ring == RingState::kLive) found_.living.push_back(paths.back());
    for (const Session& each : opened->sessions()) saturating_add(&found_.not_kept, each.not_kept);
    if (!input.is_of_run) {
      for (const Session& each : opened->sessions()) {
        note_process(each);
        note_own_reads(each);
      }
      found_.bytes += opened->recovery().rings.empty() ? opened->size() : opened->recovery().file_size;
    }
    // The rings of ended programs do not change until they are removed.
    if (session.ring == RingState::kLive) input.kept = std::make_shared<Trace>(*std::move(opened));
    inputs_.push_back(std::move(input));
  }

  std::vector<Input> inputs_;
  MergedFolder found_;
};

}  // namespace

Result<MergedFolder> merge_folder(const std::string& folder, const TakeBytes& take,
                                  const std::function<void(std::uint64_t done, std::uint64_t total)>& progress) {
  std::error_code error;
  const std::vector<std::string> files = traces_in(folder, &error);
  if (error) return Status(Code::kIo, fmt::format("{}: {}", folder, error.message()));
  FolderMerge merge;
  merge.look_for_notes(folder);
  const Status status = merge.look_at(files);
  if (!status.ok()) return Status(status.code(), fmt::format("{}: {}", folder, status.message()));
  return merge.run(take, progress);
}

bool remove_folder(const std::string& folder, const MergedFolder& merged) {
  for (const std::string& note : merged.notes) unlink((fs::path(folder) / note).c_str());
  for (const std::string& file : merged.files) unlink(file.c_str());
  for (const std::string& ring : merged.rings) unlink(ring.c_str());
  return rmdir(folder.c_str()) == 0;
}

bool is_session_folder(const std::string& path) {
  std::error_code error;
  return !traces_in(path, &error).empty();
}

}  // namespace evt::record
