#include <evt/trace.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/output.h"
#include "base/report.h"
#include "cmd/commands.h"
#include "cmd/last_events.h"

namespace evt::tools {
namespace {

// Which events of a trace that grows were shown, from one opening of it to the next.
class SeenRows {
 public:
  // What to read of this opening so that each event is met that `all` asks for and is_new() is true of. Times in `all`
  // are those of the first opening that has the session. Refers to the trace and to `all`.
  EventOptions narrowed(const Trace& trace, const EventOptions& all) {
    for (const Session& session : trace.sessions()) {
      ranges_.try_emplace(session.uuid, all.range ? all.range(session) : TimeRange());
    }
    EventOptions options = all;
    options.range = [this](const Session& session) {
      TimeRange range = ranges_.at(session.uuid);
      range.from_ns = std::max(range.from_ns, first_new_ns(session));
      return range;
    };
    options.stream = [this, &all](const Session& session, const StreamInfo& stream) {
      return has_more(session, stream) && (!all.stream || all.stream(session, stream));
    };
    return options;
  }
  // True once for each row. REQUIRES: called with all events that narrowed() asks for.
  bool is_new(const Event& event) {
    Stream& stream = streams_[{event.session().uuid, event.stream().id}];
    if (event.ordinal() < stream.next) return false;
    // A jump has the ordinal of the row behind it.
    stream.after = std::max(stream.after, event.ordinal() + (event.is_jump() ? 0 : 1));
    stream.jumps |= event.is_jump();
    stream.last_ns = event.ns();
    return true;
  }
  // All that narrowed() asked for was read.
  void end(const Trace& trace) {
    for (const Session& session : trace.sessions()) {
      for (const StreamInfo& stream : session.streams) {
        Stream& seen = streams_[{session.uuid, stream.id}];
        seen.rows = stream.rows;
        seen.next = std::max(seen.next, seen.after);
      }
    }
  }

 private:
  struct Stream {
    std::uint64_t next = 0;   // ordinal of the first that no opening before this one had
    std::uint64_t after = 0;  // of the first that this one does not have: behind a jump, events are not in their order
    std::uint64_t rows = 0;   // that the stream had
    std::int64_t last_ns = INT64_MIN;
    bool jumps = false;  // so that rows may come for any time
  };
  using Key = std::pair<Session::Uuid, std::uint32_t>;

  bool has_more(const Session& session, const StreamInfo& stream) const {
    const auto seen = streams_.find({session.uuid, stream.id});
    return seen == streams_.end() || stream.rows > seen->second.rows;
  }
  // From when on a session has rows that were not seen.
  std::int64_t first_new_ns(const Session& session) const {
    // What a clock's later record may move.
    constexpr std::int64_t kMarginNs = 100'000'000;
    std::int64_t first_ns = INT64_MAX;
    for (const StreamInfo& stream : session.streams) {
      if (!has_more(session, stream)) continue;
      const auto seen = streams_.find({session.uuid, stream.id});
      const bool is_any = seen == streams_.end() || seen->second.jumps;
      const std::int64_t last_ns = is_any ? INT64_MIN : seen->second.last_ns;
      first_ns = std::min(first_ns, last_ns < INT64_MIN + kMarginNs ? INT64_MIN : last_ns - kMarginNs);
    }
    return first_ns;
  }

  std::map<Key, Stream> streams_;
  std::map<Session::Uuid, TimeRange> ranges_;
};

constexpr std::chrono::milliseconds kBetweenLooks(100);
// A writer that is about to close may be found neither living nor closed.
constexpr int kLooksWithoutWriter = 2;

bool has_writer(const Trace& trace) {
  return std::ranges::any_of(trace.sessions(), [](const Session& session) { return session.ring == RingState::kLive; });
}

class Follower {
 public:
  Follower(DumpArguments& options, Report& report) : options_(options), report_(report), left_(options.limit) {
    all_.markers = true;
    options_.selection.narrow(&all_);
    out_.set_json_safe(options_.form.json_safe);
  }

