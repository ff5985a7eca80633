#include <evt/evt.h>
#include <evt/merge.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/output.h"
#include "base/progress.h"
#include "base/report.h"
#include "cmd/commands.h"
#include "input/trace_inputs.h"
#include "libtrace-read/text/near_names.h"
#include "libtrace-read/text/session_texts.h"

namespace evt::tools {
namespace {

// The end of a path with one more folder than a shorter end.
std::string longer_end(const std::string& path, const std::string& end) {
  const std::size_t begin = path.size() - end.size();
  const std::size_t slash = begin < 2 ? std::string::npos : path.rfind('/', begin - 2);
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// The end of each path, with as many folders as it takes to tell them apart.
std::vector<std::string> short_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names(paths.size());
  for (bool any = true; std::exchange(any, false);) {
    std::map<std::string, std::set<std::string>> paths_of;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (names[i].empty()) names[i] = paths[i].substr(paths[i].rfind('/') + 1);
      paths_of[names[i]].insert(paths[i]);
    }
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (names[i] == paths[i] || paths_of[names[i]].size() == 1) continue;
      names[i] = longer_end(paths[i], names[i]);
      any = true;
    }
  }
  return names;
}

bool is_regular_file(const std::string& file) {
  struct stat facts;
  return file != "-" && stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

// What is the same when it is opened again.
bool can_be_opened_again(const TraceInput& input, const Trace& trace) {
  if (!std::ranges::all_of(input.files, is_regular_file)) return false;
  return std::ranges::all_of(trace.sessions(), [](const Session& session) {
    return session.ring != RingState::kLive && session.ring != RingState::kRecovered;
  });
}

class Merge {
 public:
  explicit Merge(const MergeArguments& options)
      : options_(options), inputs_(trace_inputs(options.files)), kept_(inputs_.size()) {}

  int run() {
    if (const Status status = check_files(options_.files, options_.output); !status.ok()) {
      return report_.usage(status.message());
    }
    auto output = FileOutput::open(options_.output, OutputMode::of(options_.files));
    if (!output) return report_.no_answer(output.status());
    MergeOptions wanted;
    if (const Status status = set_inputs(&wanted); !status.ok()) return report_.usage(status.message());
    wanted.writer = std::string("evtrace ") + evt_version();
    wanted.open = [this](std::size_t input) { return open(input); };
    wanted.done = [this](std::size_t input, Trace& trace) {
      progress_.clear();
      report_.say_left_out(inputs_[input].name(), trace, true);
      status_ = std::max(status_, report_.finish(inputs_[input].name(), trace));
      kept_[input] = nullptr;
    };
    wanted.progress = [this](std::uint64_t done, std::uint64_t total) { progress_.show(done, total); };
    const auto merged = merge(wanted, [&](Bytes bytes) { return output->write(bytes.data(), bytes.size()); });
    progress_.clear();
    if (!output->status().ok()) return report_.no_answer(output->status());
    if (!merged) return report_.no_answer(merged.status());
    const Status completed = output->complete();
    if (!completed.ok()) return report_.no_answer(completed);
    for (const std::string& note : merged->notes) report_.say(note);
    for (const std::string& sentence : unmet(wanted.sync_on)) {
      report_.say(sentence);
      status_ = std::max<int>(status_, kExitPartly);
    }
    for (const MergedPart& part : merged->parts) {
      if (part.alignment != EVT_ALIGNED_NONE) {
        report_.say(fmt::format("{}: {}", part.name, report::alignment_text(part)));
      }
    }
    return status_;
  }

 private:
  // Which types there are, and which fields they have, in any of the inputs.
  void note_fields(const Trace& trace) {
    for (const Session& session : trace.sessions()) {
      for (const EventType& type : session.types) {
        auto& fields = fields_[type.name()];
        for (const Field& field : type.fields()) {
          if (std::ranges::find(fields, field.name) == fields.end()) fields.push_back(field.name);
        }
      }
    }
  }

  // Sentences about types and fields of --sync-on that no input has.
  std::vector<std::string> unmet(const std::vector<PairedEvents>& sync_on) const {
    std::vector<std::string> types;
    for (const auto& [type, fields] : fields_) types.push_back(type);
    std::vector<std::string> sentences;
    for (const PairedEvents& matched : sync_on) {
      for (const std::string& name : {matched.send, matched.receive}) {
        const auto type = fields_.find(name);
        if (type == fields_.end()) {
          // A type that nothing describes is met among the events alone.
          if (name.starts_with("type#")) continue;
          sentences.push_back(fmt::format("--sync-on: no event type is called {}{}", name, did_you_mean(name, types)));
        } else if (type->second.empty()) {
          sentences.push_back(fmt::format("--sync-on: {} has no fields by which events belong together", name));
        } else if (!matched.field.empty() && std::ranges::find(type->second, matched.field) == type->second.end()) {
          sentences.push_back(fmt::format("--sync-on: {} has no field {}{}", name, matched.field,
                                          did_you_mean(matched.field, type->second)));
        }
      }
    }
    return sentences;
  }

  // An error if the options contradict each other or the inputs.
  Status set_inputs(MergeOptions* wanted) {
    std::vector<std::string> paths;
    for (const TraceInput& input : inputs_) paths.push_back(Reading::name_of(input.first()));
    for (const std::string& name : short_names(paths)) wanted->inputs.push_back({name, 0});
    std::set<std::size_t> shifted;
    for (const auto& [file, offset_ns] : options_.offsets) {
      const std::set<std::size_t> others = shifted;
      bool any = false;
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const std::vector<std::string>& files = inputs_[i].files;
        if (std::ranges::find(files, file) == files.end()) continue;
        if (others.contains(i)) return {Code::kInvalid, fmt::format("--offset: {} already has one", file)};
        wanted->inputs[i].offset_ns = offset_ns;
        shifted.insert(i);
        any = true;
      }
      if (any) continue;
      return {Code::kInvalid, fmt::format("--offset: {} is not an input{}", file, did_you_mean(file, options_.files))};
    }
    wanted->sync_on = options_.sync_on;
    return {};
  }

  Result<std::shared_ptr<Trace>> open(std::size_t input) {
    if (kept_[input] != nullptr) return kept_[input];
    auto opened = options_.reading.open(inputs_[input], report_);
    if (!opened) return opened.status();
    auto trace = std::make_shared<Trace>(*std::move(opened));
    if (!options_.sync_on.empty()) note_fields(*trace);
    if (!can_be_opened_again(inputs_[input], *trace)) kept_[input] = trace;
    return trace;
  }

  const MergeArguments& options_;
  std::vector<TraceInput> inputs_;
  Report report_{"evt merge"};
  Progress progress_;
  std::vector<std::shared_ptr<Trace>> kept_;                // by input
  std::map<std::string, std::vector<std::string>> fields_;  // of all inputs, by the name of their type
  int status_ = kExitOk;
};

}  // namespace

int run_merge(MergeArguments& options) { return Merge(options).run(); }

}  // namespace evt::tools
