// Shares of the time against a model that looks at each stretch between two events by itself, in whole numbers.
#include <evt/analysis/share.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <random>

#include "libtrace-read/analyze/src/active_time.h"
#include "random_spans.h"
#include "support/text_trace.h"
#include "timeline_items.h"

namespace evt::testing {
namespace {

constexpr std::uint64_t kParts = 60;  // of a nanosecond; up to five threads divide it
bool holds(const std::vector<std::pair<std::int64_t, bool>>& changes, std::int64_t ns) {
  bool is = false;
  for (const auto& [from, value] : changes) is = from <= ns ? value : is;
  return is;
}

const Interval* innermost(const std::vector<Interval>& open, std::int64_t ns) {
  const Interval* found = nullptr;
  for (const Interval& one : open) {
    if (one.from <= ns && ns < one.to && (found == nullptr || one.from > found->from)) found = &one;
  }
  return found;
}

// By thread and name, in parts of nanoseconds.
using Shares = std::map<std::pair<unsigned, std::string>, std::uint64_t>;

class NaiveShare {
 public:
  NaiveShare(const RandomSpans& program, bool by_existing, std::int64_t start_ns)
      : program_(program), by_existing_(by_existing) {
    std::set<std::int64_t> times = program.times;
    times.insert({start_ns, program.end_ns});
    for (auto at = times.lower_bound(start_ns); std::next(at) != times.end(); ++at) add(*at, *std::next(at));
  }
  Shares shares;
  std::uint64_t idle_ns = 0;

 private:
  bool is_active(unsigned t, std::int64_t ns) const {
    const auto& running = program_.running[t];
    if (by_existing_ || !holds(program_.existing[t], ns)) return by_existing_ && holds(program_.existing[t], ns);
    // As long as nothing is known of whether it runs, it is taken to run while something is open in it.
    if (running.empty() || ns < running.front().first) return innermost(program_.open[t], ns) != nullptr;
    return holds(running, ns);
  }
  void add(std::int64_t from, std::int64_t to) {
    std::uint64_t active = 0;
    for (unsigned t = 0; t < kThreads; ++t) active += is_active(t, from) ? 1 : 0;
    if (active == 0) idle_ns += static_cast<std::uint64_t>(to - from);
    for (unsigned t = 0; t < kThreads; ++t) {
      if (is_active(t, from)) shares[{t, name_at(t, from)}] += static_cast<std::uint64_t>(to - from) * kParts / active;
    }
  }
  std::string name_at(unsigned t, std::int64_t ns) const {
    const Interval* const found = innermost(program_.open[t], ns);
    return found != nullptr ? found->name : "";
  }

  const RandomSpans& program_;
  bool by_existing_;
};

// The model phase divides stretches in one span by the most at their end.
class PhaseModel {
 public:
  PhaseModel(const RandomSpans& program, std::int64_t start_ns) : program_(program) {
    for (unsigned t = 0; t < kThreads; ++t) add(t, start_ns);
  }
  Shares shares;

 private:
  std::uint64_t most_before(std::int64_t ns) const {
    std::uint64_t most = 1;
    for (const std::int64_t at : program_.times) {
      if (at >= ns) break;
      std::uint64_t existing = 0;
      for (const auto& changes : program_.existing) existing += holds(changes, at) ? 1 : 0;
      most = existing <= 1 ? 1 : std::max(most, existing);
    }
    return most;
  }
  void add(unsigned t, std::int64_t start_ns) {
    std::set<std::int64_t> times = program_.times;
    times.insert({start_ns, program_.end_ns});
    for (const Interval& one : program_.open[t]) times.insert(one.from);
    std::uint64_t stretch = 0;
    for (auto at = times.lower_bound(start_ns); std::next(at) != times.end(); ++at) {
      const std::int64_t to = *std::next(at);
      if (!holds(program_.existing[t], *at)) continue;
      const Interval* const in = innermost(program_.open[t], *at);
      stretch += static_cast<std::uint64_t>(to - *at);
      const bool goes_on =
          to < program_.end_ns && holds(program_.existing[t], to) && in == innermost(program_.open[t], to);
      if (goes_on) continue;
      shares[{t, in != nullptr ? in->name : ""}] += stretch * kParts / most_before(to);
      stretch = 0;
    }
  }

