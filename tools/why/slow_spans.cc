#include "why/slow_spans.h"

#include <algorithm>
#include <functional>

namespace evt::tools {
namespace {

struct Chosen {
  WhyInterval interval;
  Why::Moment end;
  bool is_median;
};

// Whichever threads and cpus they were.
Why::Path of_any_thread(Why::Path path) {
  for (WhyStep& step : path) step.thread = step.cpu = step.other = step.leader = WhyStep::kNone;
  return path;
}

std::vector<Chosen> choose(Timeline& timeline, const WhyAsked& asked, WhyGroups* groups, Why* why) {
  std::vector<Chosen> chosen;
  WhySearch search(timeline, asked, {});
  const std::int64_t last_ns = asked.range_in(timeline.actors().session()).to_ns;
  // What ends the range may end spans, too.
  while (const TimelineItem* const item = timeline.next()) {
    if (!why->take(*item) && item->ns > last_ns) break;
    const std::optional<WhyInterval> found = search.interval_of(*item);
    const bool took_time = found && found->length() > 0;
    const WhyGroups::Group group = took_time ? groups->take(found->length()) : WhyGroups::Group::kNone;
    if (group == WhyGroups::Group::kNone) continue;
    chosen.push_back({*found, why->moment(found->thread), group == WhyGroups::Group::kMedian});
  }
  return chosen;
}

}  // namespace

SlowSpans compare_slow_spans(Timeline& timeline, const WhyAsked& asked, std::vector<std::uint64_t> lengths,
                             WhyTable::Form form) {
  WhyGroups groups(std::move(lengths));
  Why why(timeline, asked.range_in(timeline.actors().session()));
  std::vector<Chosen> chosen = choose(timeline, asked, &groups, &why);
  // Changes that are in a file are read once.
  std::ranges::stable_sort(chosen, std::greater(), [](const Chosen& each) { return each.interval.range.to_ns; });
  WhyTree tree;
  for (const Chosen& each : chosen) {
    const auto add = [&](std::int64_t from, std::int64_t to, const Why::Path& path) {
      tree.add(from, to, of_any_thread(path), each.is_median);
    };
    why.divide(each.interval.thread, each.interval.range.from_ns, each.interval.range.to_ns, add, each.end);
  }
  SlowSpans found;
  found.count = groups.count();
  found.slow = groups.slow();
  found.median = groups.median();
  found.slow_ns = mean_of(tree.nodes()[0].ns, found.slow);
  found.median_ns = mean_of(tree.nodes()[0].median_ns, found.median);
  found.differences = WhyTable(WhyWords(timeline, why), tree, form).differences({found.slow, found.median});
  found.has_runs = why.has_runs();
  found.status = why.status();
  return found;
}

}  // namespace evt::tools
