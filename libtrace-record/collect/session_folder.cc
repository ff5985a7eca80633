#include "session_folder.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "counts_trace.h"
#include "libtrace-record/preload/own_reads.h"

namespace evt::record {
namespace {

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
