#include "cmd_merge.h"

#include <evt/evt.h>
#include <evt/merge.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "cli/output_format.h"
#include "cli/reading.h"
#include "command_files.h"
#include "moment.h"
#include "near_names.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "trace_tables.h"

namespace evt::tools {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string output;
  std::vector<std::string> offsets;  // FILE=NS
  std::vector<std::string> sync_on;  // SEND,RECEIVE[:FIELD]
  Reading reading;
};

// Nanoseconds, or a length of time with a unit, of either sign.
std::optional<std::int64_t> parse_offset(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 30) return std::nullopt;
  const bool is_plain = text.find_first_not_of("0123456789") == text.npos;
  const auto length = parse_length(is_plain ? std::string(text) + "ns" : std::string(text));
  if (!length) return std::nullopt;
  return is_negative ? -*length : *length;
}

std::optional<MatchedEvents> parse_matched(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return std::nullopt;
  const std::size_t colon = text.find(':', comma);
  MatchedEvents matched;
  matched.send = text.substr(0, comma);
  matched.receive = text.substr(comma + 1, colon == text.npos ? text.npos : colon - comma - 1);
  if (colon != text.npos) matched.field = text.substr(colon + 1);
  // Of one type there is nothing that another input could have received.
  const bool is_whole = matched.send != matched.receive && !matched.send.empty() && !matched.receive.empty() &&
                        (colon == text.npos || !matched.field.empty());
  return is_whole ? std::optional(matched) : std::nullopt;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// What is one file now and the same when it is opened again.
bool can_be_opened_again(const std::string& file, const Trace& trace) {
  struct stat facts;
  if (file == "-" || stat(file.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  return std::all_of(trace.sessions().begin(), trace.sessions().end(), [](const Session& session) {
    return session.ring != RingState::kLive && session.ring != RingState::kRecovered;
  });
}

class Merge {
 public:
  explicit Merge(const Options& options) : options_(options), kept_(options.files.size()) {}

  int run() {
    if (const Status status = check_files(options_.files, options_.output); !status.ok()) {
      return report_.usage(status.message());
    }
    auto output = FileOutput::open(options_.output);
    if (!output) return report_.no_answer(output.status());
    MergeOptions wanted;
    if (const Status status = set_inputs(&wanted); !status.ok()) return report_.usage(status.message());
    wanted.writer = std::string("evtrace ") + evt_version();
    wanted.open = [this](std::size_t input) { return open(input); };
    wanted.done = [this](std::size_t input, Trace& trace) {
      progress_.clear();
      status_ = std::max(status_, report_.finish(name_of(input), trace));
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
        report_.say(fmt::format("{}: time {}", part.name, alignment_text(part)));
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
          if (std::find(fields.begin(), fields.end(), field.name) == fields.end()) fields.push_back(field.name);
        }
      }
    }
  }

  // Sentences about types and fields of --sync-on that no input has.
  std::vector<std::string> unmet(const std::vector<MatchedEvents>& sync_on) const {
    std::vector<std::string> types;
    for (const auto& [type, fields] : fields_) types.push_back(type);
    std::vector<std::string> sentences;
    for (const MatchedEvents& matched : sync_on) {
      for (const std::string& name : {matched.send, matched.receive}) {
        const auto type = fields_.find(name);
        if (type == fields_.end()) {
          // A type that nothing describes is met among the events alone.
          if (name.starts_with("type#")) continue;
          sentences.push_back(fmt::format("--sync-on: no event type is called {}{}", name, did_you_mean(name, types)));
        } else if (type->second.empty()) {
          sentences.push_back(fmt::format("--sync-on: {} has no fields by which events belong together", name));
        } else if (!matched.field.empty() &&
                   std::find(type->second.begin(), type->second.end(), matched.field) == type->second.end()) {
          sentences.push_back(fmt::format("--sync-on: {} has no field {}{}", name, matched.field,
                                          did_you_mean(matched.field, type->second)));
        }
      }
    }
    return sentences;
  }

  std::string name_of(std::size_t input) const { return Reading::name_of(options_.files[input]); }

  // An error if the options contradict each other or the inputs.
  Status set_inputs(MergeOptions* wanted) {
    for (std::size_t i = 0; i < options_.files.size(); ++i) wanted->inputs.push_back({base_name(name_of(i)), 0});
    std::vector<std::string> shifted;
    for (const std::string& text : options_.offsets) {
      const std::size_t equals = text.rfind('=');  // both were checked
      const std::string file = text.substr(0, equals);
      if (std::find(shifted.begin(), shifted.end(), file) != shifted.end()) {
        return {Code::kInvalid, fmt::format("--offset: {} has one already", file)};
      }
      shifted.push_back(file);
      bool any = false;
      for (std::size_t i = 0; i < options_.files.size(); ++i) {
        if (options_.files[i] != file) continue;
        wanted->inputs[i].offset_ns = *parse_offset(text.substr(equals + 1));
        any = true;
      }
      if (any) continue;
      return {Code::kInvalid,
              fmt::format("--offset: {} is none of the inputs{}", file, did_you_mean(file, options_.files))};
    }
    for (const std::string& text : options_.sync_on) wanted->sync_on.push_back(*parse_matched(text));
    return {};
  }

  Result<std::shared_ptr<Trace>> open(std::size_t input) {
    if (kept_[input] != nullptr) return kept_[input];
    const std::string& file = options_.files[input];
    auto opened = options_.reading.open(file);
    if (!opened) return opened.status();
    auto trace = std::make_shared<Trace>(*std::move(opened));
    if (!options_.sync_on.empty()) note_fields(*trace);
    if (!can_be_opened_again(file, *trace)) kept_[input] = trace;
    return trace;
  }

  const Options& options_;
  Report report_{"evt merge"};
  Progress progress_;
  std::vector<std::shared_ptr<Trace>> kept_;                // by input
  std::map<std::string, std::vector<std::string>> fields_;  // of all inputs, by the name of their type
  int status_ = kExitOk;
};

// A test of each of an option's values, and the sentence when it fails.
template <typename Parse>
auto each(Parse parse, const char* expected) {
  return [parse, expected](const std::string& text) {
    return parse(text) ? std::string() : fmt::format("expected {}, found {}", expected, text);
  };
}

}  // namespace