  // Prints what is new. Errors: kInvalid, of what is asked for and is not there, or not yet: nothing was printed, and
  // the next look begins where this one did; kIo, of standard output. Nothing is printed where has_durations().
  Status look(Trace& trace) {
    const std::vector<const Trace*> traces = {&trace};
    if (Status resolved = options_.selection.resolve(traces); !resolved.ok()) return resolved;
    if (has_durations()) return {};
    if (lines_ == nullptr) {
      auto lines = options_.form.make_lines(traces, false, wants_type(), {});
      if (!lines) return lines.status();
      lines_ = *std::move(lines);
      const auto counts = [this](const Event& event) { return is_emitted(event) && options_.selection.wants(event); };
      if (options_.has_last()) in_front_ = EventsInFront(number_before_last(number_of_events(trace, all_, counts)));
    }
    print_new(trace);
    return out_.flush() ? Status() : out_.status();
  }

  bool has_durations() const { return options_.selection.where.has_durations(); }
  bool is_complete() const { return left_ == 0; }
  // Sentences about names of which the lines that were printed have something else.
  std::vector<std::string> fields_declared_later(const Trace& trace) const {
    return options_.form.fields_declared_later({&trace}, wants_type());
  }

 private:
  WantsTypeOf wants_type() const {
    return [this](const EventType& type) { return options_.selection.wants_type(type); };
  }
  std::uint64_t number_before_last(std::uint64_t count) const { return count - std::min(count, options_.last); }

  void print_new(Trace& trace) {
    lines_->begin(out_.text(), options_.files.front(), trace);
    const EventOptions options = seen_.narrowed(trace, all_);
    Events events = trace.events(options);
    while (left_ > 0 && out_.drain()) {
      const Event* const event = events.next();
      if (event == nullptr) break;
      if (!seen_.is_new(*event)) continue;
      if (!options_.selection.wants(*event)) continue;
      if (in_front_.have(*event)) continue;
      report_.count_unknown_times(*event);
      if (is_emitted(*event)) --left_;
      lines_->append(out_.text(), *event);
    }
    lines_->end(out_.text());
    seen_.end(trace);
  }

  DumpArguments& options_;
  Report& report_;
  EventOptions all_;
  std::uint64_t left_;
  EventsInFront in_front_{0};
  SeenRows seen_;
  std::unique_ptr<EventLines> lines_;
  TextOutput out_;
};

}  // namespace

int run_follow(DumpArguments& options, Report& report) {
  if (options.files.size() > 1) return report.usage("--follow takes one trace");
  if (!options.selection.threads.empty()) {
    return report.usage("--follow knows no --thread and --process; --stream and --where choose events");
  }
  const std::string& file = options.files.front();
  if (file == "-") return report.usage("--follow takes a file, as a pipe is read once");
  Follower follower(options, report);
  std::optional<Trace> before;
  bool waits = false;  // for what is asked for
  for (int looks = kLooksWithoutWriter;;) {
    auto trace = options.reading.open(file, report);
    if (!trace) return report.no_answer(trace.status());
    if (before) report.carry(*before, *trace);
    const Status status = follower.look(*trace);
    if (follower.has_durations()) return report.usage("--follow does not know how long spans are before they end");
    looks = has_writer(*trace) ? kLooksWithoutWriter : looks - 1;
    const bool is_unknown = status.code() == Code::kInvalid;
    if (is_unknown && looks == 0) return report.usage(status.message());
    if (!is_unknown && !status.ok()) return report.no_answer(status);
    if (is_unknown && !waits && looks == kLooksWithoutWriter) {
      report.say(status.message() + "; a type that has it may be declared later");
      waits = true;
    }
    if (looks == 0 || follower.is_complete()) {
      const int exit =
          std::max(report.finish(file, *trace), report.say_missing(follower.fields_declared_later(*trace)));
      return std::max(exit, report.say_missing(options.selection.nowhere_in({&*trace})));
    }
    before = *std::move(trace);
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace evt::tools
