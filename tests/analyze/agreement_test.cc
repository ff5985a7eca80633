// Random traces, of which a quadratic model knows the truth: all statistics have to say the same as it, and as one
// another.
#include <evt/analysis/collections.h>
#include <evt/analysis/cpu_time.h>
#include <evt/analysis/share.h>
#include <evt/analysis/span_doubts.h>
#include <evt/analysis/spans.h>
#include <evt/analysis/thread_times.h>
#include <evt/analysis/usage.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/sanitizer.h"
#include "support/text_trace.h"
#include "thread_stories.h"

namespace evt::testing::agreement {
namespace {

// Divisible by as many as there are threads and collectors, so shares are whole numbers of these parts of a nanosecond.
constexpr std::uint64_t kParts = 420;
constexpr const char* kStates[] = {"unknown", "runnable", "running", "waiting", "outside", "ended"};

struct Said {
  Figures states;  // nanoseconds of a thread
  Figures cpus;
  Figures shares;
  Figures spans;
  Figures collections;
};

std::string row_key(const std::string& thread, bool is_call, const std::string& name) {
  return fmt::format("{} {} {}", thread, is_call ? "call" : "span", name);
}

void add_length(Figures& to, const std::string& key, std::uint64_t length) {
  const std::uint64_t before = to[key + " count"]++;
  std::uint64_t& min = to[key + " min"];
  min = before > 0 ? std::min(min, length) : length;
  std::uint64_t& max = to[key + " max"];
  max = std::max(max, length);
  to[key + " total"] += length;
}

class Truth {
 public:
  explicit Truth(const Story& story) : story_(story), lives_(story.lives()), collections_(story.collections()) {
    const std::set<std::int64_t> moments = story.moments();
    for (auto from = moments.begin(), to = std::next(from); to != moments.end(); ++from, ++to) {
      add_stretch(*from, *to);
      bool paused = false;
      for (const Collection& each : story.collections()) {
        if (!each.goes_on(*from, *to)) continue;
        paused = true;
        said_.collections[fmt::format("stream {}", each.stream)] += ns(*from, *to);
        said_.collections[fmt::format("stream {} {}", each.stream, each.phase(*from))] += ns(*from, *to);
      }
      if (paused) said_.collections["paused"] += ns(*from, *to);
    }
    for (const Life& life : lives_)
      for (const Instance& each : life.instances) add_instance(life, each);
    for (const Collection& each : story.collections()) {
      add_length(said_.collections, "all", ns(each.began, each.ended));
      add_length(said_.collections, fmt::format("generation {}", each.stream), ns(each.began, each.ended));
      ++said_.collections[fmt::format("stream {} took part", each.stream)];
    }
  }

  const Said& said() const { return said_; }
  std::uint64_t life(const std::string& thread) const { return at(life_, thread); }
  std::uint64_t assumed(const std::string& thread) const { return at(assumed_, thread); }
  // Without what is innermost, or with what has not ended there.
  std::uint64_t outside(const std::string& thread) const { return at(outside_, thread); }

  // Of what it ran, or was taken to, its process was stopped.
  std::uint64_t held(const std::string& thread) const { return at(held_, thread); }
  // It would have gone on, and its process was stopped; of that, in what has ended.
  std::uint64_t lost(const std::string& thread) const { return at(lost_, thread); }
  // Of it, a collector worked on the thread.
  std::uint64_t lost_to_collectors(const std::string& thread) const { return at(lost_to_collectors_, thread); }
  std::uint64_t lost_inside(const std::string& thread) const { return at(lost_inside_, thread); }

  static std::uint64_t at(const Figures& figures, const std::string& key) {
    const auto found = figures.find(key);
    return found != figures.end() ? found->second : 0;
  }

 private:
  static std::uint64_t ns(std::int64_t from, std::int64_t to) { return static_cast<std::uint64_t>(to - from); }

  static bool goes_on(const Life& life, std::int64_t from) {
    return life.at(from).state != ThreadState::kWaiting && life.at(from).state != ThreadState::kEnded;
  }

