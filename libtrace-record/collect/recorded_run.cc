#include "recorded_run.h"

#include <errno.h>
#include <evt/evt.h>
#include <fmt/core.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "libtrace-record/preload/variables.h"
#include "program_file.h"

namespace evt::record {
namespace {

// The library that is loaded into recorded programs.
struct PreloadLibrary {
  std::string path;      // empty: no such library can be loaded
  std::string obstacle;  // why not: a sentence
};

// The full path of a file that is installed with this program: in the same folder, as after a build, or in `folder`,
// relative to it. Empty if there is none that this process may access in this way (R_OK, X_OK).
std::string installed_file(const std::string& folder, const std::string& name, int access_mode) {
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& path : {own / name, own / folder / name}) {
    if (error || access(path.c_str(), access_mode) != 0) continue;
    return std::filesystem::weakly_canonical(path, error).string();
  }
  return "";
}

// Next to this program, or in its place in an installation. `has_memory`: the one that sees allocations, too.
PreloadLibrary find_preload_library(bool has_memory) {
  const std::string name = has_memory ? "libevtrace-preload-memory.so" : "libevtrace-preload.so";
  const std::string path = installed_file(EVT_PRELOAD_FOLDER, name, R_OK);
  if (path.empty()) return {"", name + " is not installed with this evt: calls cannot be recorded"};
  // Names in LD_PRELOAD end at these.
  if (path.find_first_of(": ") == path.npos) return {path, ""};
  return {"", path + ": a path with a space or colon cannot be preloaded: calls cannot be recorded"};
}

constexpr int kIdleMs = 20;  // a ring of the kernel's has room for ten thousand switches

constexpr std::uint64_t kLongWaitNs = 100'000;  // a call that takes longer leaves its stack

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

// The library is of use for calls, and for samples that the program takes of itself.
Status RecordedRun::find_library() {
  const bool wants_calls = records_calls();
  if (!wants_calls && wanted_.samples_hz == 0) return {};
  const PreloadLibrary library = find_preload_library(wanted_.groups.find("memory") != std::string::npos);
  preload_ = library.path;
  if (preload_.empty() && wanted_.must_record_calls) return {Code::kIo, library.obstacle};
  const ProgramFile program = look_at_program(wanted_.words[0]);
  if (wants_calls) obstacle_ = preload_.empty() ? library.obstacle : program.obstacle();
  samples_obstacle_ =
      preload_.empty() ? "libevtrace-preload.so is not installed with this evt" : program.samples_obstacle();
  samples_path_ = samples_.spool_path();
  // Measured once, for the sessions of this process and of all others.
  if (!preload_.empty()) setenv(RUN_RATE_VARIABLE, fmt::format("{}", evt_counter_hz()).c_str(), 0);
  return {};
}

Status RecordedRun::start() {
  if (const Status found = find_library(); !found.ok()) return found;
  // The folder's name has the number of the process, which therefore waits.
  if (const Status started = child_.start(wanted_.words, [this](char given) { set_environment(given); }); !started.ok())
    return started;
  // A limit on the size of files is an error here. The program, which waits, has the signal as it was.
  signal(SIGXFSZ, SIG_IGN);
  pid_ = child_.pid();
  output_ = !wanted_.output.empty() ? wanted_.output : fmt::format("{}.{}.evt", base_name(wanted_.words[0]), pid_);
  if (const Status made = make_folder(); !made.ok()) return made;
  char escaped[2 * PATH_MAX];
  run_escape_folder(folder_.c_str(), escaped, sizeof escaped);
  const std::string path = fmt::format("{}/{}{}.evt", escaped, kRunSession, wanted_.budget.is_bounded() ? ".%n" : "");
  const Status opened = sched_.open(path, wanted_.budget, pid_, wanted_.has_scheduling);
  if (opened.ok()) stop_stream_.open(sched_.writer(), pid_);
  char given = sched_.has_scheduling() ? kSwitches : 0;
  if (opened.ok()) open_samples(&given);
  const Status going = opened.ok() ? child_.go(given) : opened;
  if (going.ok()) {
    if (wanted_.samples_hz == 0) return {};
    if (const Status started = samples_.start(sched_.writer()); !started.ok()) samples_refusal_ = started.message();
    return {};
  }
  not_executed_ = child_.error_number();
  if (const Status closed = sched_.close(); !closed.ok()) return closed;
  std::error_code none;
  std::filesystem::remove_all(folder_, none);  // the program did not begin: only what is recorded here is in it
  return going;
}

// What the system refuses is no error of the run.
void RecordedRun::open_samples(char* given) {
  if (wanted_.samples_hz == 0) return;
  // Only this machine's files have names for code.
  unsetenv("DEBUGINFOD_URLS");
  const Status opened =
      wanted_.samples_by == SamplesBy::kSignal ? Status(Code::kInvalid, "") : samples_.open(pid_, wanted_.samples_hz);
  samples_refusal_ = opened.message();
  if (!samples_obstacle_.empty()) {
    if (opened.ok() || wanted_.samples_by == SamplesBy::kPerf) return;
    samples_refusal_ =
        samples_refusal_.empty()
            ? fmt::format("a signal cannot sample running code because {}", samples_obstacle_)
            : fmt::format("{}, and a signal cannot take them because {}", samples_refusal_, samples_obstacle_);
    return;
  }
  // Where the kernel takes the samples, it tells which code is where as well.
  const bool by_signal = !opened.ok() && wanted_.samples_by != SamplesBy::kPerf;
  const bool has_waits = !wanted_.groups.empty();
  if (!by_signal && !has_waits) return;
  const Status spool =
      samples_.open_spool({by_signal ? wanted_.samples_hz : 0, has_waits ? kLongWaitNs : 0, !opened.ok()});
  if (by_signal) samples_refusal_ = spool.message();
  if (spool.ok()) *given = static_cast<char>(*given | kOwnSamples);
}

Status RecordedRun::close() {
  samples_.close();
  evt_fact(sched_.writer(), EVT_FACT_SCOPE_SESSION, 0, EVT_FACT_EXIT, end_.exit().c_str(), nullptr);
  return sched_.close();
}

Status RecordedRun::make_folder() {
  std::error_code error;
  const std::string output = std::filesystem::absolute(output_, error).string();
  folder_ = fmt::format("{}.{}.sessions", output, pid_);
  // The child knows the name by its own number.
  if (!error && mkdir(folder_.c_str(), 0700) == 0) return {};
  return {Code::kIo, fmt::format("{}: {}", folder_, error ? error.message() : strerror(errno))};
}

// In the child, before the program.
void RecordedRun::set_environment(char given) const {
  if (preload_.empty() || (!records_calls() && (given & kOwnSamples) == 0)) return;
  std::error_code error;
  const std::string output =
      !wanted_.output.empty() ? wanted_.output : fmt::format("{}.{}.evt", base_name(wanted_.words[0]), getpid());
  const std::string folder = fmt::format("{}.{}.sessions", std::filesystem::absolute(output, error).string(), getpid());
  const char* const before = getenv("LD_PRELOAD");
  if (before != nullptr) setenv(RUN_BEFORE_VARIABLE, before, 1);
  const bool has_before = before != nullptr && *before != '\0';
  setenv("LD_PRELOAD", (has_before ? preload_ + ":" + before : preload_).c_str(), 1);
  const char* const asan = getenv("ASAN_OPTIONS");
  setenv("ASAN_OPTIONS", ((asan != nullptr ? std::string(asan) + ":" : "") + RUN_SANITIZER_OPTION).c_str(), 1);
  setenv(RUN_FOLDER_VARIABLE, folder.c_str(), 1);
  setenv(RUN_CALLS_VARIABLE, wanted_.groups.c_str(), 1);
  if (!wanted_.hooks.empty()) {
    setenv(RUN_HOOKS_VARIABLE, wanted_.hooks.c_str(), 1);
    setenv(RUN_GLOBS_VARIABLE, wanted_.globs.c_str(), 1);
    // Slots have the functions themselves before they are hooked.
    if (getenv("LD_BIND_NOW") == nullptr) setenv(RUN_NOW_VARIABLE, "1", 1);
    setenv("LD_BIND_NOW", "1", 1);
  }
  if ((given & kOwnSamples) != 0) setenv(RUN_SAMPLES_VARIABLE, samples_path_.c_str(), 1);
  if ((given & kSwitches) != 0) setenv(RUN_SCHED_VARIABLE, "1", 1);
  const SessionBudget& budget = wanted_.budget;
  if (budget.is_bounded()) {
    const std::string bounds = fmt::format("{},{},{},{},{},{}", budget.rotate_bytes, budget.rotate_ns,
                                           budget.keep_bytes, budget.keep_ns, budget.flight_bytes, budget.flight_ns);
    setenv(RUN_BUDGET_VARIABLE, bounds.c_str(), 1);
  }
  char space[32];
  run_process_space(space, sizeof space);
  setenv(RUN_SPACE_VARIABLE, space, 1);
  setenv(RUN_STOPS_VARIABLE, std::to_string(getpid()).c_str(), 1);
  if (!wanted_.follows_children) setenv(RUN_ALONE_VARIABLE, "1", 1);
}

void RecordedRun::wait(const std::function<void()>& look) {
  const auto record_stop = [this](ChildStop stop) {
    if (stop.has_edges) sched_.narrow_stop(&stop.began_ns, &stop.ended_ns);
    stops_.add(stop.began_ns, stop.ended_ns);
    stop_stream_.record(stop);
  };
  SharedBudget budget(folder_, wanted_.budget.bytes());
  const auto idle = [&] {
    sched_.drain(child_.is_stopped());
    budget.enforce_at_times();
    look();
  };
  end_ = child_.wait(idle, kIdleMs, record_stop);
  budget.enforce();
  processes_not_kept_ = budget.processes_not_kept();
}

}  // namespace evt::record
