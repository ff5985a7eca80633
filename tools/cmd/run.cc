#include <errno.h>
#include <evt/cut.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>
#include <new>
#include <system_error>

#include "base/json_object.h"
#include "base/memory_limit.h"
#include "base/output.h"
#include "base/report.h"
#include "base/table_forms.h"
#include "base/unlinked_file.h"
#include "cmd/commands.h"
#include "run/run_progress.h"
#include "run/run_report.h"

namespace evt::tools {
namespace {

// As env, nohup and timeout have them.
enum : int { kNotStarted = 125, kNotExecutable = 126, kNotFound = 127 };

class Run {
 public:
  explicit Run(RunArguments& options) : options_(options), run_(options.run) {}

  int run() {
    if (const Status writable = check_output(); !writable.ok()) {
      report_.no_answer(writable);
      return kNotStarted;
    }
    if (const Status started = run_.start(); !started.ok()) return not_started(started);
    wait();
    if (const Status closed = run_.close(); !closed.ok()) report_.no_answer(closed);
    report();
    return run_.end().status;  // also where there is no report
  }

 private:
  // What can be known before the program runs, for minutes perhaps.
  Status check_output() const {
    std::error_code none;
    const std::string& output = options_.run.output;
    const std::filesystem::file_status there = std::filesystem::status(output, none);
    const std::filesystem::path folder = std::filesystem::path(output).parent_path();
    if (!folder.empty() && !std::filesystem::exists(folder, none)) return tools::cannot_write(output, ENOENT);
    if (!std::filesystem::exists(there) || std::filesystem::is_regular_file(there)) return {};
    if (std::filesystem::is_directory(there)) return cannot_write("it is a directory");
    return cannot_write(fmt::format(
        "expected a file or no such name, because the summary reads the trace again; it is {}", name_of(there.type())));
  }

  static const char* name_of(std::filesystem::file_type type) {
    using Type = std::filesystem::file_type;
    if (type == Type::fifo) return "a pipe";
    return type == Type::socket ? "a socket" : "a device";
  }

  Status cannot_write(const std::string& why) const {
    return {Code::kIo, fmt::format("cannot write {}: {}", options_.run.output, why)};
  }

  void wait() {
    RunProgress progress(run_.pid(), run_.folder(), options_.every_ns);
    if (options_.every_ns > 0) signal(SIGPIPE, SIG_IGN);  // recording goes on without a reader
    bool has_room = true;
    run_.wait([&] {
      if (options_.every_ns == 0 || !has_room) return;
      try {
        for (const std::string& sentence : progress.look()) report_.say(sentence);
      } catch (const std::bad_alloc&) {
        has_room = false;
        report_.say("--every: there is not enough memory for what was so far");
      }
    });
  }

  int not_started(const Status& status) const {
    if (run_.not_executed() == 0) {
      report_.no_answer(status);
      return kNotStarted;
    }
    report_.no_answer({status.code(), fmt::format("{}: {}", options_.run.words[0], status.message())});
    return run_.not_executed() == ENOENT ? kNotFound : kNotExecutable;
  }

  void report() {
    try {
      report_on(collect());
    } catch (const std::bad_alloc&) {
      const Status limited = MemoryLimit::lift();
      stays(limited.ok() ? Status(Code::kMemory, "there is not enough memory") : limited);
    }
  }

  // The sessions of all processes as one trace; nothing where that could not be made, and then the folder stays.
  std::optional<record::MergedFolder> collect() {
    auto output = FileOutput::open(run_.output(), OutputMode::of_owner_alone());
    if (!output) return stays(output.status());
    const auto write = [&](Bytes bytes) { return output->write(bytes.data(), bytes.size()); };
    auto merged = options_.anonymous ? merge_without_names(write) : record::merge_folder(run_.folder(), write);
    if (!output->status().ok()) return stays(output->status());
    if (!merged) return stays(merged.status());
    if (const Status completed = output->complete(); !completed.ok()) return stays(completed);
    for (const std::string& problem : merged->problems) report_.say(problem);
    if (!merged->living.empty()) {
      report_.say(
          fmt::format("{} that it started still running: further events are in {}",
                      merged->living.size() == 1 ? "1 process" : fmt::format("{} processes", merged->living.size()),
                      run_.folder()));
    } else if (!record::remove_folder(run_.folder(), *merged)) {
      report_.say(fmt::format("it started further processes in the meantime: their events are in {}", run_.folder()));
    }
    return *std::move(merged);
  }

