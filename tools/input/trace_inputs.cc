#include "input/trace_inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/memory_limit.h"
#include "base/unlinked_file.h"
#include "libtrace-record/collect/session_folder.h"

namespace evt::tools {
namespace {

// Where the bytes of a file are, which two names of it share; nothing for what keeps none: a terminal, a pipe.
std::optional<std::pair<dev_t, ino_t>> place_of(const std::string& path, int descriptor) {
  struct stat facts;
  if ((path == "-" ? fstat(descriptor, &facts) : stat(path.c_str(), &facts)) != 0) return std::nullopt;
  if (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode)) return std::pair(facts.st_dev, facts.st_ino);
  // A device may have several nodes.
  return S_ISBLK(facts.st_mode) ? std::optional(std::pair(facts.st_rdev, ino_t{0})) : std::nullopt;
}

}  // namespace

ReadOptions Reading::with(ReadOptions options) const {
  if (no_rings) options.rings = false;
  return options;
}

Result<Trace> Reading::open(const TraceInput& input, Report& report, const ReadOptions& options) const {
  if (input.program) {
    const Result<ProgramTrace>& program = *input.program;
    if (!program) return Status(program.status().code(), input.name() + ": " + program.status().message());
    if (!program->note().empty()) report.say(input.name() + ": " + program->note());
    return program->open(with(options));
  }
  if (!input.is_one_file()) return Trace::open(input.files, with(options));
  const std::string& file = input.first();
  if (file != "-" && is_trace_folder(file)) {
    auto opened = open_trace_folder(file);
    if (!opened) return opened.status();
    report.set_unread(file, std::move(opened->problems));
    return Trace::open(opened->descriptor, file, with(options));
  }
  auto trace = file != "-" ? Trace::open(file, with(options)) : Trace::open(STDIN_FILENO, name_of(file), with(options));
  if (!trace) return trace;
  // The sizes of a pipe, of a folder and of segments were not known before.
  const bool is_more = !trace->files().empty() || std::filesystem::is_directory(file);
  if (file == "-" || is_more) MemoryLimit::allow_for(trace->size());
  return trace;
}

Result<Follow> follow(const TraceInput& input, const FollowOptions& options) {
  if (input.program && !*input.program) return input.program->status();
  const std::string file = input.paths().front();
  return file == "-" ? Follow::open(STDIN_FILENO, input.name(), options) : Follow::open(file, options);
}

std::string TraceInput::name() const {
  const std::string name = first() == "-" ? "standard input" : first();
  return files.size() == 1 ? name : name + " and others";
}

std::vector<TraceInput> trace_inputs(const std::vector<std::string>& files) {
  std::vector<std::string> paths = files;
  for (std::string& path : paths) {
    if (path == "-") path.clear();  // a file may be called so
  }
  std::vector<TraceInput> inputs;
  for (const std::vector<std::size_t>& together : Trace::files_of_traces(paths)) {
    TraceInput& input = inputs.emplace_back();
    for (const std::size_t file : together) input.files.push_back(files[file]);
    if (ProgramTrace::is_name(input.first())) input.program.emplace(ProgramTrace::find(input.first()));
  }
  return inputs;
}

TraceInput trace_input(const std::string& file) { return std::move(trace_inputs({file}).front()); }

bool is_trace_folder(const std::string& path) { return record::is_session_folder(path); }

Result<OpenedFolder> open_trace_folder(const std::string& path) {
  auto file = UnlinkedFile::make();
  if (!file) return file.status();
  OpenedFolder opened;
  auto merged = record::merge_folder(path, [&](Bytes bytes) { return file->write(bytes); });
  if (!merged) return merged.status();
  opened.problems = std::move(merged->problems);
  struct stat facts;
  opened.descriptor = fcntl(file->descriptor(), F_DUPFD_CLOEXEC, 0);
  if (opened.descriptor < 0 || fstat(opened.descriptor, &facts) != 0 || lseek(opened.descriptor, 0, SEEK_SET) != 0) {
    if (opened.descriptor >= 0) close(opened.descriptor);
    return Status(Code::kIo, fmt::format("{}: {}", path, strerror(errno)));
  }
  MemoryLimit::allow_for(static_cast<std::uint64_t>(facts.st_size));
  return opened;
}

std::vector<OpenedTrace> open_traces(const std::vector<TraceInput>& inputs, const Reading& reading, Report& report,
                                     int* status, const ReadOptions& options) {
  std::vector<OpenedTrace> opened;
  for (const TraceInput& input : inputs) {
    auto trace = reading.open(input, report, options);
    if (trace) {
      opened.push_back({input.name(), *std::move(trace)});
    } else {
      *status = report.no_answer(trace.status());
    }
  }
  return opened;
}

std::vector<const Trace*> traces_of(const std::vector<OpenedTrace>& opened) {
  std::vector<const Trace*> traces;
  traces.reserve(opened.size());
  for (const OpenedTrace& each : opened) traces.push_back(&each.trace);
  return traces;
}

Status check_files(const std::vector<std::string>& inputs, const std::string& output) {
  if (std::ranges::count(inputs, "-") > 1)
    return {Code::kInvalid, "expected - once, because standard input ends, found it twice"};
  const auto place = place_of(output, STDOUT_FILENO);
  if (!place) return {};
  for (const std::string& input : inputs) {
    const std::vector<std::string> paths =
        ProgramTrace::is_name(input) ? trace_input(input).paths() : std::vector{input};
    const auto is_there = [&](const std::string& path) { return place_of(path, STDIN_FILENO) == place; };
    if (std::ranges::none_of(paths, is_there)) continue;
    const std::string name = input == "-" ? "standard input" : input;
    const std::string same = output == "-"     ? fmt::format("standard output is the input {}", name)
                             : output == input ? fmt::format("{} is the input", output)
                                               : fmt::format("{} is the input {}", output, name);
    return {Code::kInvalid, same + ": the output must be another file"};
  }
  return {};
}

}  // namespace evt::tools
