// Shares of the time against a model that looks at each stretch between two events by itself, in whole numbers.
#include <evt/analysis/share.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr std::uint64_t kParts = 60;  // of a nanosecond; up to five threads divide it
constexpr int kThreads = 5;

// What was open in a thread.
struct Interval {
  std::int64_t from = 0;
  std::int64_t to = INT64_MAX;
  std::string name;
  bool told_late = false;
};

// A random program of few threads: events at even times, and all it takes to know better. Each says what it does
// itself.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    text_ =
        "type 1024 new role=threadCreate (t u8 role=thread)\ntype 1025 exit role=threadExit (t u8 role=thread)\n"
        "type 1026 run role=threadRun (t u8 role=thread) (c u8 role=cpu)\ntype 1027 stop role=threadStop (t u8 "
        "role=thread)\n"
        "type 1028 span role=spanBegin (t u8 role=thread) (n text role=name)\n"
        "type 1029 done role=spanEnd (t u8 role=thread)\n"
        "type 1030 call role=callBegin (t u8 role=thread) (f text role=function)\n"
        "type 1031 back role=callEnd (t u8 role=thread) (f text role=function)\n"
        "type 1032 was role=call (t u8 role=thread) (f text role=function) (d u32 role=duration unit=nanoseconds)\n"
        "stream 1 \"a\"\n";
    const unsigned events = 20 + below(150);
    for (unsigned i = 0; i < events; ++i) step(below(kThreads));
    end_ns = now_ + 10;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::string text() const { return text_; }
  std::vector<Interval> open[kThreads];                          // all that ever were, those inside behind those around
  std::vector<std::pair<std::int64_t, bool>> running[kThreads];  // from then on or not
  std::vector<std::pair<std::int64_t, bool>> existing[kThreads];
  std::set<std::int64_t> times;
  std::int64_t end_ns = 0;

 private:
  void say(const std::string& what) {
    text_ += fmt::format("0.{:09} 1 {}\n", now_, what);
    times.insert(now_);
  }
  static bool last(const std::vector<std::pair<std::int64_t, bool>>& changes) {
    return !changes.empty() && changes.back().second;
  }

  void step(unsigned t) {
    now_ += 2 * (1 + below(20));
    if (existing[t].size() == 2) return;  // it has ended
    if (existing[t].empty()) {
      existing[t].emplace_back(now_, true);
      return say(fmt::format("new t={}", t));
    }
    switch (below(9)) {
      case 0:
      case 1:
      case 2:
        running[t].emplace_back(now_, !last(running[t]));
        return say(last(running[t]) ? fmt::format("run t={} c={}", t, t) : fmt::format("stop t={}", t));
      case 3:
      case 4: {
        const bool is_call = below(2) == 0;
        const std::string name = fmt::format("{}{}", is_call ? "f" : "s", below(3));
        stack_[t].push_back(open[t].size());
        open[t].push_back({now_, INT64_MAX, name, false});
        return say(fmt::format(fmt::runtime(is_call ? "call t={} f=\"{}\"" : "span t={} n=\"{}\""), t, name));
      }
      case 5:
      case 6:
        return end_one(t);
      case 7:
        return tell_late(t);
      default:
        if (below(8) != 0) return;
        if (last(running[t])) running[t].emplace_back(now_, false);
        existing[t].emplace_back(now_, false);
        return say(fmt::format("exit t={}", t));
    }
  }
  void end_one(unsigned t) {
    if (stack_[t].empty()) return;
    Interval& one = open[t][stack_[t].back()];
    one.to = now_;
    stack_[t].pop_back();
    say(one.name[0] == 'f' ? fmt::format("back t={} f=\"{}\"", t, one.name) : fmt::format("done t={}", t));
  }
  // From an odd time that crosses nothing: inside of all that is open, and not inside of what has ended.
  void tell_late(unsigned t) {
    const std::int64_t least =
        std::max(existing[t].front().first, stack_[t].empty() ? 0 : open[t][stack_[t].back()].from);
    const std::int64_t from = (least + below(static_cast<unsigned>(now_ - least) + 1)) | 1;
    for (const Interval& other : open[t]) {
      if (from >= now_ || other.from == from || (other.from < from && from < other.to && other.to < now_)) return;
    }
    open[t].push_back({from, now_, fmt::format("w{}", below(2)), true});
    times.insert(from);
    say(fmt::format("was t={} f=\"{}\" d={}", t, open[t].back().name, now_ - from));
  }

  std::mt19937 random_;
  std::string text_;
  std::int64_t now_ = 0;
  std::vector<std::size_t> stack_[kThreads];
};

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

class Model {
 public:
  Model(const Program& program, bool by_existing, std::int64_t start_ns)
      : program_(program), by_existing_(by_existing) {
    std::set<std::int64_t> times = program.times;
    times.insert({start_ns, program.end_ns});
    for (auto at = times.lower_bound(start_ns); std::next(at) != times.end(); ++at) add(*at, *std::next(at));
  }
  Shares shares;
  std::uint64_t idle_ns = 0;

