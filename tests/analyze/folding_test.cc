// More threads than are followed at a time: what is known of those that ended is known of all of them together.
#include <evt/analysis/call_paths.h>
#include <evt/analysis/cpu_time.h>
#include <evt/analysis/overhead.h>
#include <evt/analysis/share.h>
#include <evt/analysis/spans.h>
#include <evt/analysis/thread_times.h>
#include <evt/analysis/usage.h>

#include <map>
#include <set>
#include <utility>

#include "core/reading.h"
#include "many_threads.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

constexpr std::uint32_t kMost = 16;
// What is counted, by a sentence about of whom and what it is.
using Totals = std::map<std::string, std::vector<std::uint64_t>>;

void add(Totals* totals, const std::string& what, std::vector<std::uint64_t> numbers) {
  std::vector<std::uint64_t>& sum = (*totals)[what];
  sum.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) sum[i] += numbers[i];
}

// All analyses over a trace, counting from a moment on.
class AllOfThem {
 public:
  AllOfThem(const std::string& bytes, std::uint32_t most, std::int64_t from_ns)
      : trace_(open_trace(bytes)), timeline_(begun(trace_, most)) {
    for (const ShareModel model : {ShareModel::kRunning, ShareModel::kExisting, ShareModel::kPhase}) {
      shares_.emplace_back(timeline_, model);
    }
    bool begun = false;
    while (const TimelineItem* const item = timeline_.next()) {
      if (!std::exchange(begun, begun || item->ns >= from_ns) && item->ns >= from_ns) restart(from_ns);
      cpu_.take(*item);
      if (item->kind == ItemKind::kFold) cells_before_ = cpu_.folded(cells_before_);
      times_.take(*item);
      for (Share& share : shares_) share.take(*item);
      spans_.take(*item);
      paths_.take(*item);
      usage_.take(*item);
      overhead_.take(*item);
    }
  }

  const Session& session() const { return trace_.sessions().front(); }
  ActorList threads() { return timeline_.actors().threads(); }
  ActorList cpus() { return timeline_.actors().cpus(); }
  std::set<std::uint64_t> remembered() {
    std::set<std::uint64_t> numbers;
    for (const Actor& actor : threads().all()) numbers.insert(actor.number);
    return numbers;
  }

  // Threads by their numbers, but for those that are not among these: they are the others.
  Totals totals(const std::set<std::uint64_t>& remembered, std::int64_t to_ns) {
    remembered_ = &remembered;
    Totals totals;
    add_times(&totals, to_ns);
    add_shares(&totals, to_ns);
    add_spans(&totals, to_ns);
    add_paths(&totals);
    std::erase_if(totals, [](const auto& each) {
      return std::all_of(each.second.begin(), each.second.end(), [](std::uint64_t number) { return number == 0; });
    });
    return totals;
  }

 private:
  static Timeline begun(Trace& trace, std::uint32_t most) {
    Timeline timeline(trace, {.most_threads = most});
    timeline.next_session();
    return timeline;
  }
  void restart(std::int64_t ns) {
    cells_before_ = cpu_.cells(ns);
    times_.restart(ns);
    for (Share& share : shares_) share.restart(ns);
    spans_.restart(ns);
    paths_.restart(ns);
    usage_.restart(ns);
    overhead_.restart(ns);
  }
  std::string who(std::uint32_t index) {
    if (index == Actor::kNone) return "none";
    const bool is_known = index != Actor::kOthers && remembered_->contains(threads()[index].number);
    return is_known ? std::to_string(threads()[index].number) : "others";
  }

