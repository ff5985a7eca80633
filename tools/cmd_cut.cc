#include "cmd_cut.h"

#include <evt/cut.h>
#include <evt/evt.h>
#include <fmt/core.h>
#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/option_values.h"
#include "cli/output_format.h"
#include "cli/reading.h"
#include "cli/selection.h"
#include "command_files.h"
#include "near_names.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "sample.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMostParts = 9999;  // files of one command

struct Options {
  std::string input;
  std::string output;
  Selection selection;
  Reading reading;
  std::vector<std::string> parts;  // patterns
  std::optional<std::uint64_t> thread;
  std::string every;
  bool columns = false;
  bool rows = false;
  bool no_state = false;
  std::optional<std::uint64_t> split_size;
  std::optional<std::int64_t> split_every;
  std::string what;  // the options that leave something out
};

// By the field that says whose event it is; of a type that has none, by whose stream it is.
bool is_of_thread(std::uint64_t thread, const StreamInfo& stream, const EventType& type, Bytes fields) {
  FieldWalker walker(type.fields(), fields);
  while (const auto value = walker.next()) {
    if (value->field().role == Role::kThread && !value->is_sequence()) return value->as_unsigned() == thread;
  }
  return stream.thread == thread;
}

class Cut {
 public:
  explicit Cut(const Options& options) : options_(options) {}