  Result<record::MergedFolder> merge_without_names(const TakeBytes& take) const {
    auto file = UnlinkedFile::make();
    if (!file) return file.status();
    auto merged = record::merge_folder(run_.folder(), [&](Bytes bytes) { return file->write(bytes); });
    if (!merged) return merged;
    if (lseek(file->descriptor(), 0, SEEK_SET) != 0) return Status(Code::kIo, strerror(errno));
    auto trace = Trace::open(file->descriptor(), run_.output(), {.rings = false});
    if (!trace) return trace.status();
    CutOptions cutting;
    cutting.anonymous = true;
    cutting.what = "--anonymous";
    cutting.writer = "evt run";
    if (const Status done = cut(*trace, cutting, take); !done.ok()) return done;
    return merged;
  }

  // There is no summary, and where the sessions are, if they were not put into the trace.
  std::optional<record::MergedFolder> stays(const Status& status) const {
    std::error_code none;
    const bool is_there = std::filesystem::exists(run_.folder(), none);
    const std::string where = is_there ? "the sessions are in " + run_.folder() : "the trace is " + run_.output();
    report_.no_answer({status.code(), fmt::format("{}; {}", status.message(), where)});
    return std::nullopt;
  }

  void report_on(const std::optional<record::MergedFolder>& merged) {
    if (!merged) return;
    auto trace = Trace::open(run_.output());
    if (trace) MemoryLimit::allow_for(trace->size());
    if (!trace) {
      report_.no_answer(trace.status());
      return;
    }
    if (!options_.reports.empty()) {
      print_analyses(*trace);
    } else {
      print(RunReport(*trace, run_, *merged));
    }
    if (!out_.flush()) report_.no_answer(out_.status());
  }

  void print(const RunReport& found) {
    TextBuffer& out = out_.text();
    if (options_.json) return print_json(found);
    out += "\n";
    append_human_readable(out, found.facts(), false);
    for (const Table& table : found.tables()) {
      out += '\n';
      append_human_readable(out, table, false);
    }
    out += '\n';
    if (!out_.flush()) return;
    for (const std::string& note : found.notes()) report_.say(note);
    report_.say(fmt::format("the trace is {}; evt view, evt stats and evt dump show it", run_.output()));
  }

  void print_json(const RunReport& found) {
    append_json_line(out_.text(), [&](JsonObject& object) {
      object.texts("command", options_.run.words);
      object.text("trace", run_.output());
      object.number("pid", run_.pid());
      object.number("status", run_.end().status);
      object.number_unless_0("signal", run_.end().signal);
      object.value("facts", [&](TextBuffer& to) { append_as_json(to, found.facts()); });
      for (const Table& table : found.tables()) {
        object.value(table.name().c_str(), [&](TextBuffer& to) { append_as_json(to, table); });
      }
      object.texts("notes", found.notes());
    });
  }

  void print_analyses(Trace& trace) {
    RunOptions wanted;
    wanted.failed = [this](const std::string& sentence) { report_.say(sentence); };
    for (const std::string& name : options_.reports) wanted.kinds.push_back(analysis_kind(name));
    TextBuffer& out = out_.text();
    for (const SessionFindings& session : report::run_sessions(trace, wanted)) {
      for (const auto& [name, findings] : session.by_analysis) {
        for (const Table& table : findings.tables) {
          if (table.rows().empty()) continue;
          out += '\n';
          append_human_readable(out, table, false);
        }
        for (const std::string& note : findings.notes) report_.say(fmt::format("{}: {}", name, note));
      }
    }
  }

  RunArguments& options_;
  Report report_{"evt run"};
  record::RecordedRun run_;
  TextOutput out_{STDERR_FILENO, "standard error"};
};

}  // namespace

int run_run(RunArguments& options) { return Run(options).run(); }

}  // namespace evt::tools
