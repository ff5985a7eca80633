#include <evt/text/text_buffer.h>
#include <evt/trace.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/output.h"
#include "base/report.h"
#include "cmd/commands.h"
#include "cmd/last_events.h"
#include "input/trace_inputs.h"
#include "libtrace-read/text/event_text.h"
#include "libtrace-read/text/letter_case.h"
#include "libtrace-read/text/memo.h"
#include "libtrace-read/text/shown.h"
#include "where/where_value.h"

namespace evt::tools {
namespace {

bool is_of_number(const std::string& text) { return text.find_first_not_of("-.0123456789") == std::string::npos; }

// What is shown of it has no other characters.
bool has_digits_alone(const Value& value) {
  return (value.kind() == Kind::kUnsigned || value.kind() == Kind::kSigned) && !value.field().absent;
}

// Looks for some texts, of which one is enough, in the name of the type and of the stream and in each value of an
// event, as evt dump shows it but without quotes and whole; or compares each of these with patterns (* ? [a-z]), which
// describe all of it. Refers to the trace at hand. One thread at a time.
class TextSearch {
 public:
  // Upper and lower case of ASCII are the same if `ignore_case`.
  TextSearch(std::vector<std::string> texts, std::vector<std::string> patterns, bool ignore_case)
      : texts_(std::move(texts)), patterns_(std::move(patterns)), ignore_case_(ignore_case) {
    may_be_in_number_ = !patterns_.empty() || std::ranges::any_of(texts_, is_of_number);
    if (!ignore_case_) return;
    for (std::string& text : texts_) text = in_lower_case(text);
    for (std::string& pattern : patterns_) pattern = in_lower_case(pattern);
  }

  // Events of this trace follow.
  void begin() {
    streams_.clear();
    types_.clear();
  }

  // Also of any event when there is nothing to look for.
  bool finds(const Event& event) {
    if (texts_.empty() && patterns_.empty()) return true;
    if (types_.of(event.type(), [&] { return is_in(event.type().name()); })) return true;
    if (streams_.of(&event.stream(), [&] { return is_in(event.stream().name); })) return true;
    FieldWalker walker = event.values();
    while (const std::optional<Value> value = walker.next()) {
      if (value_has_it(event, *value)) return true;
    }
    return false;
  }

 private:
  bool is_in(std::string_view text) const {
    const std::string lower = ignore_case_ ? in_lower_case(text) : std::string();
    const std::string_view searched = ignore_case_ ? lower : text;
    return std::ranges::any_of(texts_, [&](const std::string& each) { return searched.find(each) != searched.npos; }) ||
           std::ranges::any_of(patterns_, [&](const std::string& each) { return matches_pattern(each, searched); });
  }

  bool value_has_it(const Event& event, const Value& value) {
    if (value.is_sequence()) {
      bool any = false;
      value.for_each([&](const Value& element) { any = any || value_has_it(event, element); });
      return any;
    }
    if (has_digits_alone(value) && !may_be_in_number_) return false;
    if (!value.is_absent() && value.kind() == Kind::kText) return is_in(value.as_text());
    if (!value.is_absent() && value.kind() == Kind::kInterned) {
      const std::string* const text = event.session().text({static_cast<std::uint32_t>(value.as_unsigned())});
      if (text != nullptr) return is_in(*text);
    }
    WholePeopleStyle style;
    made_.clear();
    append_value(made_, event, value, style);
    return is_in(made_.text());
  }

  std::vector<std::string> texts_;
  std::vector<std::string> patterns_;
  bool ignore_case_;
  bool may_be_in_number_;
  Memo<const StreamInfo*, bool> streams_;
  TypeMemo<bool> types_;
  TextBuffer made_;
};

// Prints events of one trace with those around them: a second reading follows the one that looks for events, so that
// none is held.
class ContextPrinter {
 public:
  ContextPrinter(Trace& trace, const EventOptions& all, std::uint64_t context, EventLines& lines, TextOutput& out)
      : events_(trace.events(all)), context_(context), lines_(&lines), out_(&out) {}

  // The event with this place among all is one that was found. False when standard output is gone.
  bool print_around(std::uint64_t place, bool has_separators) {
    const std::uint64_t from = std::max(next_, place - std::min(place, context_));
    if (has_separators && from > next_ && is_begun_) out_->text() += "--\n";
    is_begun_ = true;
    while (next_ < from && events_.next() != nullptr) ++next_;
    while (next_ <= saturated(place, context_) && out_->drain()) {
      const Event* const event = events_.next();
      if (event == nullptr) return true;
      lines_->append(out_->text(), *event);
      ++next_;
    }
    return out_->status().ok();
  }