 private:
  bool is_active(unsigned t, std::int64_t ns) const {
    return holds(by_existing_ ? program_.existing[t] : program_.running[t], ns);
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

  const Program& program_;
  bool by_existing_;
};

// The model phase: what is told late is divided by the most at its end, all else in stretches, by the most at theirs.
class PhaseModel {
 public:
  PhaseModel(const Program& program, std::int64_t start_ns) : program_(program) {
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
    std::map<const Interval*, std::uint64_t> late;
    std::uint64_t stretch = 0;
    for (auto at = times.lower_bound(start_ns); std::next(at) != times.end(); ++at) {
      const std::int64_t to = *std::next(at);
      if (!holds(program_.existing[t], *at)) continue;
      const Interval* const in = innermost(program_.open[t], *at);
      const auto ns = static_cast<std::uint64_t>(to - *at);
      if (in != nullptr && in->told_late) {
        late[in] += ns;
        continue;
      }
      stretch += ns;
      const bool goes_on =
          to < program_.end_ns && holds(program_.existing[t], to) && in == innermost(program_.open[t], to);
      if (goes_on) continue;
      shares[{t, in != nullptr ? in->name : ""}] += stretch * kParts / most_before(to);
      stretch = 0;
    }
    for (const auto& [one, ns] : late) shares[{t, one->name}] += ns * kParts / most_before(one->to);
  }

  const Program& program_;
};

// Takes all events, and counts from `start_ns` on.
Share analysed(const std::string& bytes, ShareModel model, std::int64_t start_ns, Trace* trace) {
  *trace = open_trace(bytes);
  Share share(trace->sessions()[0], model);
  EventOptions options;
  options.markers = true;
  Events events = trace->events(options);
  RoleEvents roles(*trace, events);
  EXPECT_TRUE(roles.next_session());
  bool begun = false;
  while (const RoleEvent* const event = roles.next()) {
    if (!begun && event->ns >= start_ns) share.restart(start_ns);
    begun |= event->ns >= start_ns;
    share.take(*event);
  }
  if (!begun) share.restart(start_ns);
  return share;
}

void expect_same(const Share& share, const Model& model, const Program& program, std::int64_t start_ns,
                 const std::string& where) {
  const std::vector<SpanShares::Row> rows = share.rows(program.end_ns);
  std::vector<Sum128> exact;
  for (const SpanShares::Row& row : rows) exact.push_back(row.time.share);
  const auto wall = static_cast<std::uint64_t>(program.end_ns - start_ns);
  ASSERT_EQ(share.idle_ns(program.end_ns), model.idle_ns) << where;
  const std::vector<std::uint64_t> whole = whole_shares(exact, wall - model.idle_ns);
  Shares wanted = model.shares;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string name = rows[i].name == SpanShares::kNone ? "" : share.names()[rows[i].name];
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
Shares renamed(const Shares& shares, const Program& program) {
  std::vector<std::pair<std::int64_t, unsigned>> order;
  for (unsigned t = 0; t < kThreads; ++t) {
    if (!program.existing[t].empty()) order.emplace_back(program.existing[t].front().first, t);
  }
  std::sort(order.begin(), order.end());
  Shares by_index;
  for (const auto& [key, parts] : shares) {
    const auto place =
        std::find_if(order.begin(), order.end(), [&](const auto& one) { return one.second == key.first; });
    by_index[{static_cast<unsigned>(place - order.begin()), key.second}] = parts;
  }
  return by_index;
}

TEST(ShareProperty, IsWhatEachStretchOfTimeSaysAndAddsUp) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    Program program(seed);
    const std::string bytes = trace_from_text(program.text());
    const std::int64_t start_ns = seed % 3 == 0 ? program.below(static_cast<unsigned>(program.end_ns)) | 1 : 0;
    for (const bool by_existing : {false, true}) {
      const std::string where = fmt::format("seed {}, existing {}: ", seed, by_existing);
      Model model(program, by_existing, start_ns);
      model.shares = renamed(model.shares, program);
      Trace trace = open_trace(bytes);
      const Share share = analysed(bytes, by_existing ? ShareModel::kExisting : ShareModel::kRunning, start_ns, &trace);
      // Without an event of running nothing is known of it.
      if (share.by_open_spans()) continue;
      expect_same(share, model, program, start_ns, where);
      ASSERT_FALSE(::testing::Test::HasFatalFailure());
    }
  }
}

TEST(ShareProperty, ByPhasesEachStretchIsDividedByTheMostSoFar) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    Program program(seed);
    const std::string bytes = trace_from_text(program.text());
    const std::int64_t start_ns = seed % 3 == 0 ? program.below(static_cast<unsigned>(program.end_ns)) | 1 : 0;
    Trace trace = open_trace(bytes);
    const Share share = analysed(bytes, ShareModel::kPhase, start_ns, &trace);
    Shares wanted = renamed(PhaseModel(program, start_ns).shares, program);
    for (const SpanShares::Row& row : share.rows(program.end_ns)) {
      const std::string name = row.name == SpanShares::kNone ? "" : share.names()[row.name];
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
    ActiveTime time(false);
    std::vector<ActiveTime::Member> members(active);
    std::int64_t now = 0;
    for (ActiveTime::Member& member : members) {
      time.advance(now += static_cast<std::int64_t>(random() % 1'000'000'000'000));
      time.begin(&member);
    }
    time.advance(now += static_cast<std::int64_t>(random() % 1'000));
    std::vector<Sum128> shares;
    for (const ActiveTime::Member& member : members) shares.push_back((time.now() - member.since).share);
    const std::uint64_t wall = static_cast<std::uint64_t>(now) - time.idle_ns(now);
    std::uint64_t sum = 0;
    for (const std::uint64_t each : whole_shares(shares, wall)) sum += each;
    ASSERT_EQ(sum, wall) << seed;
  }
}

}  // namespace
}  // namespace evt::testing