std::function<int()> add_merge(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("files", options->files, "the traces; - is standard input")->required();
  app.add_option("-o,--output", options->output, "where the merged trace goes, a name in .evt; - is standard output")
      ->type_name("FILE")
      ->required();
  const auto many = [&](const char* name, std::vector<std::string>* out, const char* what) {
    return app.add_option(name, *out, what)->expected(1)->allow_extra_args(false)->take_all();
  };
  const auto is_offset = [](const std::string& text) {
    const std::size_t equals = text.rfind('=');
    return equals != text.npos && equals > 0 && parse_offset(text.substr(equals + 1)).has_value();
  };
  many("--sync-on", &options->sync_on,
       "put clocks right by events that belong together when a field of both, the first unless\n"
       "said, has the same value: one input sends, another receives later (may be repeated)")
      ->type_name("SEND,RECEIVE[:FIELD]")
      ->check(each([](const std::string& text) { return parse_matched(text).has_value(); },
                   "SEND,RECEIVE or SEND,RECEIVE:FIELD, two types of events"));
  many("--offset", &options->offsets, "add so many ns to the times of an input, or 2ms, -1.5s (may be repeated)")
      ->type_name("FILE=NS")
      ->check(each(is_offset, "FILE=NS"));
  options->reading.add_options(app);
  app.footer(
      "The merged trace has one session with the streams of all inputs. Inputs of one boot share their\n"
      "time; others are put by UTC or by messages, and how exact that is is said. Rows are not changed.\n"
      "Example: evt merge server.evt client.evt --sync-on rpc.send,rpc.receive:id -o both.evt\n\n"
      "Exit status: 0 all was merged; 1 an input is damaged or cut, the rest was merged, or --sync-on\n"
      "names what is not there; 2 wrong usage, such as an input as output; 3 an input could not be read,\n"
      "or the output not written.");
  app.parse_complete_callback([options] {
    const Status status = check_trace_name(options->output);
    if (!status.ok()) throw CLI::ValidationError("--output", status.message());
    if (!options->sync_on.empty() && options->files.size() < 2) {
      throw CLI::ValidationError("--sync-on", "is for two traces or more");
    }
  });
  return [options] { return Merge(*options).run(); };
}

}  // namespace evt::tools
