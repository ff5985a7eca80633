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
      take_end(item, &counts);
      break;
    default:
      take_async(item);
      break;
  }
}

void SpanDoubts::take_async(const TimelineItem& item) {
  Counts& counts = counts_[static_cast<std::size_t>(SpanKind::kAsync)];
  if (item.kind == ItemKind::kAsyncEnded) return take_end(item, &counts);
  if (item.kind != ItemKind::kAsyncUnmatched) return;
  const bool has_id = item.event->event->number(Role::kSpanId).has_value();
  ++(has_id ? counts.unmatched_ends : counts.not_timed);
}

void SpanDoubts::take_end(const TimelineItem& item, Counts* counts) const {
  counts->open_at_end += item.is_open ? 1 : 0;
  counts->left_open += item.is_cut ? 1 : 0;
  counts->overlaps += item.overlaps ? 1 : 0;
  counts->uncertain += item.is_uncertain ? 1 : 0;
  counts->clipped += item.began_ns < since_ ? 1 : 0;
}

void SpanDoubts::restart(std::int64_t ns) {
  counts_ = {};
  since_ = ns;
}

void SpanDoubts::add_notes(SpanKind kind, std::vector<std::string>* notes) const {
  const Counts& counts = of(kind);
  const bool is_async = kind == SpanKind::kAsync;
  const std::string word = is_async ? "asynchronous span" : word_of(kind);
  const auto say = [&](std::uint64_t count, const std::string& thing, const std::string& what) {
    if (count > 0) notes->push_back(counted(count, thing.c_str()) + " " + what);
  };
  say(counts.unmatched_ends, "end", "of " + word + "s that were not seen to begin: not counted");
  say(counts.open_at_end, word, "unfinished at the end");
  say(counts.left_open, word,
      is_async ? "unfinished when more than 65536 were open: the oldest" : "unfinished when what was around ended");
  say(counts.overlaps, word, "overlapping another that is neither within nor around: the time of both is the later's");
  if (is_async) {
    say(counts.not_timed, "begin or end", "of asynchronous spans without an id: not counted");
  } else {
    say(counts.not_timed, word, "without a duration that can be understood: not counted");
  }
  say(counts.negative, word, "with a negative duration: counted as 0");
  say(counts.uncertain, word,
      std::string("uncertain: events of the same ") + (is_async ? "process" : "stream") + " were lost meanwhile");
  say(counts.clipped, word, "begun before the time that is asked for: counted from there on");
}

void SpanDoubts::add_notes(std::vector<std::string>* notes) const {
  for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall}) add_notes(kind, notes);
}

}  // namespace evt::report
