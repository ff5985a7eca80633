#include <errno.h>
#include <evt/export/ctf_trace.h>
#include <evt/status.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/output.h"
#include "base/output_mode.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "cmd/convert_outputs.h"

namespace evt::tools {
namespace {

namespace fs = std::filesystem;

volatile sig_atomic_t signalled = 0;

void note_signal(int signal) {
  signalled = signal;
  ::signal(signal, SIG_DFL);  // the second one ends the program at once
}

void watch_signals() {
  for (const int signal : kEndingSignals) {
    struct sigaction before = {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::signal(signal, note_signal);
  }
}

Status cannot_make(const std::string& path, const std::string& why) {
  return {Code::kIo, "cannot write " + path + ": " + why};
}

bool give_mode(const fs::path& path, const OutputMode& mode) {
  struct stat facts;
  if (lstat(path.c_str(), &facts) != 0) return false;
  return chmod(path.c_str(), S_ISDIR(facts.st_mode) ? mode.of_folder(facts.st_gid) : mode.of_file(facts.st_gid)) == 0;
}

bool is_own_metadata(const fs::path& file) {
  std::string front(4096, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(front.data(), static_cast<std::streamsize>(front.size()));
  front.resize(static_cast<std::size_t>(in.gcount()));
  return front.starts_with("/* CTF 1.8 */") && front.find("tracer_name = \"evtrace\";") != front.npos;
}

// Of what is in a folder the first thing that is not of a CTF trace that this program made; empty if all is.
std::string foreign_file(const fs::path& folder) {
  std::error_code error;
  bool is_empty = true;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    const bool is_folder = at->is_directory(error) && !at->is_symlink(error);
    const bool is_own = is_folder ? name.starts_with("session_") && foreign_file(at->path()).empty()
                                  : (name == "metadata" && is_own_metadata(at->path())) ||
                                        name.starts_with("stream_") || name.starts_with("cpu_");
    if (!is_own) return name;
    is_empty = false;
  }
  if (error) return error.message();
  const bool has_metadata = fs::exists(folder / "metadata", error) || fs::exists(folder / "session_0", error);
  return is_empty || has_metadata ? "" : "no metadata";
}

// A folder that appears under its name when it is complete: of a CTF trace. Written beside its place, gone if it is
// never complete. A signal that would end the program is one more reason why it cannot be written; it ends the program
// when the files are gone. One at a time in a program.
class FolderOutput : public CtfFiles {
 public:
  // What is there already is replaced if it is a CTF trace that this made, or empty.
  // Errors: kIo.
  static Result<FolderOutput> open(const std::string& path, const OutputMode& mode) {
    std::string target = path;
    while (target.size() > 1 && target.back() == '/') target.pop_back();
    struct stat existing;
    const bool exists = lstat(target.c_str(), &existing) == 0;
    if (!exists && errno != ENOENT) return cannot_make(path, strerror(errno));
    if (exists && !S_ISDIR(existing.st_mode)) return cannot_make(path, "it exists and is not a folder");
    if (exists) {
      if (const std::string foreign = foreign_file(target); !foreign.empty()) {
        return cannot_make(path, fmt::format("it is a folder, but not a CTF trace written by evt ({})", foreign));
      }
    }
    FolderOutput output(target, mode);
    std::string temporary = target + ".XXXXXX";
    // From before the folder is there, which a signal would leave otherwise.
    signalled = 0;
    watch_signals();
    if (mkdtemp(temporary.data()) == nullptr) return cannot_write(target, errno);
    output.temporary_ = temporary;
    return output;
  }

  FolderOutput(FolderOutput&& other) noexcept
      : path_(std::move(other.path_)),
        mode_(std::move(other.mode_)),
        temporary_(std::exchange(other.temporary_, "")),
        status_(std::move(other.status_)) {}
  FolderOutput& operator=(FolderOutput&&) = delete;
  ~FolderOutput() override {
    if (temporary_.empty()) return;
    std::error_code error;
    fs::remove_all(temporary_, error);
    if (signalled != 0) raise(signalled);
  }

  bool append(const std::string& path, std::string_view bytes) override {
    if (!status_.ok()) return false;
    const fs::path file = fs::path(temporary_) / path;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int failed = descriptor < 0 ? errno : write_all(descriptor, bytes.data(), bytes.size());
    if (descriptor >= 0 && ::close(descriptor) != 0 && failed == 0) failed = errno;
    if (failed != 0) status_ = cannot_make(path_ + "/" + path, strerror(failed));
    if (signalled != 0) status_ = cannot_make(path_, "interrupted");
    return status_.ok();
  }

  const Status& status() const { return status_; }
  // Gives it its name.
  Status complete() {
    if (!status_.ok()) return status_;
    // No other user could read it while it was written.
    std::error_code error;
    for (fs::recursive_directory_iterator at(temporary_, error), end; !error && at != end; at.increment(error)) {
      if (!give_mode(at->path(), mode_)) return cannot_make(path_, strerror(errno));
    }
    if (error) return cannot_make(path_, error.message());
    if (!give_mode(temporary_, mode_)) return cannot_make(path_, strerror(errno));
    if (rename(temporary_.c_str(), path_.c_str()) == 0) {
      temporary_.clear();
      return {};
    }
    // It replaces another, which has its name then and goes with it.
    if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) != 0) {
      return cannot_make(path_, strerror(errno));
    }
    return {};
  }

 private:
  FolderOutput(std::string path, const OutputMode& mode) : path_(std::move(path)), mode_(mode) {}

  std::string path_;
  OutputMode mode_;
  std::string temporary_;  // empty: there is none any more
  Status status_;
};

// What differs, as sentences. Losses are handed over whatever is chosen.
std::vector<std::string> write_events(Trace& trace, const Selection& selection, Report& report, FolderOutput& folder) {
  EventOptions wanted;
  wanted.markers = true;
  selection.narrow(&wanted);
  CtfTrace ctf(trace, folder);
  Events events = trace.events(wanted);
  Progress progress;
  std::uint64_t all = 0;
  for (const Session& session : trace.sessions()) all += session.rows;
  std::uint64_t count = 0;
  bool goes_on = true;
  while (goes_on) {
    const Event* const event = events.next();
    if (event == nullptr) break;
    if (++count % 65536 == 0) progress.show(count, all);
    if (!event->is_lost() && !selection.wants(*event)) continue;
    report.count_unknown_times(*event);
    goes_on = ctf.take(*event);
  }
  if (goes_on) ctf.end();
  return ctf.left_out();
}

}  // namespace

int convert_to_ctf(Trace& trace, const ConvertArguments& options, Report& report, const std::string& name) {
  auto folder = FolderOutput::open(options.output, OutputMode::of(options.inputs));
  if (!folder) return report.no_answer(folder.status());
  std::vector<std::string> differences;
  if (options.kernel_names) {
    const auto file = ctf_kernel_trace(*folder);
    TextBuffer nothing;
    const Status read = write_timeline(trace, *file, options.selection, nothing, [&] { return folder->status().ok(); });
    if (read.code() == Code::kIo) return report.no_answer(read);
    differences = file->left_out();
  } else {
    differences = write_events(trace, options.selection, report, *folder);
  }
  if (const Status completed = folder->complete(); !completed.ok()) return report.no_answer(completed);
  for (const std::string& sentence : differences) report.say(sentence);
  report.say_left_out(name, trace, false);
  return report.finish(name, trace);
}

}  // namespace evt::tools