  int run() {
    const std::string name = Reading::name_of(options_.input);
    auto trace = options_.reading.open(options_.input);
    if (!trace) return report_.no_answer(trace.status());
    const std::vector<TimeRange> ranges = parts_of(*trace);
    if (ranges.size() > kMostParts) {
      report_.say(fmt::format("these would be {} files, more than {}", ranges.size(), kMostParts));
      return kExitUsage;
    }
    const bool split = options_.split_size || options_.split_every;
    const auto output = [&](std::size_t i) { return split ? numbered(i + 1) : options_.output; };
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const Status status = check_files({options_.input}, output(i));
      if (!status.ok()) return report_.usage(status.message());
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const Status done = write(*trace, ranges[i], output(i));
      progress_.clear();
      if (!done.ok()) return report_.no_answer(done);
    }
    int status = report_.finish(name, *trace);
    std::vector<std::string> sentences = options_.selection.nowhere_in({&*trace});
    add_absent(*trace, &sentences);
    for (const std::string& sentence : sentences) {
      report_.say(sentence);
      status = std::max<int>(status, kExitPartly);
    }
    return status;
  }

 private:
  // What is asked for of inputs and threads and is not there.
  void add_absent(const Trace& trace, std::vector<std::string>* sentences) const {
    std::vector<std::string> known;
    for (const Session& session : trace.sessions()) {
      for (const MergedPart& part : session.parts) known.push_back(part.name);
    }
    for (const std::string& pattern : options_.parts) {
      const bool is_known = std::any_of(known.begin(), known.end(), [&](const std::string& name) {
        return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
      });
      if (is_known) continue;
      sentences->push_back(
          known.empty() ? fmt::format("--part {}: the trace was not merged of others", pattern)
                        : fmt::format("no input of the trace is called {}{}", pattern, did_you_mean(pattern, known)));
    }
    if (options_.thread && !thread_was_met_) {
      sentences->push_back(fmt::format("no event of what is asked for is of thread {}", *options_.thread));
    }
  }

  // Of one session or of all alike: since the start of each.
  std::vector<TimeRange> parts_of(const Trace& trace) const {
    if (options_.split_size) return ranges_of_size(trace, *options_.split_size);
    if (!options_.split_every) return {TimeRange{}};
    std::int64_t last = 0;
    for (const Session& session : trace.sessions()) last = std::max(last, session.last_ns);
    std::vector<TimeRange> parts = {TimeRange{}};
    for (std::int64_t at = *options_.split_every; at <= last && parts.size() <= kMostParts;) {
      parts.back().to_ns = at - 1;
      parts.push_back({at, INT64_MAX});
      if (__builtin_add_overflow(at, *options_.split_every, &at)) break;
    }
    return parts;
  }

  // Of a merged session, the streams of the inputs that are wanted.
  bool is_of_part(const Session& session, const StreamInfo& stream) const {
    if (options_.parts.empty()) return true;
    return std::any_of(session.parts.begin(), session.parts.end(), [&](const MergedPart& part) {
      return part.has_stream(stream.id) &&
             std::any_of(options_.parts.begin(), options_.parts.end(), [&](const std::string& pattern) {
               return fnmatch(pattern.c_str(), part.name.c_str(), 0) == 0;
             });
    });
  }

  // out.evt becomes out.0001.evt.
  std::string numbered(std::size_t number) const {
    const std::string& path = options_.output;
    const std::size_t name = path.rfind('/') + 1;
    const std::size_t dot = path.rfind('.');
    const std::size_t at = dot == path.npos || dot <= name ? path.size() : dot;
    return fmt::format("{}.{:04}{}", path.substr(0, at), number, path.substr(at));
  }

  Status write(Trace& trace, const TimeRange& part, const std::string& path) {
    auto output = FileOutput::open(path);
    if (!output) return output.status();
    EventOptions wanted;
    options_.selection.narrow(&wanted);
    CutOptions cutting;
    if (wanted.stream || !options_.parts.empty()) {
      cutting.stream = [this, by_name = wanted.stream](const Session& session, const StreamInfo& stream) {
        return (!by_name || by_name(session, stream)) && is_of_part(session, stream);
      };
    }
    if (wanted.range || part.is_limited()) {
      cutting.range = [&](const Session& session) {
        TimeRange range = wanted.range ? wanted.range(session) : TimeRange{};
        range.from_ns = std::max(range.from_ns, part.from_ns);
        range.to_ns = std::min(range.to_ns, part.to_ns);
        return range;
      };
    }
    if (options_.selection.has_types()) {
      cutting.type = [&](const EventType& type) { return options_.selection.wants_type(type); };
    }
    auto sample = Sample::parse(options_.every);
    if (options_.thread || sample) {
      cutting.event = [&](const Session& session, const StreamInfo& stream, const EventType& type, Bytes fields,
                          std::int64_t ns) {
        if (options_.thread && !is_of_thread(*options_.thread, stream, type, fields)) return false;
        thread_was_met_ = true;
        // What began before comes again, whatever the sample.
        const bool is_before = cutting.range && ns < cutting.range(session).from_ns;
        return !sample || is_before || sample->takes(session, stream, type, ns);
      };
    }
    cutting.state = !options_.no_state;
    if (options_.columns) cutting.form = Form::kColumns;
    if (options_.rows) cutting.form = Form::kRows;
    cutting.what = options_.what;
    cutting.writer = std::string("evtrace ") + evt_version();
    cutting.progress = [&](std::uint64_t done, std::uint64_t total) { progress_.show(done, total); };
    const Status done = cut(trace, cutting, [&](Bytes bytes) { return output->write(bytes.data(), bytes.size()); });
    if (!output->status().ok()) return output->status();
    return done.ok() ? output->complete() : done;
  }

  const Options& options_;
  Report report_{"evt cut"};
  Progress progress_;
  bool thread_was_met_ = false;  // the one that is asked for
};

// The options as they were given, but for files.
std::string words_of(const CLI::App& app) {
  std::string words;
  for (const CLI::Option* const option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty() || option->check_lname("output")) continue;
    const bool is_flag = option->get_items_expected_max() == 0;
    for (const std::string& value : is_flag ? std::vector<std::string>{""} : option->results()) {
      words += (words.empty() ? "--" : " --") + option->get_lnames().front() + (is_flag ? "" : " " + value);
    }
  }
  return words;
}

