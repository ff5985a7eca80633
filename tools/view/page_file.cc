#include "page_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <vector>

#include "base/json_object.h"
#include "base/output.h"
#include "base/progress.h"
#include "flow_list.h"
#include "libtrace-view/tiles/tile.h"
#include "packed_text.h"
#include "trace_answers.h"
#include "view_page.h"

namespace evt::tools {
namespace {

using view::TilePlace;

// The whole session in an eighth of a tile: in a page of 141 pixels a pixel has a column of that.
constexpr unsigned kCoarser = 3;

// The tiles of a session, level by level from the coarsest on, as a page keeps them in itself.
// Refers to the answers.
class PackedLevels {
 public:
  PackedLevels(TraceAnswers& answers, std::size_t session)
      : answers_(answers), session_(session), range_(answers.range(session)), rows_(answers.end_of_ids(session)) {
    std::iota(rows_.begin(), rows_.end(), 0u);
    const unsigned whole = view::whole_level(range_);
    const unsigned coarsest = view::coarsest_level(range_, kCoarser);
    next_ = static_cast<int>(coarsest);
    needed_ = coarsest > whole ? coarsest - whole + 1 : 1;
  }

  // The levels without which there is no picture of the whole session at some width of the page.
  unsigned needed() const { return needed_; }
  bool is_complete() const { return next_ < 0; }
  // Adds the next finer level, if it takes no more than this as text; false if it does.
  bool add_next(std::size_t most) {
    const auto level = static_cast<unsigned>(next_);
    std::optional<std::string> json = level_json(level, most);
    if (!json) return false;
    levels_.push_back(*std::move(json));
    const bool goes_on = level > 0 && (levels_.size() < needed_ || is_worth(level - 1));
    next_ = goes_on ? next_ - 1 : -1;
    return true;
  }
  void remove_last() { levels_.pop_back(); }
  // As JSON: {"level":12,"first":INDEX,"parts":[{"sizes":[BYTES,...],"data":"..."},...]},... Parts are tiles of all
  // rows, as /v1/tiles answers them, one behind another, packed together.
  std::string json() const { return fmt::format("{}", fmt::join(levels_, ",")); }
  std::size_t size() const {
    std::size_t size = 0;
    for (const std::string& level : levels_) size += level.size() + 1;
    return size;
  }
  // A tile of a time in which there is nothing, packed.
  std::string empty() const {
    const view::TilesOfLevel tiles(range_, 0);
    const TilePlace place{0, TilePlace{0, tiles.last + 1}.is_in_time() ? tiles.last + 1 : tiles.first - 1};
    return packed(answers_.tile(session_, place, rows_));
  }

 private:
  // Of tiles that are packed together, so that the page need not unpack all of a level.
  static constexpr std::size_t kPartBytes = std::size_t{256} << 10;
  // Of a level: a page shows one or two of them at once.
  static constexpr std::int64_t kMaxTiles = 256;
  // Of a level, if each of its tiles were made by reading the events again.
  static constexpr std::uint64_t kMaxEventsRead = std::uint64_t{256} << 20;

  bool is_worth(unsigned level) const {
    const std::int64_t tiles = view::TilesOfLevel(range_, level).count();
    return tiles <= kMaxTiles && answers_.event_count(session_) <= kMaxEventsRead / static_cast<std::uint64_t>(tiles);
  }
  std::optional<std::string> level_json(unsigned level, std::size_t most) const {
    const auto [of, first, last] = view::TilesOfLevel(range_, level);
    std::string json = fmt::format("{{\"level\":{},\"first\":{},\"parts\":[", of, first);
    const char* between = "";
    for (std::int64_t index = first; index <= last;) {
      PackedText part;
      std::vector<std::size_t> sizes;
      for (std::size_t size = 0; index <= last && size < kPartBytes; ++index) {
        const std::string tile = answers_.tile(session_, {level, index}, rows_);
        part.add(tile);
        sizes.push_back(tile.size());
        size += tile.size();
        if (json.size() + part.size() > most) return std::nullopt;
      }
      json += fmt::format("{}{{\"sizes\":[{}],\"data\":\"{}\"}}", between, fmt::join(sizes, ","), part.text());
      between = ",";
    }
    json += "]}";
    return json.size() <= most ? std::optional(json) : std::nullopt;
  }

  TraceAnswers& answers_;
  std::size_t session_;
  TimeRange range_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::string> levels_;
  unsigned needed_ = 0;
  int next_ = -1;  // the level that add_next() adds
};

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