  // Of one that has ended, what its thread lost.
  std::uint64_t lost_in(const Life& life, const Instance& instance) const {
    std::uint64_t lost = 0;
    const std::set<std::int64_t> moments = story_.moments();
    for (auto from = moments.begin(), to = std::next(from); to != moments.end(); ++from, ++to) {
      if (*from < instance.began || *to > instance.ended || !story_.is_stopped(*from, *to)) continue;
      if (life.exists(*from, *to) && goes_on(life, *from)) lost += ns(*from, *to);
    }
    return lost;
  }

  void add_stretch(std::int64_t from, std::int64_t to) {
    const bool is_stopped = story_.is_stopped(from, to);
    std::vector<const Life*> active;
    for (const Life& life : lives_) {
      if (!life.exists(from, to)) continue;
      Change is = life.at(from);
      const Instance* const innermost = life.innermost(from, to);
      const bool collects = story_.collects_on(life, from, to);
      const bool is_held = collects && (is.state == ThreadState::kRunning || is.state == ThreadState::kUnknown);
      if (is_held) is.state = ThreadState::kRunnable;
      const bool runs = is.state == ThreadState::kRunning;
      const bool is_assumed = life.shown > from && innermost != nullptr && !is_held;
      life_[life.key()] += ns(from, to);
      // There are no rows of threads of which no event records a state.
      if (!life.changes.empty()) said_.states[life.key() + " " + kStates[static_cast<int>(is.state)]] += ns(from, to);
      if (runs) said_.cpus[fmt::format("{} cpu {}", life.key(), is.cpu)] += ns(from, to);
      if ((runs || is_assumed) && !is_stopped) active.push_back(&life);
      if ((runs || is_assumed) && is_stopped) held_[life.key()] += ns(from, to);
      if (is_assumed) assumed_[life.key()] += ns(from, to);
      if (innermost == nullptr || innermost->ended == kOpen) outside_[life.key()] += ns(from, to);
      const bool loses = is_stopped && goes_on(life, from);
      if (loses) lost_[life.key()] += ns(from, to);
      if (loses && is_held) lost_to_collectors_[life.key()] += ns(from, to);
      if (innermost == nullptr || innermost->ended == kOpen) continue;
      if (loses) lost_inside_[life.key()] += ns(from, to);
      if (loses) continue;
      for (const std::string& whose : {life.key(), std::string("any")})
        said_.spans[row_key(whose, innermost->is_call, innermost->name) + " self"] += ns(from, to);
    }
    std::vector<std::string> rows;
    for (const Life* const life : active) {
      const Instance* const innermost = life->innermost(from, to);
      rows.push_back(innermost != nullptr ? row_key(life->key(), innermost->is_call, innermost->name)
                                          : life->key() + " itself");
    }
    for (const Collection& each : collections_) {
      if (each.goes_on(from, to) && each.phase(from) == "work" && !is_stopped)
        rows.push_back(fmt::format("gc {}", each.stream));
    }
    if (rows.empty()) said_.shares["idle"] += ns(from, to);
    for (const std::string& key : rows) {
      said_.shares[key + " ns"] += ns(from, to);
      said_.shares[key + " share"] += ns(from, to) * kParts / rows.size();
      said_.shares[key + " serial"] += rows.size() == 1 ? ns(from, to) : 0;
      said_.shares[key + " weighted"] += ns(from, to) * rows.size();
    }
  }

  void add_instance(const Life& life, const Instance& instance) {
    bool is_outermost = true;
    for (const Instance& each : life.instances) {
      if (&each == &instance || each.name != instance.name || each.is_call != instance.is_call) continue;
      // What ends and begins at one moment is not one in the other; if both last, so is what begins with another.
      const bool is_later = each.began == instance.began && &each > &instance;
      if (each.began <= instance.began && each.ended >= instance.ended && each.ended > instance.began && !is_later)
        is_outermost = false;
    }
    const std::uint64_t lost = lost_in(life, instance);
    for (const std::string& whose : {life.key(), std::string("any")}) {
      const std::string key = row_key(whose, instance.is_call, instance.name);
      if (instance.ended == kOpen) {
        ++said_.spans[key + " unfinished"];
        continue;
      }
      const std::uint64_t length = ns(instance.began, instance.ended) - lost;
      add_length(said_.spans, key, length);
      said_.spans[key + " stopped"] += lost;
      if (is_outermost) said_.spans[key + " sum"] += length;
    }
  }

