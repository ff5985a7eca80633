#include "span_notes.h"

#include "analysis.h"
#include "span_instances.h"

namespace evt::report {

void add_span_notes(const SpanDoubts& doubts, SpanKind kind, std::vector<std::string>* notes) {
  const SpanDoubts::Counts& counts = doubts.of(kind);
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

void add_span_notes(const SpanDoubts& doubts, std::vector<std::string>* notes) {
  for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall}) add_span_notes(doubts, kind, notes);
}

}  // namespace evt::report
