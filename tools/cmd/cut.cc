#include <evt/cut.h>
#include <evt/evt.h>
#include <fmt/core.h>

#include <algorithm>

#include "base/output.h"
#include "base/progress.h"
#include "base/report.h"
#include "cmd/commands.h"
#include "cmd/sample.h"
#include "input/trace_inputs.h"
#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMaxParts = 9999;  // files of one command

class Cut {
 public:
  explicit Cut(CutArguments& options) : options_(options), input_(trace_input(options.input)) {}

  int run() {
    const std::string name = input_.name();
    auto trace = options_.reading.open(input_, report_);
    if (!trace) return report_.no_answer(trace.status());
    if (const Status status = options_.selection.resolve({&*trace}); !status.ok()) {
      return report_.usage(status.message());
    }
    options_.selection.look_at(*trace);
    const std::vector<TimeRange> ranges = parts_of(*trace);
    if (ranges.size() > kMaxParts) {
      return report_.usage(fmt::format("these would be {} files, more than {}", ranges.size(), kMaxParts));
    }
    const bool split = options_.split_size || options_.split_every;
    const auto output = [&](std::size_t i) { return split ? numbered(i + 1) : options_.output; };
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const Status status = check_files(input_.paths(), output(i));
      if (!status.ok()) return report_.usage(status.message());
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const Status done = write(*trace, ranges[i], output(i));
      progress_.clear();
      if (!done.ok()) return report_.no_answer(done);
    }
    report_.say_left_out(name, *trace, !options_.anonymous);
    int status = report_.finish(name, *trace);
    std::vector<std::string> sentences = options_.selection.nowhere_in({&*trace});
    if (sentences.empty() && chooses_threads() && !thread_was_met_) {
      sentences.emplace_back("no requested event belongs to such a thread");
    }
    add_absent(*trace, &sentences);
    return std::max(status, report_.say_missing(sentences));
  }

 private:
  bool chooses_threads() const { return !options_.selection.threads.empty(); }

  // Inputs that are asked for and are not there.
  void add_absent(const Trace& trace, std::vector<std::string>* sentences) const {
    std::vector<std::string> known;
    for (const Session& session : trace.sessions()) {
      for (const MergedPart& part : session.parts) known.push_back(part.name);
    }
    for (const std::string& pattern : options_.parts) {
      const bool is_known =
          std::ranges::any_of(known, [&](const std::string& name) { return matches_name(pattern, name); });
      if (is_known) continue;
      sentences->push_back(
          known.empty() ? fmt::format("--part {}: the trace was not merged from others", pattern)
                        : fmt::format("no input of the trace is called {}{}", pattern, did_you_mean(pattern, known)));
    }
  }

  // Of one session or of all alike: since the start of each.
  std::vector<TimeRange> parts_of(const Trace& trace) const {
    if (options_.split_size) return ranges_of_size(trace, *options_.split_size);
    if (!options_.split_every) return {TimeRange{}};
    std::int64_t last = 0;
    for (const Session& session : trace.sessions()) last = std::max(last, session.last_ns);
    std::vector<TimeRange> parts = {TimeRange{}};
    for (std::int64_t at = *options_.split_every; at <= last && parts.size() <= kMaxParts;) {
      parts.back().to_ns = at - 1;
      parts.push_back({at, INT64_MAX});
      if (__builtin_add_overflow(at, *options_.split_every, &at)) break;
    }
    return parts;
  }

  // Of a merged session, the streams of the inputs that are wanted.
  bool is_of_part(const Session& session, const StreamInfo& stream) const {
    if (options_.parts.empty()) return true;
    return std::ranges::any_of(session.parts, [&](const MergedPart& part) {
      return part.has_stream(stream.id) && std::ranges::any_of(options_.parts, [&](const std::string& pattern) {
               return matches_name(pattern, part.name);
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
    auto output = FileOutput::open(path, OutputMode::of(input_.paths()));
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
    if (sample && sample->one_in() == 1) sample.reset();  // all of them
    if (chooses_threads() || sample) {
      cutting.event = [&](const Session& session, const StreamInfo& stream, const EventType& type, Bytes fields,
                          std::uint64_t ordinal, std::int64_t ns) {
        const ThreadChoice& threads = options_.selection.threads;
        if (!threads.empty() && !threads.wants(session, stream, type, fields, ordinal)) return false;
        thread_was_met_ = true;
        // What began before comes again, whatever the sample.
        const bool is_before = cutting.range && ns < cutting.range(session).from_ns;
        return !sample || is_before || sample->takes(session, stream, type, ns);
      };
    }
    cutting.leaves_out_others = chooses_threads();
    if (sample) {
      cutting.sampled_by = EVT_SAMPLED_ROW;
      cutting.one_in = sample->one_in();
    }
    cutting.state = !options_.no_state;
    if (options_.columns) cutting.form = Form::kColumns;
    if (options_.rows) cutting.form = Form::kRows;
    cutting.anonymous = options_.anonymous;
    cutting.what = options_.what;
    cutting.writer = std::string("evtrace ") + evt_version();
    cutting.progress = [&](std::uint64_t done, std::uint64_t total) { progress_.show(done, total); };
    const Status done = cut(trace, cutting, [&](Bytes bytes) { return output->write(bytes.data(), bytes.size()); });
    if (!output->status().ok()) return output->status();
    return done.ok() ? output->complete() : done;
  }

  CutArguments& options_;
  TraceInput input_;
  Report report_{"evt cut"};
  Progress progress_;
  bool thread_was_met_ = false;  // one that is asked for
};

}  // namespace

int run_cut(CutArguments& options) { return Cut(options).run(); }

}  // namespace evt::tools