 private:
  static std::uint64_t saturated(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

  Events events_;
  std::uint64_t context_;
  EventLines* lines_;
  TextOutput* out_;
  std::uint64_t next_ = 0;  // the place of the event that events_ has next
  bool is_begun_ = false;
};

class Grep {
 public:
  Grep(GrepArguments& options, Report& report, TextOutput& out)
      : options_(options), report_(report), out_(out), search_(options.texts, options.patterns, options.ignore_case) {}

  // How many events of a trace were found; `lines` is null when they are only counted.
  std::uint64_t search(OpenedTrace& input, EventLines* lines) {
    search_.begin();
    EventOptions all;
    all.markers = true;
    options_.selection.narrow(&all);
    LastEvents range{all, 0};
    if (options_.has_last()) {
      const auto is_found = [this](const Event& event) { return finds(event); };
      // Events in front of the first of them may be in its context.
      if (options_.context == 0) range = last_events(input.trace, all, options_.last, is_found);
      if (options_.context > 0) range.skip = number_before_last(input.trace, all, is_found);
    }
    return lines == nullptr ? count(input.trace, all) : print(input, range, *lines);
  }

 private:
  bool finds(const Event& event) { return options_.selection.wants(event) && search_.finds(event); }

  std::uint64_t number_before_last(Trace& trace, const EventOptions& all, const CountsEvent& is_found) const {
    const std::uint64_t count = number_of_events(trace, all, is_found);
    return count - std::min(count, options_.last);
  }

  std::uint64_t count(Trace& trace, const EventOptions& all) {
    Events events = trace.events(all);
    std::uint64_t found = 0;
    while (found < options_.first) {
      const Event* const event = events.next();
      if (event == nullptr) break;
      found += finds(*event) ? 1 : 0;
    }
    return found;
  }

  std::uint64_t print(OpenedTrace& input, const LastEvents& range, EventLines& lines) {
    lines.begin(out_.text(), input.name, input.trace);
    Events events = input.trace.events(range.options);
    std::unique_ptr<ContextPrinter> context;
    if (options_.context > 0) {
      context = std::make_unique<ContextPrinter>(input.trace, range.options, options_.context, lines, out_);
    }
    std::uint64_t skip = range.skip;
    std::uint64_t found = 0;
    for (std::uint64_t place = 0; found < options_.first && out_.drain(); ++place) {
      const Event* const event = events.next();
      if (event == nullptr) break;
      if (!finds(*event)) continue;
      if (skip > 0) {
        --skip;
        continue;
      }
      ++found;
      report_.count_unknown_times(*event);
      if (context == nullptr) lines.append(out_.text(), *event);
      if (context != nullptr && !context->print_around(place, options_.form.is_text())) break;
    }
    lines.end(out_.text());
    return found;
  }

  GrepArguments& options_;
  Report& report_;
  TextOutput& out_;
  TextSearch search_;
};

}  // namespace

int run_grep(GrepArguments& options) {
  Report report("evt grep");
  if (const Status status = check_files(options.files, "-"); !status.ok()) return report.usage(status.message());
  int status = kExitOk;
  const std::vector<TraceInput> wanted = trace_inputs(options.files);
  std::vector<OpenedTrace> inputs = open_traces(wanted, options.reading, report, &status);
  if (inputs.empty()) return status;
  const std::vector<const Trace*> traces = traces_of(inputs);
  if (const Status resolved = options.selection.resolve(traces); !resolved.ok()) {
    return std::max(status, report.usage(resolved.message()));
  }
  for (OpenedTrace& input : inputs) options.selection.look_at(input.trace);
  const bool several = wanted.size() > 1;
  // The context has events of all types.
  auto lines = options.form.make_lines(traces, several, [](const EventType&) { return true; },
                                       {options.texts, options.ignore_case});
  if (!lines) return std::max(status, report.usage(lines.status().message()));

  TextOutput out;
  out.set_json_safe(options.form.json_safe);
  Grep grep(options, report, out);
  std::uint64_t found = 0;
  for (OpenedTrace& input : inputs) {
    const std::uint64_t count = grep.search(input, options.count ? nullptr : lines->get());
    if (options.count && several) out.text() += fmt::format("{} {}\n", count, shown(input.name));
    if (options.count && !several) out.text() += fmt::format("{}\n", count);
    found += count;
    if (!out.flush()) return report.no_answer(out.status());
    status = std::max(status, report.finish(input.name, input.trace));
    report.forget_unknown_times();
  }
  status = std::max(status, report.say_missing(options.selection.nowhere_in(traces)));
  return found == 0 ? std::max<int>(status, kExitPartly) : status;
}

}  // namespace evt::tools
