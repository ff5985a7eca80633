#include <evt/export/pretty_printer.h>
#include <evt/text/text_buffer.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/text/event_text.h"
#include "libtrace-read/text/last_time.h"
#include "libtrace-read/text/letter_case.h"
#include "libtrace-read/text/memo.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-read/text/stream_names.h"
#include "libtrace-read/text/text_syntax.h"
#include "libtrace-read/text/time_text.h"
#include "libtrace-read/text/utf8.h"

namespace evt {
namespace {

// Colours what a user looked for: each of the texts in `out` from `start` on is put between `color` and `plain`. With
// `ignore_case`, ASCII case does not matter.
void highlight(TextBuffer& out, std::size_t start, const std::vector<std::string>& texts, bool ignore_case,
               std::string_view color, std::string_view plain) {
  const std::string line(out.text().substr(start));
  const std::string searched = ignore_case ? in_lower_case(line) : line;
  // The next match: its place and length.
  const auto find_from = [&](std::size_t at) {
    std::pair<std::size_t, std::size_t> first(std::string::npos, 0);
    for (const std::string& text : texts) {
      const std::size_t found =
          text.empty() ? std::string::npos : searched.find(ignore_case ? in_lower_case(text) : text, at);
      if (found < first.first || (found == first.first && text.size() > first.second)) first = {found, text.size()};
    }
    return first;
  };
  std::size_t at = 0;
  auto next = find_from(at);
  if (next.first == std::string::npos) return;
  out.cut(start);
  for (; next.first != std::string::npos; next = find_from(at)) {
    out += std::string_view(line).substr(at, next.first - at);
    out += color;
    out += std::string_view(line).substr(next.first, next.second);
    out += plain;
    at = next.first + next.second;
  }
  out += std::string_view(line).substr(at);
}

constexpr const char* kDim = "\x1b[2m";
constexpr const char* kStreamColor = "\x1b[36m";
constexpr const char* kTypeColor = "\x1b[1m";
constexpr const char* kAlarmColor = "\x1b[1;31m";
constexpr const char* kPlain = "\x1b[0m";

class PrettyPrinter : public EventLines {
 public:
  explicit PrettyPrinter(const PeopleOptions& options) : options_(options), time_(style_of(options.time)) {}

  void begin(TextBuffer& out, const std::string& file, const Trace& trace) override {
    if (options_.several) {
      fmt::format_to(std::back_inserter(out), "{}# {}\n", between_, shown(file));
      between_ = "\n";
    }
    several_sessions_ = trace.sessions().size() > 1;
    names_.begin(trace);
    session_ = nullptr;
    last_.open(!options_.several);
    streams_.clear();
    types_.clear();
    stream_width_ = type_width_ = 1;
    for (const Session& session : trace.sessions()) {
      for (const StreamInfo& stream : session.streams) widen(&stream_width_, columns_of(names_.shown(stream)), 24);
      for (const EventType& type : session.types) widen(&type_width_, columns_of(shown(type.name())), 32);
    }
  }

  void append(TextBuffer& out, const Event& event) override {
    if (&event.session() != session_) begin_session(out, event.session());
    painted(out, kDim, [&] { append_time(out, event); });
    const std::size_t behind_time = out.size();
    out += streams_.of(&event.stream(), [&] { return stream_column(event.stream()); });
    const TypeColumn& type = types_.of(event.type(), [&] { return type_column(event); });
    out += type.name;
    append_fields(out, event, type.fields, style_);
    if (event.has_impossible_stamp()) {
      painted(out, kAlarmColor, [&] {
        out += "  !impossible stamp ";
        append_number(out, event.stamp());
      });
    }
    while (out.back() == ' ') out.pop_back();
    if (options_.color && is_highlighted()) {
      highlight(out, behind_time, options_.highlight, options_.ignore_case, kAlarmColor, kPlain);
    }
    out += '\n';
  }

 private:
  static TimeText::Style style_of(TimeStyle time) {
    return time == TimeStyle::kUtc         ? TimeText::Style::kUtc
           : time == TimeStyle::kLocal     ? TimeText::Style::kLocal
           : time == TimeStyle::kSinceLast ? TimeText::Style::kSteps
                                           : TimeText::Style::kColumn;
  }

  struct TypeColumn {
    CachedText name;
    std::vector<CachedText> fields;
  };

  CachedText stream_column(const StreamInfo& stream) const {
    return CachedText(text_from([&](TextBuffer& out) {
      out += "  ";
      painted_name(out, kStreamColor, [&] { append_padded(out, names_.shown(stream), stream_width_); });
      out += "  ";
    }));
  }

  TypeColumn type_column(const Event& event) const {
    const bool alarming = event.is_lost() || event.is_jump();
    const auto append = [&](TextBuffer& out) {
      painted_name(out, alarming ? kAlarmColor : kTypeColor,
                   [&] { append_padded(out, shown_type(event), type_width_); });
    };
    return {CachedText(text_from(append)), field_names(event.type())};
  }

  static void widen(std::size_t* width, std::size_t wanted, std::size_t most) {
    *width = std::max(*width, std::min(wanted, most));
  }

  void begin_session(TextBuffer& out, const Session& session) {
    session_ = &session;
    if (!last_.begin(session) || !several_sessions_) return;
    fmt::format_to(std::back_inserter(out), "# session of {}, {}\n", shown_program(session),
                   utc_text(session.start_utc_ns));
  }

  void append_time(TextBuffer& out, const Event& event) {
    const std::int64_t ns = event.ns();
    if (options_.time == TimeStyle::kSinceLast) return time_.append(out, last_.step_to(ns));
    const bool is_of_day = options_.time != TimeStyle::kSinceStart;
    time_.append(out, is_of_day ? event.utc_ns() : ns);
    if (!options_.delta) return;
    out += ' ';
    step_.append(out, last_.step_to(ns));
  }

  bool is_highlighted() const { return !options_.highlight.empty(); }

  template <typename Append>
  void painted_name(TextBuffer& out, const char* color, Append append) const {
    is_highlighted() ? append() : painted(out, color, append);
  }

  template <typename Append>
  void painted(TextBuffer& out, const char* color, Append append) const {
    if (options_.color) out += color;
    append();
    if (options_.color) out += kPlain;
  }

  PeopleOptions options_;
  const char* between_ = "";
  bool several_sessions_ = false;
  std::size_t stream_width_ = 1;
  std::size_t type_width_ = 1;
  const Session* session_ = nullptr;
  Memo<const StreamInfo*, CachedText> streams_;
  TypeMemo<TypeColumn> types_;
  TimeText time_;
  TimeText step_{TimeText::Style::kSteps};
  LastTime last_;
  StreamNames names_;
  PeopleStyle style_;
};

}  // namespace

std::unique_ptr<EventLines> pretty_printer(const PeopleOptions& options) {
  return std::make_unique<PrettyPrinter>(options);
}

}  // namespace evt
