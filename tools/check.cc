#include "check.h"

#include <errno.h>
#include <evt/trace.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "output.h"
#include "report.h"
#include "text_syntax.h"
#include "trace_tables.h"

namespace evt::tools {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool recover = false;
};

const char* end_of(const Session& session) {
  if (session.closed) return "closed";
  switch (session.ring) {
    case RingState::kLive:
      return "its writer still runs";
    case RingState::kRecovered:
      return "its writer ended without closing it, nothing is lost";
    case RingState::kNone:
    case RingState::kPrivate:
    case RingState::kAway:
      break;
  }
  return "cut";
}

// The events of a session, by type; those whose numbers do not fit 16 bits together, as an index has them.
class EventCounts {
 public:
  void add(const Event& event) {
    const std::uint32_t number = event.type().number();
    ++all_;
    ++by_type_[number <= UINT16_MAX ? number : std::uint32_t{EVT_ROW_WIDE}];
  }
  std::uint64_t all() const { return all_; }
  // What the session's index says differently, in a sentence; empty when nothing.
  std::string differs_from(const Session& session) const {
    for (const TypeCount& type : session.counts) {
      const std::uint64_t count = by_type_[type.number];
      if (count == type.rows) continue;
      return fmt::format("the index says that there are {} events of type {}, there are {}", type.rows, type.number,
                         count);
    }
    return "";
  }

 private:
  std::uint64_t all_ = 0;
  std::vector<std::uint64_t> by_type_ = std::vector<std::uint64_t>(UINT16_MAX + 1);
};

// Reads all of it, so that every checksum has been looked at, and believes no index.
int check(const std::string& file, Report& report, TextOutput& out) {
  const ReadOptions options{.use_index = false, .check_index = true};
  auto trace = file == "-" ? Trace::open(STDIN_FILENO, "standard input", options) : Trace::open(file, options);
  if (!trace) return report.no_answer(trace.status());
  std::map<const Session*, EventCounts> events_of;
  const Session* session_now = nullptr;
  EventCounts* counts = nullptr;
  EventOptions wanted;
  wanted.markers = true;
  Events events = trace->events(wanted);
  while (const Event* const event = events.next()) {
    if (event->is_lost()) report.count_lost(*event);
    if (event->is_lost() || event->is_jump()) continue;
    if (session_now != &event->session()) counts = &events_of[session_now = &event->session()];
    counts->add(*event);
  }
  const std::string name = file == "-" ? "standard input" : file;
  int status = kExitOk;
  for (const Session& session : trace->sessions()) {
    const std::uint64_t count = events_of[&session].all();
    out.text() += fmt::format("{}: session of {}, {} event{}, {} lost: {}\n", shown(name), shown(session.program),
                              count, count == 1 ? "" : "s", session.lost, end_of(session));
    // Of rows that could not be read nobody knows the type.
    const std::string difference = trace->status().ok() ? events_of[&session].differs_from(session) : "";
    if (difference.empty()) continue;
    report.say(name + ": " + difference);
    status = kExitPartly;
  }
  return std::max(status, report.finish(name, *trace));
}

// The lock of a ring whose writer is dead, so that nobody else puts it into a file at the same time.
class DeadRing {
 public:
  explicit DeadRing(std::string path)
      : path_(std::move(path)), fd_(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {
    held_ = fd_ >= 0 && flock(fd_, LOCK_EX | LOCK_NB) == 0;
  }
  ~DeadRing() {
    if (fd_ >= 0) close(fd_);
  }
  DeadRing(const DeadRing&) = delete;
  DeadRing& operator=(const DeadRing&) = delete;

  bool held() const { return held_; }
  void remove() const { unlink(path_.c_str()); }

 private:
  std::string path_;
  int fd_;
  bool held_ = false;
};

// Puts the blocks behind the last whole one of the file. What is there already is not changed.
bool append_blocks(const std::string& file, const Trace::Recovery& recovery) {
  const int fd = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const auto end = static_cast<off_t>(recovery.file_size);
  bool written = ftruncate(fd, end) == 0;
  for (std::size_t done = 0; written && done < recovery.blocks.size();) {
    const ssize_t n =
        pwrite(fd, recovery.blocks.data() + done, recovery.blocks.size() - done, end + static_cast<off_t>(done));
    if (n > 0) done += static_cast<std::size_t>(n);
    written = n > 0 || (n < 0 && errno == EINTR);
  }
  const int reason = errno;
  if (!written && ftruncate(fd, end) != 0) return false;
  if (close(fd) != 0) return false;
  errno = reason;
  return written;
}

// kExitOk when there is nothing left to recover.
int recover(const std::string& file, const Report& report) {
  if (file == "-") {
    report.say("standard input cannot be recovered: name the file");
    return kExitNoAnswer;
  }
  auto first = Trace::open(file);
  if (!first) return report.no_answer(first.status());
  std::vector<std::unique_ptr<DeadRing>> rings;
  for (const std::string& path : first->recovery().rings) {
    rings.push_back(std::make_unique<DeadRing>(path));
    if (rings.back()->held()) continue;
    report.say(file + ": its writer still runs: there is nothing to recover yet");
    return kExitPartly;
  }
  if (rings.empty()) return kExitOk;
  // Again, now that nobody writes any more.
  auto trace = Trace::open(file);
  if (!trace) return report.no_answer(trace.status());
  const Trace::Recovery& recovery = trace->recovery();
  if (!append_blocks(file, recovery)) {
    return report.no_answer({Code::kIo, fmt::format("cannot write {}: {}", file, strerror(errno))});
  }
  for (const auto& ring : rings) ring->remove();
  std::uint64_t rows = 0;
  for (const Session& session : trace->sessions()) rows += session.ring_rows;
  report.say(fmt::format("{}: {} row{} from its ring {} in the file now", file, rows, rows == 1 ? "" : "s",
                         rows == 1 ? "is" : "are"));
  return kExitOk;
}

int run(const CheckOptions& options) {
  Report report("evt check");
  TextOutput out;
  int worst = kExitOk;
  for (const std::string& file : options.files) {
    const int recovered = options.recover ? recover(file, report) : kExitOk;
    worst = std::max(worst, recovered != kExitOk ? recovered : check(file, report, out));
  }
  if (!out.flush()) return report.no_answer(out.status());
  return worst;
}

}  // namespace

std::function<int()> add_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  app.add_option("file", options->files, "the traces; - is standard input")->required();
  app.add_flag("--recover", options->recover,
               "put what the ring of a killed program still holds into its trace, and remove the ring");
  app.footer(
      "Example: evt check --recover app.evt\n\n"
      "Exit status: 0 all that was written can be read; 1 a trace is damaged or cut, or its writer still\n"
      "runs and nothing could be recovered yet; 2 wrong usage; 3 no trace could be read, or a file not written.");
  return [options] { return run(*options); };
}

}  // namespace evt::tools