  const Story& story_;
  const std::vector<Life>& lives_;
  const std::vector<Collection>& collections_;
  Said said_;
  Figures life_;
  Figures assumed_;
  Figures outside_;
  Figures held_;
  Figures lost_;
  Figures lost_to_collectors_;
  Figures lost_inside_;
};

void add_histogram(Figures& to, const std::string& key, const Histogram& lengths) {
  to[key + " count"] = lengths.count();
  to[key + " min"] = lengths.min();
  to[key + " max"] = lengths.max();
  to[key + " total"] = lengths.sum();
}

void add_spans(Figures& to, const Spans& spans, Timeline& timeline, const std::vector<std::string>& threads) {
  for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall}) {
    for (const Spans::Row& row : spans.rows(kind)) {
      const std::string key = row_key(row.thread == Actor::kNone ? "any" : threads.at(row.thread),
                                      kind == SpanKind::kCall, timeline.names().text(row.name));
      add_histogram(to, key, row.lengths);
      to[key + " sum"] = row.sum_ns;
      to[key + " self"] = row.self_ns;
      to[key + " stopped"] = row.stopped_ns;
      to[key + " unfinished"] = row.unfinished;
    }
  }
}

// Shares and idle time are the whole time, to the nanosecond.
void expect_whole(const std::vector<Uint128>& shares, std::uint64_t idle, std::uint64_t wall) {
  std::uint64_t sum = idle;
  const std::vector<std::uint64_t> wholes = whole_shares(shares, wall - idle);
  ASSERT_EQ(wholes.size(), shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    sum += wholes[i];
    EXPECT_TRUE(wholes[i] == shares[i].high || wholes[i] == shares[i].high + 1) << wholes[i] << " " << shares[i].high;
  }
  EXPECT_EQ(sum, wall);
}

