#include <evt/follow.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/output.h"
#include "base/report.h"
#include "cmd/commands.h"
#include "cmd/last_events.h"

namespace evt::tools {
namespace {

// The suffix of a line for people, and of one of JSON, whose event comes behind later ones.
constexpr std::string_view kLateText = "  (late)";
constexpr std::string_view kLateJson = ",\"late\":true";

class Follower {
 public:
  Follower(DumpArguments& options, Report& report, Follow& follow, const EventOptions& all)
      : options_(options), report_(report), follow_(follow), all_(all), left_(options.limit) {
    out_.set_json_safe(options_.form.json_safe);
  }

  // Prints what is new. Errors: kInvalid, of what is asked for and is not there, or not yet: nothing was printed, and
  // the next look begins where this one did; kIo, of standard output. Nothing is printed where has_durations().
  Status look() {
    Trace& trace = follow_.trace();
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

  void print_new(const Trace& trace) {
    lines_->begin(out_.text(), options_.files.front(), trace);
    while (left_ > 0 && out_.drain()) {
      const Event* const event = follow_.next();
      if (event == nullptr) break;
      if (!options_.selection.wants(*event)) continue;
      if (in_front_.have(*event)) continue;
      report_.count_unknown_times(*event);
      if (is_emitted(*event)) --left_;
      lines_->append(out_.text(), *event);
      if (follow_.is_late()) mark_late();
    }
    lines_->end(out_.text());
  }

  // In lines that the user has not given a form.
  void mark_late() {
    TextBuffer& text = out_.text();
    if (options_.form.format || options_.form.columns) return;
    text.pop_back();
    if (options_.form.json) text.pop_back();
    text += options_.form.json ? kLateJson : kLateText;
    if (options_.form.json) text += '}';
    text += '\n';
  }

  DumpArguments& options_;
  Report& report_;
  Follow& follow_;
  const EventOptions& all_;
  std::uint64_t left_;
  EventsInFront in_front_{0};
  std::unique_ptr<EventLines> lines_;
  TextOutput out_;
};

// The folder of a run that has ended is one trace.
Result<Follow> open(const TraceInput& input, const FollowOptions& wanted, Report& report) {
  const std::string& file = input.first();
  if (file == "-" || input.program || !is_trace_folder(file)) return follow(input, wanted);
  auto folder = open_trace_folder(file);
  if (!folder) return folder.status();
  report.set_unread(file, std::move((*folder).problems));
  auto follow = Follow::open((*folder).descriptor, file, wanted);
  ::close((*folder).descriptor);
  return follow;
}

void say_late(const std::string& name, const Follow& follow, const Report& report) {
  const std::uint64_t count = follow.late();
  if (count == 0) return;
  report.say(fmt::format("{}: {} event{} came late: printed after later ones", name, count, count == 1 ? "" : "s"));
}

// Of a pipe, which was read once, what its last blocks tell.
int finish_pipe(const std::string& name, Follow& follow, const Report& report) {
  const std::vector<Damage> damage = follow.damage();
  for (const std::string& sentence : damage_sentences(damage)) report.say(fmt::format("{}: {}", name, sentence));
  if (follow.trace().sessions().back().closed) return damage.empty() ? kExitOk : kExitPartly;
  report.say(fmt::format("{}: the session is truncated: its end is missing", name));
  return kExitPartly;
}

int finish(DumpArguments& options, Follow& follow, const Follower& follower, Report& report) {
  const std::string name = Reading::name_of(options.files.front());
  say_late(name, follow, report);
  if (options.files.front() == "-") return finish_pipe(name, follow, report);
  auto whole = follow.whole();
  if (!whole) return report.no_answer(whole.status());
  const std::vector<const Trace*> traces = {&*whole};
  if (const Status resolved = options.selection.resolve(traces); !resolved.ok()) {
    return report.usage(resolved.message());
  }
  const int exit = std::max(report.finish(name, *whole), report.say_missing(follower.fields_declared_later(*whole)));
  return std::max(exit, report.say_missing(options.selection.nowhere_in(traces)));
}

}  // namespace

int run_follow(DumpArguments& options, Report& report) {
  if (options.files.size() > 1) return report.usage("--follow takes one trace");
  if (!options.selection.threads.empty()) {
    return report.usage("--follow knows no --thread and --process; --stream and --where choose events");
  }
  FollowOptions wanted;
  wanted.events.markers = true;
  options.selection.narrow(&wanted.events);
  auto follow = open(trace_input(options.files.front()), wanted, report);
  if (!follow) return report.no_answer(follow.status());
  Follower follower(options, report, *follow, wanted.events);
  bool waits = false;  // for what is asked for
  Status status;
  do {
    status = follower.look();
    if (follower.has_durations()) return report.usage("--follow does not know how long spans are before they end");
    if (status.ok()) continue;
    if (status.code() != Code::kInvalid) return report.no_answer(status);
    if (waits || follow->trace().sessions().back().end() != SessionEnd::kLiving) continue;
    report.say(status.message() + "; a type that has it may be declared later");
    waits = true;
  } while (!follower.is_complete() && follow->wait());
  if (!follow->status().ok()) return report.no_answer(follow->status());
  if (!status.ok()) return report.usage(status.message());
  return finish(options, *follow, follower, report);
}

}  // namespace evt::tools