  const RandomSpans& program_;
};

// Takes all events, and counts from `start_ns` on.
Share analysed(Timeline& timeline, ShareModel model, std::int64_t start_ns) {
  EXPECT_TRUE(timeline.next_session());
  Share share(timeline, model);
  take_all(timeline, share, start_ns);
  return share;
}

void expect_same(const Share& share, const EventNames& names, const NaiveShare& model, const RandomSpans& program,
                 std::int64_t start_ns, const std::string& where) {
  const std::vector<Share::Row> rows = share.rows(program.end_ns);
  std::vector<Uint128> exact;
  for (const Share::Row& row : rows) exact.push_back(row.time.share);
  const auto wall = static_cast<std::uint64_t>(program.end_ns - start_ns);
  ASSERT_EQ(share.idle_ns(program.end_ns), model.idle_ns) << where;
  const std::vector<std::uint64_t> whole = whole_shares(exact, wall - model.idle_ns);
  Shares wanted = model.shares;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string name = rows[i].name == Share::kNone ? "" : names.text(rows[i].name);
    // Threads are numbered as they are met, names may differ from that.
    const std::uint64_t parts = wanted[{rows[i].thread, name}];
    ASSERT_LT(whole[i] * kParts, parts + kParts) << where << name;
    ASSERT_GT((whole[i] + 1) * kParts, parts) << where << name;
    wanted.erase({rows[i].thread, name});
    sum += whole[i];
  }
  for (const auto& [key, parts] : wanted) ASSERT_EQ(parts, 0u) << where << key.second;
  ASSERT_EQ(sum + model.idle_ns, wall) << where;
}

// The program's numbers of threads -> those of Actors, in order of the first event.
Shares renamed(const Shares& shares, const RandomSpans& program) {
  std::vector<std::pair<std::int64_t, unsigned>> order;
  for (unsigned t = 0; t < kThreads; ++t) {
    if (!program.existing[t].empty()) order.emplace_back(program.existing[t].front().first, t);
  }
  std::sort(order.begin(), order.end());
  Shares by_index;
  for (const auto& share : shares) {
    const auto place =
        std::find_if(order.begin(), order.end(), [&](const auto& one) { return one.second == share.first.first; });
    by_index[{static_cast<unsigned>(place - order.begin()), share.first.second}] = share.second;
  }
  return by_index;
}

TEST(ShareProperty, IsWhatEachStretchOfTimeSaysAndAddsUp) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    RandomSpans program(seed);
    const std::string bytes = trace_from_text(program.text());
    const std::int64_t start_ns = seed % 3 == 0 ? program.below(static_cast<unsigned>(program.end_ns)) | 1 : 0;
    for (const bool by_existing : {false, true}) {
      const std::string where = fmt::format("seed {}, existing {}: ", seed, by_existing);
      NaiveShare model(program, by_existing, start_ns);
      model.shares = renamed(model.shares, program);
      Trace trace = open_trace(bytes);
      Timeline timeline(trace, {});
      const Share share = analysed(timeline, by_existing ? ShareModel::kExisting : ShareModel::kRunning, start_ns);
      expect_same(share, timeline.names(), model, program, start_ns, where);
      ASSERT_FALSE(::testing::Test::HasFatalFailure());
    }
  }
}

TEST(ShareProperty, ByPhasesEachStretchIsDividedByTheMostSoFar) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    RandomSpans program(seed);
    const std::string bytes = trace_from_text(program.text());
    const std::int64_t start_ns = seed % 3 == 0 ? program.below(static_cast<unsigned>(program.end_ns)) | 1 : 0;
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    const Share share = analysed(timeline, ShareModel::kPhase, start_ns);
    Shares wanted = renamed(PhaseModel(program, start_ns).shares, program);
    for (const Share::Row& row : share.rows(program.end_ns)) {
      const std::string name = row.name == Share::kNone ? "" : timeline.names().text(row.name);
      const std::uint64_t parts = wanted[{row.thread, name}];
      ASSERT_LT(row.time.share.high * kParts, parts + kParts) << seed << name;
      ASSERT_GT((row.time.share.high + 2) * kParts, parts) << seed << name;
    }
  }
}

TEST(WholeShares, AddUpHoweverManyPartsThereAre) {
  std::mt19937_64 random(1);
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const std::uint32_t active = 1 + static_cast<std::uint32_t>(random() % 300);
    ActiveTime time;
    std::vector<ActiveTime::Member> members(active);
    std::int64_t now = 0;
    for (ActiveTime::Member& member : members) {
      time.advance(now += static_cast<std::int64_t>(random() % 1'000'000'000'000));
      time.begin(&member);
    }
    time.advance(now += static_cast<std::int64_t>(random() % 1'000));
    std::vector<Uint128> shares;
    for (const ActiveTime::Member& member : members) shares.push_back((time.now() - member.since).share);
    const std::uint64_t wall = static_cast<std::uint64_t>(now) - time.idle_ns(now);
    std::uint64_t sum = 0;
    for (const std::uint64_t each : whole_shares(shares, wall)) sum += each;
    ASSERT_EQ(sum, wall) << seed;
  }
}

}  // namespace
}  // namespace evt::testing