std::optional<std::uint64_t> parse_size(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 15) return std::nullopt;
  const std::string unit = text.substr(digits);
  for (const auto& [name, shift] : {std::pair("", 0), std::pair("K", 10), std::pair("M", 20), std::pair("G", 30)}) {
    if (unit == name && std::stoull(text) > 0) return std::uint64_t{std::stoull(text)} << shift;
  }
  return std::nullopt;
}

// An option whose value is parsed when it is given.
template <typename T, typename Parse>
CLI::Option* add_parsed(CLI::App& app, const char* name, std::optional<T>* out, Parse parse, const char* expected,
                        const char* what) {
  return app
      .add_option_function<std::string>(name,
                                        [=](const std::string& text) {
                                          *out = parse(text);
                                          if (*out) return;
                                          throw CLI::ValidationError(
                                              name, fmt::format("expected {}, found {}", expected, text));
                                        })
      ->description(what);
}

}  // namespace

std::function<int()> add_cut(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("input", options->input, "the trace; - is standard input")->required();
  CLI::Option* const output =
      app.add_option("-o,--output", options->output, "where the part goes, a name in .evt; - is standard output")
          ->type_name("FILE")
          ->required();
  options->selection.add_options(app, Selection::Fields::kNone);
  app.add_option("--part", options->parts, "of a merged trace only what came from such an input (may be repeated)")
      ->type_name("GLOB")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--thread", options->thread,
                 "only events of this thread: of types with a field that says whose they are by that,\n"
                 "else by their stream")
      ->check(is_number("a thread's number"))
      ->type_name("NUMBER");
  app.add_option("--every", options->every,
                 "of each stream and type only every so many events (100), or one in so much time (10ms)")
      ->type_name("N|TIME")
      ->check([](const std::string& text) {
        return Sample::parse(text) ? ""
                                   : fmt::format("expected a number of events or a time like 10ms, found {}", text);
      });
  app.add_flag("--no-state", options->no_state, "leave out what began before --from and had not ended");
  CLI::Option* const columns = app.add_flag("--columns", options->columns, "store events compacted");
  app.add_flag("--rows", options->rows, "store events as they were recorded")->excludes(columns);
  const auto is_length = [](const std::string& text) {
    const auto length = parse_length(text);
    return length && *length > 0 ? length : std::nullopt;
  };
  CLI::Option* const by_size =
      add_parsed(app, "--split-size", &options->split_size, parse_size, "bytes, or 10K, 10M, 1G",
                 "several files of about so many bytes: out.0001.evt, out.0002.evt, ...")
          ->type_name("BYTES");
  add_parsed(app, "--split-every", &options->split_every, is_length, "a time like 10s", "several files of so much time")
      ->type_name("TIME")
      ->excludes(by_size);
  app.footer(
      "The part is a trace of its own, with the types, streams and texts that its events need. What is\n"
      "left out is no loss. What was open or running at --from comes again there, as events of types\n"
      "called cut.NAME that say since when; cut.unknown says where that cannot be known.\n"
      "Example: evt cut --from 10s --to 11s app.evt -o second.evt\n"
      "         evt cut --split-size 100M --columns huge.evt -o part.evt\n\n"
      "Exit status: 0 all that is wanted was read; 1 the trace is damaged or cut, or a filter names\n"
      "nothing that is there, or a time outside: the part is written all the same; 2 wrong usage, such as\n"
      "the input as output; 3 the trace could not be read, or the output not written.");
  options->reading.add_options(app);
  app.parse_complete_callback([&app, options, output] {
    options->what = words_of(app);
    const bool split = options->split_size || options->split_every;
    if (split && options->output == "-") throw CLI::ValidationError(output->get_name(), "several files need a name");
    const Status status = check_trace_name(options->output);
    if (!status.ok()) throw CLI::ValidationError(output->get_name(), status.message());
  });
  return [options] { return Cut(*options).run(); };
}

}  // namespace evt::tools