  void add_times(Totals* totals, std::int64_t to_ns) {
    const auto cells = cpu_.cells(to_ns);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const CpuTime::Cell was = i < cells_before_.size() ? cells_before_[i] : CpuTime::Cell();
      add(totals, fmt::format("{} on {}", who(cells[i].thread), cells[i].cpu),
          {cells[i].ns - was.ns, cells[i].slices - was.slices, cells[i].uncertain_ns - was.uncertain_ns});
    }
    for (const ThreadTimes::Row& row : times_.rows(to_ns)) {
      add(totals, who(row.thread) + " lives",
          {row.ns[0], row.ns[1], row.ns[2], row.ns[3], row.ns[4], row.uncertain_ns, row.slices, row.migrations});
      for (const auto& each : row.waiting) {
        add(totals, fmt::format("{} waits for {}", who(row.thread), timeline_.reasons()[each.reason].text),
            {each.ns, each.times});
      }
      for (const auto& each : row.wakers) {
        add(totals, fmt::format("{} is woken by {}", who(row.thread), who(each.thread)), {each.times});
      }
    }
    for (const Overhead::Emitted& each : overhead_.emitted()) {
      add(totals, fmt::format("{} emits on {}", who(each.by.thread), each.by.stream->id), {each.events});
    }
    for (const Overhead::Stall& each : overhead_.stalls()) {
      add(totals, fmt::format("{} stalls for {}", who(each.of.thread), timeline_.names().text(each.reason)),
          {each.lengths.count(), each.lengths.sum()});
    }
  }

  void add_shares(Totals* totals, std::int64_t to_ns) {
    for (const Share& share : shares_) {
      const auto model = static_cast<int>(share.model());
      for (const Share::Row& row : share.rows(to_ns)) {
        const std::string name = row.name != Share::kNone ? timeline_.names().text(row.name) : "itself";
        add(totals, fmt::format("{} shares in {} by {}", who(row.thread), name, model), {row.times, row.time.ns});
        Uint128& sum = exact_[fmt::format("{} {} {}", who(row.thread), name, model)];
        sum += row.time.share;
      }
      add(totals, fmt::format("idle by {}", model), {share.idle_ns(to_ns)});
    }
    for (const auto& [key, sum] : exact_) add(totals, "exactly " + key, {sum.high, sum.low});
  }

  void add_spans(Totals* totals, std::int64_t to_ns) {
    for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall}) {
      for (const Spans::Row& row : spans_.rows(kind)) {
        add(totals, fmt::format("{} has {}", who(row.thread), timeline_.names().text(row.name)),
            {row.lengths.count(), row.lengths.sum(), row.self_ns, row.subtracted_ns, row.unfinished, row.uncertain});
      }
    }
    for (const Usage::Row& row : usage_.rows()) {
      add(totals, fmt::format("{} calls {} for {}", who(row.thread), timeline_.names().text(row.function), row.target),
          {row.sum.calls, row.sum.amount, row.sum.ns, row.sum.subtracted_ns});
    }
    for (const Usage::ThreadRow& row : usage_.threads(to_ns)) {
      add(totals, who(row.thread) + " uses", std::vector<std::uint64_t>(row.times.ns, row.times.ns + Usage::kUses));
    }
  }

  void add_paths(Totals* totals) {
    std::vector<std::string> paths;
    for (const CallPaths::Node& node : paths_.nodes()) {
      const std::string path =
          node.is_root() ? who(node.thread) : paths[node.parent] + ";" + timeline_.names().text(node.name);
      paths.push_back(path);
      add(totals, "path " + path,
          {node.count, node.unfinished, node.sum_ns, node.self.ns, node.self.running_ns, node.self.stopped_ns});
    }
    for (const CallPaths::Inside& each : paths_.inside()) add(totals, who(each.thread) + " is inside", {each.time.ns});
    for (const Spans::Instance& each : spans_.longest()) {
      add(totals, fmt::format("{} at {} has {}", who(each.place.thread), each.place.began_ns, each.place.ns), {1});
    }
  }

  Trace trace_;
  Timeline timeline_;
  CpuTime cpu_;
  std::vector<CpuTime::Cell> cells_before_;
  ThreadTimes times_;
  std::vector<Share> shares_;
  Spans spans_{timeline_, {true, 3000, 20}};
  CallPaths paths_{timeline_, {.by_thread = true}};
  Usage usage_{timeline_, {{"disk", 1'000'000'000}}, 3000};
  Overhead overhead_{timeline_};
  const std::set<std::uint64_t>* remembered_ = nullptr;
  std::map<std::string, Uint128> exact_;
};

void expect_the_same(unsigned seed, bool from_the_middle) {
  SCOPED_TRACE(seed);
  const ManyThreads program(seed);
  const std::string bytes = trace_from_text(program.text());
  const std::int64_t from_ns = from_the_middle ? program.end_ns() / 2 : 0;
  AllOfThem some(bytes, kMost, from_ns);
  AllOfThem all(bytes, Actor::kOthers, from_ns);
  EXPECT_GT(some.threads().folded(), 40U);
  EXPECT_EQ(some.threads().no_room(), 0U);
  EXPECT_EQ(all.threads().size(), 80U);
  const std::set<std::uint64_t> remembered = some.remembered();
  EXPECT_EQ(some.totals(remembered, program.end_ns()), all.totals(remembered, program.end_ns()));
}

TEST(Folding, LosesNothing) {
  for (unsigned seed = 0; seed < 30; seed += kEveryCase) expect_the_same(seed, false);
}

TEST(Folding, LosesNothingOfWhatIsCountedFromAMomentOn) {
  for (unsigned seed = 100; seed < 115; seed += kEveryCase) expect_the_same(seed, true);
}

// Sixteen threads, of which those with even numbers run one after another and end; then four more.
std::string sixteen_and_four() {
  std::string text = std::string(kThreadTypes) + "stream 1 \"a\"\n";
  for (unsigned i = 0; i < kMost; ++i) text += fmt::format("0.{:09} 1 thread.create thread={}\n", i, i);
  for (unsigned i = 0; i < kMost; i += 2) {
    text += fmt::format("0.{:09} 1 thread.run thread={} cpu=0\n", 100 + 10 * i, i);
    text += fmt::format("0.{:09} 1 thread.stop thread={} reason=finished object=0\n", 105 + 10 * i, i);
  }
  for (unsigned i = 16; i < 20; ++i) text += fmt::format("0.{:09} 1 thread.run thread={} cpu=1\n", 1000 + 10 * i, i);
  return text;
}

TEST(Folding, PutsThreadsThatEndedTogether) {
  const std::string bytes = trace_from_text(sixteen_and_four());
  AllOfThem all(bytes, kMost, 0);
  EXPECT_EQ(all.threads().folded(), 8U);
  const Totals totals = all.totals(all.remembered(), 1200);
  // Eight of 5 ns on cpu 0. Numbers 0, 2 ... 14 could run from their creation at that time on until 100, 120 ... 240.
  EXPECT_EQ(totals.at("others on 0"), (std::vector<std::uint64_t>{40, 8, 0}));
  EXPECT_EQ(totals.at("others lives"), (std::vector<std::uint64_t>{0, 8 * 170 - 56, 40, 0, 0, 0, 8, 0}));
  EXPECT_EQ(totals.at("16 on 1"), (std::vector<std::uint64_t>{10, 1, 0}));
  EXPECT_EQ(totals.at("19 on 1"), (std::vector<std::uint64_t>{10, 1, 0}));
}

// Twenty that live: events of the last four end what others do, and are not known else.
TEST(Folding, FollowsNoMoreThanItMayWhereNoneHasEnded) {
  std::string text = std::string(kThreadTypes) + "stream 1 \"a\"\n";
  for (unsigned i = 0; i < 20; ++i) text += fmt::format("0.{:09} 1 thread.run thread={} cpu=0\n", 10 * i, i);
  const std::string bytes = trace_from_text(text);
  AllOfThem all(bytes, kMost, 0);
  EXPECT_EQ(all.threads().no_room(), 4U);
  EXPECT_EQ(all.threads().folded(), 0U);
  const Totals totals = all.totals(all.remembered(), 1000);
  EXPECT_EQ(totals.at("15 on 0"), (std::vector<std::uint64_t>{10, 1, 0}));
  EXPECT_FALSE(totals.contains("others on 0"));
  EXPECT_FALSE(totals.contains("others lives"));
  EXPECT_EQ(totals.at("idle by 0"), std::vector<std::uint64_t>{1000 - 160});
}

// Two threads on twenty cpus, one after another: on the last four they run as well, for a time that no cpu has.
TEST(Folding, FollowsNoMoreCpusEither) {
  std::string text = std::string(kThreadTypes) + "stream 1 \"a\"\n";
  for (unsigned i = 0; i < 20; ++i) {
    text += fmt::format("0.{:09} 1 thread.run thread={} cpu={}\n", 10 * i, i % 2, i);
    text += fmt::format("0.{:09} 1 thread.stop thread={} reason=blocked object=0\n", 10 * i + 4, i % 2);
  }
  const std::string bytes = trace_from_text(text);
  AllOfThem all(bytes, kMost, 0);
  EXPECT_EQ(all.cpus().no_room(), 4U);
  const Totals totals = all.totals(all.remembered(), 194);
  EXPECT_EQ(totals.at("1 on 15"), (std::vector<std::uint64_t>{4, 1, 0}));
  EXPECT_FALSE(totals.contains("0 on 16"));
  // Ten times 4 ns each; thread 0 waits between 4 and 180, and from 184 on, thread 1 between 14 and 190.
  EXPECT_EQ(totals.at("0 lives"), (std::vector<std::uint64_t>{0, 0, 40, 9 * 16 + 10, 0, 0, 8, 7}));
  EXPECT_EQ(totals.at("1 lives"), (std::vector<std::uint64_t>{0, 0, 40, 9 * 16, 0, 0, 8, 7}));
  EXPECT_EQ(totals.at("idle by 0"), std::vector<std::uint64_t>{194 - 20 * 4});
}

}  // namespace
}  // namespace evt::testing
