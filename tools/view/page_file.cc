#include "page_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/json_object.h"
#include "base/output.h"
#include "base/progress.h"
#include "flow_list.h"
#include "packed_levels.h"
#include "packed_text.h"
#include "view_page.h"

namespace evt::tools {
namespace {

// Of a session whose events are in the file, if they take no more than half of it.
constexpr std::uint64_t kMaxEvents = 200'000;
constexpr std::uint64_t kPerMille = 1000;
// Where index.html has room for it.
constexpr std::string_view kPlace = "<!--embedded-->";
constexpr std::string_view kBegin = "<script id=\"embedded\" type=\"application/json\">";
constexpr std::string_view kEnd = "</script>";

// A session in the file.
struct PagePart {
  // With statistics that take no more than `most` bytes each.
  PagePart(TraceAnswers& all, std::size_t number, std::uint64_t most)
      : answers(all), session(number), levels(all, number) {
    std::vector<const PageStatistics*> rest = all.statistics(number);
    while (!rest.empty()) {
      const auto others = std::stable_partition(
          rest.begin(), rest.end(), [&, first = rest.front()](const auto* each) { return each->has_rows_of(*first); });
      const std::vector<const PageStatistics*> alike(rest.begin(), others);
      rest.erase(rest.begin(), others);
      const std::vector<std::string> texts = all.statistics(number, all.whole(number), alike);
      for (std::size_t i = 0; i < alike.size(); ++i) {
        std::string text = packed(texts[i]);
        if (text.size() <= most) statistics.push_back({alike[i]->name, std::move(text)});
      }
    }
    empty = levels.empty();
  }

  // Names in it may become more with each level.
  std::string rows() const { return packed(answers.rows(session)); }

  TraceAnswers& answers;
  std::size_t session;
  PackedLevels levels;
  struct Named {
    std::string name;
    std::string text;
  };
  std::vector<Named> statistics;  // of the whole session
  std::string empty;
  std::string events;  // empty: they are not in the file
  std::string flows;   // the same
};

class PageFile {
 public:
  PageFile(ViewedTraces& traces, std::uint64_t size) : traces_(traces), limit_(size) {
    Progress progress;
    while (traces.answers().read_on()) {
      progress.show(static_cast<std::uint64_t>(traces.answers().share_read() * kPerMille), kPerMille);
    }
    progress.clear();
    trace_ = packed(traces.answers().trace());
    for (std::size_t i = 0; i < traces.answers().sessions(); ++i) parts_.emplace_back(traces.answers(), i, limit_ / 16);
  }

  Status fill() {
    for (PagePart& part : parts_) {
      for (unsigned i = 0; i < part.levels.needed(); ++i) part.levels.add_next(SIZE_MAX);
    }
    if (size() > limit_)
      return {Code::kInvalid,
              fmt::format("--detail: the coarsest picture takes {} bytes, more than {}", size(), limit_)};
    for (PagePart& part : parts_) add_events(&part);
    while (add_level()) {
    }
    return {};
  }

  std::string text() const { return embedded(json()); }

 private:
  std::size_t size() const { return text().size(); }

  std::size_t room() const {
    const std::size_t used = size();
    return used < limit_ ? limit_ - used : 0;
  }

  void add_events(PagePart* part) {
    if (part->answers.event_count(part->session) > kMaxEvents) return;
    part->events = packed(part->answers.all_events(part->session));
    part->flows = packed(part->answers.flows(part->session, TimeRange(), {}, FlowList::kMost));
    if (part->events.size() + part->flows.size() <= limit_ / 2 && size() <= limit_) return;
    part->events.clear();
    part->flows.clear();
  }

  // One more of each session that lacks some; false if there is no room for all of them, or nothing is lacking.
  bool add_level() {
    std::vector<PagePart*> grown;
    bool fits = true;
    for (PagePart& part : parts_) {
      if (part.levels.is_complete()) continue;
      fits = part.levels.add_next(room());
      if (!fits) break;
      grown.push_back(&part);
    }
    if (fits && size() <= limit_) return !grown.empty();
    for (PagePart* const part : grown) part->levels.remove_last();
    return false;
  }

  std::string json() const {
    return json_text([&](JsonObject& json) {
      json.name_text("trace", trace_);
      json.name_text("files", packed(json_text([&](JsonObject& each) { each.all_texts("names", traces_.files()); })));
      json.objects("sessions", parts_, [](JsonObject& each, const PagePart& part) {
        each.name_text("rows", part.rows());
        each.object("stats", [&](JsonObject& all) {
          for (const PagePart::Named& statistics : part.statistics) {
            all.name_text(statistics.name, statistics.text);
          }
        });
        each.name_text("empty", part.empty);
        each.name_text("events", part.events);
        each.name_text("flows", part.flows);
        each.number("levels", '[' + part.levels.json() + ']');
      });
    });
  }

  static std::string embedded(const std::string& json) {
    const std::string_view page = view_page();
    const std::size_t place = page.find(kPlace);
    return fmt::format("{}{}{}{}{}", page.substr(0, place), kBegin, json, kEnd, page.substr(place + kPlace.size()));
  }

  ViewedTraces& traces_;
  std::uint64_t limit_;
  std::string trace_;
  std::deque<PagePart> parts_;
};

}  // namespace

Status write_page_file(ViewedTraces& traces, const std::string& path, const OutputMode& mode, std::uint64_t size) {
  PageFile page(traces, size);
  const Status filled = page.fill();
  if (!filled.ok()) return filled;
  return write_file(path, mode, page.text());
}

}  // namespace evt::tools
