#include "span_doubts.h"

#include "analysis.h"
#include "span_instances.h"

namespace evt::report {

void SpanDoubts::take(const TimelineItem& item) {
  if (!item.is_wanted) return;
  Counts& counts = counts_[item.is_call ? 1 : 0];
  switch (item.kind) {
    case ItemKind::kBegan:
      counts.negative += item.is_negative ? 1 : 0;
      break;
    case ItemKind::kUnmatchedEnd:
      counts.unmatched_ends += item.thread != Actor::kNone ? 1 : 0;
      break;
    case ItemKind::kNotTimed:
      counts.not_timed += item.event->role != Role::kStopped ? 1 : 0;
      break;
    case ItemKind::kEnded:
      counts.open_at_end += item.is_open ? 1 : 0;
      counts.left_open += item.is_cut ? 1 : 0;
      counts.overlaps += item.overlaps ? 1 : 0;
      counts.uncertain += item.is_uncertain ? 1 : 0;
      counts.clipped += item.began_ns < since_ ? 1 : 0;
      break;
    default:
      break;
  }
}

void SpanDoubts::restart(std::int64_t ns) {
  counts_ = {};
  since_ = ns;
}

void SpanDoubts::add_notes(SpanKind kind, std::vector<std::string>* notes) const {
  const Counts& counts = of(kind);
  const std::string word = word_of(kind);
  const auto say = [&](std::uint64_t count, const std::string& thing, const std::string& what) {
    if (count > 0) notes->push_back(counted(count, thing.c_str()) + " " + what);
  };
  say(counts.unmatched_ends, "end", "of " + word + "s that were not seen to begin: not counted");
  say(counts.open_at_end, word, "unfinished at the end");
  say(counts.left_open, word, "unfinished when what was around ended");
  say(counts.overlaps, word, "overlapping another that is neither within nor around: the time of both is the later's");
  say(counts.not_timed, word, "without a duration that can be understood: not counted");
  say(counts.negative, word, "with a negative duration: counted as 0");
  say(counts.uncertain, word, "uncertain: events of the same stream were lost meanwhile");
  say(counts.clipped, word, "begun before the time that is asked for: counted from there on");
}

void SpanDoubts::add_notes(std::vector<std::string>* notes) const {
  for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall}) add_notes(kind, notes);
}

}  // namespace evt::report
