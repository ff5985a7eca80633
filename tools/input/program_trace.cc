#include "input/program_trace.h"

#include <errno.h>
#include <evt/describe.h>
#include <evt/segments.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string_view>
#include <thread>

#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

constexpr std::string_view kProcess = "pid:";
constexpr std::size_t kSessionDigits = 16;
constexpr int kMaxLooks = 50;
constexpr std::chrono::milliseconds kBeforeNextLook(2);

bool has_only(std::string_view text, std::string_view digits) {
  return text.find_first_not_of(digits) == std::string_view::npos;
}

bool is_process(std::string_view text) {
  return text.starts_with(kProcess) && text.size() > kProcess.size() && text.size() < kProcess.size() + 20 &&
         has_only(text.substr(kProcess.size()), "0123456789");
}

bool is_session(std::string_view text) { return text.size() == kSessionDigits && has_only(text, "0123456789abcdef"); }

bool is_meant(const RingInfo& ring, const std::string& name) {
  if (!ring.problem.empty()) return false;
  if (is_process(name)) return ring.pid != 0 && fmt::format("{}{}", kProcess, ring.pid) == name;
  return fmt::format("{:016x}", ring.session_id) == name;
}

// Whose it is: process 1234 (app), or session 0123456789abcdef.
std::string owner_of(const RingInfo& ring) {
  if (ring.pid == 0) return fmt::format("session {:016x}", ring.session_id);
  return fmt::format("process {}{}", ring.pid, ring.program.empty() ? "" : " (" + shown(ring.program) + ")");
}

// Why its file cannot be read; empty: it is there.
std::string problem_of(const RingInfo& ring) {
  const std::string owner = owner_of(ring);
  switch (ring.trace_state) {
    case RingTrace::kThere:
      return "";
    case RingTrace::kNone:
      return owner + " does not write to a regular file";
    case RingTrace::kGone:
      return fmt::format("{} writes to {}, which was moved or deleted: name the file where it is now", owner,
                         shown(ring.trace));
    case RingTrace::kUnknown:
      break;
  }
  if (ring.trace.empty()) return owner + " writes to a file whose path is not known: name the file";
  return fmt::format("{} wrote to {}, where another file is now: name the file where it is now", owner,
                     shown(ring.trace));
}

// About several sessions of one process, of which the first is read.
std::string note_about(const std::vector<RingInfo>& found) {
  std::string note;
  for (const RingInfo& ring : found) {
    if (ring.living != found.front().living || ring.pid != found.front().pid) continue;
    note += fmt::format("{}{:016x} ({})", note.empty() ? "" : ", ", ring.session_id, shown(ring.trace));
  }
  const bool is_one = note.find(',') == note.npos;
  return is_one ? "" : fmt::format("{} has several sessions: {}; this is the first", owner_of(found.front()), note);
}

}  // namespace

bool ProgramTrace::is_name(const std::string& text) {
  struct stat facts;
  return (is_process(text) || is_session(text)) && lstat(text.c_str(), &facts) != 0;
}

std::optional<int> ProgramTrace::living(const std::string& text) {
  int process = 0;
  const char* const end = text.data() + text.size();
  if (!is_process(text) || !is_name(text)) return std::nullopt;
  const auto [read, error] = std::from_chars(text.data() + kProcess.size(), end, process);
  const bool runs = error == std::errc() && read == end && (kill(process, 0) == 0 || errno == EPERM);
  return process > 0 && runs ? std::optional(process) : std::nullopt;
}

namespace {

// Not empty; that which counts is the first.
Result<std::vector<RingInfo>> rings_of(const std::string& name) {
  std::vector<RingInfo> found = list_rings();
  std::erase_if(found, [&](const RingInfo& ring) { return !is_meant(ring, name); });
  if (found.empty()) {
    return Status(Code::kIo, is_process(name) ? fmt::format("no process {} records a trace here, or left one that is "
                                                            "not complete; evt list shows those that do",
                                                            name.substr(kProcess.size()))
                                              : fmt::format("no program here has a session {} that is not closed; evt "
                                                            "list shows those there are",
                                                            name));
  }
  std::ranges::stable_sort(found, [](const RingInfo& a, const RingInfo& b) {
    return std::pair(!a.living, -a.start_utc_ns) < std::pair(!b.living, -b.start_utc_ns);
  });
  return found;
}

}  // namespace

Result<RingInfo> ProgramTrace::ring_of(const std::string& name) {
  auto found = rings_of(name);
  return found ? Result<RingInfo>((*found).front()) : found.status();
}

Result<ProgramTrace> ProgramTrace::find(const std::string& name) {
  const auto found = rings_of(name);
  if (!found) return found.status();
  const RingInfo& ring = (*found).front();
  if (const std::string problem = problem_of(ring); !problem.empty()) {
    return Status(Code::kIo, problem);
  }
  return ProgramTrace(ring.trace, ring.session_id, note_about(*found));
}

// Its last file is not the last any more, though its writer lives, or was killed as it changed files.
bool ProgramTrace::goes_on(const Trace& trace) const {
  return std::ranges::any_of(trace.sessions(), [&](const Session& session) {
    return session.goes_on && evt_session_id(session.uuid.data()) == session_id_;
  });
}

std::vector<std::string> ProgramTrace::files() const {
  std::vector<std::string> files = segments_beside(path_, session_id_);
  if (files.empty()) files.push_back(path_);
  return files;
}

// Files that are deleted before they are opened are the oldest.
Result<Trace> ProgramTrace::open_files(const ReadOptions& options) const {
  std::vector<std::string> paths = files();
  auto trace = Trace::open(paths, options);
  while (!trace && trace.status().code() == Code::kIo && paths.size() > 1) {
    paths.erase(paths.begin());
    trace = Trace::open(paths, options);
  }
  return trace;
}

Result<Trace> ProgramTrace::open(const ReadOptions& options) const {
  for (int looks = 1;; ++looks) {
    auto trace = open_files(options);
    const bool has_changed = trace ? goes_on(*trace) : trace.status().code() == Code::kIo;
    if (!has_changed || looks == kMaxLooks) return trace;
    std::this_thread::sleep_for(kBeforeNextLook);
  }
}

}  // namespace evt::tools