void expect_agreement(const Story& story) {
  const Truth truth(story);
  const std::string bytes = trace_from_text(story.text());
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  ASSERT_TRUE(timeline.next_session());
  CpuTime cpu;
  ThreadTimes times;
  Share share(timeline, ShareModel::kRunning);
  Spans spans(timeline, {});
  Spans spans_by_thread(timeline, {.by_thread = true, .subtract_event_ps = {}});
  Usage usage(timeline, {});
  Collections collections(timeline.actors().session());
  SpanDoubts doubts;
  while (const TimelineItem* const item = timeline.next()) {
    cpu.take(*item);
    times.take(*item);
    share.take(*item);
    spans.take(*item);
    spans_by_thread.take(*item);
    usage.take(*item);
    collections.take(*item);
    doubts.take(*item);
  }
  EXPECT_EQ(timeline.doubts().replaced + timeline.doubts().moved, 0U);
  for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall}) {
    EXPECT_EQ(doubts.of(kind).unmatched_ends + doubts.of(kind).overlaps, 0U);
  }
  const std::vector<std::string> threads = thread_keys(timeline);
  const std::int64_t end = story.end_ns();

  Said said;
  Figures ran;
  for (const CpuTime::Cell& cell : cpu.cells(end)) {
    said.cpus[fmt::format("{} cpu {}", threads.at(cell.thread), timeline.actors().cpus()[cell.cpu].number)] = cell.ns;
    ran[threads.at(cell.thread)] += cell.ns;
  }

  Figures lives;
  for (const ThreadTimes::Row& row : times.rows(end)) {
    const std::string& thread = threads.at(row.thread);
    for (std::size_t i = 0; i < ThreadTimes::kStates; ++i) {
      said.states[thread + " " + kStates[i]] = row.ns[i];
      lives[thread] += row.ns[i];
    }
    EXPECT_EQ(lives[thread], truth.life(thread)) << thread;
    EXPECT_EQ(row.ns[static_cast<int>(ThreadState::kRunning)], ran[thread]) << thread;
  }

  Figures active;
  std::vector<Uint128> shares;
  for (const Share::Row& row : share.rows(end)) {
    const bool is_collector = row.thread == Share::kNone;
    const std::string thread = is_collector ? "gc" : threads.at(row.thread);
    const std::string key = is_collector ? fmt::format("gc {}", timeline.actors().session().streams[row.name].id)
                            : row.name == Share::kNone ? thread + " itself"
                                                       : row_key(thread, row.is_call, timeline.names().text(row.name));
    const double parts = static_cast<double>(row.time.share.low) * 0x1p-64 * kParts;
    said.shares[key + " ns"] = row.time.ns;
    said.shares[key + " share"] = row.time.share.high * kParts + static_cast<std::uint64_t>(std::lround(parts));
    said.shares[key + " serial"] = row.time.serial_ns;
    said.shares[key + " weighted"] = row.time.weighted.low;
    if (!is_collector) active[thread] += row.time.ns;
    shares.push_back(row.time.share);
  }
  said.shares["idle"] = share.idle_ns(end);
  expect_whole(shares, share.idle_ns(end), static_cast<std::uint64_t>(end));
  for (const auto& [thread, ns] : active)
    EXPECT_EQ(ns + truth.held(thread), ran[thread] + truth.assumed(thread)) << thread;

  add_spans(said.spans, spans, timeline, threads);
  add_spans(said.spans, spans_by_thread, timeline, threads);
  Figures selves;
  for (const auto& [key, ns] : said.spans)
    if (key.ends_with(" self")) selves[key.substr(0, key.find(' '))] += ns;
  for (const auto& [thread, ns] : lives)
    EXPECT_EQ(Truth::at(selves, thread) + truth.outside(thread) + truth.lost_inside(thread), ns) << thread;

  // No resource is limited: what usage has as stopped is all that threads lost.
  Figures moved;
  for (const Usage::Row& row : usage.rows()) {
    moved[threads.at(row.thread)] += row.sum.stopped_ns - row.sum.unnamed.stopped_ns;
  }
  for (const Usage::ThreadRow& row : usage.threads(end)) {
    for (const std::uint64_t ns : row.times.moved) moved[threads.at(row.thread)] += ns;
  }
  for (const auto& [thread, ns] : lives)
    EXPECT_EQ(moved[thread] + truth.lost_to_collectors(thread), truth.lost(thread)) << thread;

  add_histogram(said.collections, "all", collections.pauses());
  for (const auto& [generation, lengths] : collections.by_generation())
    add_histogram(said.collections, fmt::format("generation {}", generation), lengths);
  for (const Collections::Capability& each : collections.capabilities(end)) {
    said.collections[fmt::format("stream {}", each.stream->id)] = each.collector_ns;
    said.collections[fmt::format("stream {} took part", each.stream->id)] = each.collections;
    said.collections[fmt::format("stream {} work", each.stream->id)] = each.work_ns;
    said.collections[fmt::format("stream {} idle", each.stream->id)] = each.idle_ns;
    said.collections[fmt::format("stream {} done", each.stream->id)] = each.sync_ns;
  }
  said.collections["paused"] = collections.paused_ns();

  EXPECT_EQ(words_of(said.states), words_of(truth.said().states));
  EXPECT_EQ(words_of(said.cpus), words_of(truth.said().cpus));
  EXPECT_EQ(words_of(said.shares), words_of(truth.said().shares));
  EXPECT_EQ(words_of(said.spans), words_of(truth.said().spans));
  EXPECT_EQ(words_of(said.collections), words_of(truth.said().collections));
}

TEST(Agreement, OfAllStatisticsWithANaiveModel) {
  const char* const request = std::getenv("EVT_AGREEMENT");  // the first seed
  const unsigned first = request != nullptr ? static_cast<unsigned>(std::strtoul(request, nullptr, 10)) : 0;
  for (unsigned seed = first; seed < first + 200 && !HasFailure(); seed += kEveryCase) {
    const Story story(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, story.text()));
    expect_agreement(story);
  }
}

}  // namespace
}  // namespace evt::testing::agreement
