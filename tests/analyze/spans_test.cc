// Spans against a model that keeps all of them and computes each by itself.
#include <evt/analysis/span_doubts.h>
#include <evt/analysis/spans.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "support/text_trace.h"
#include "timeline_items.h"

namespace evt::testing {
namespace {

constexpr std::string_view kTypes =
    "type 1 go role=spanBegin (name interned role=name)\n"
    "type 2 end role=spanEnd\n"
    "type 3 end.named role=spanEnd (name text role=name)\n"
    "type 4 whole role=span (name interned role=name) (duration tick_delta role=duration)\n"
    "type 5 work role=overhead (duration u32 role=duration unit=nanoseconds)\n"
    "type 6 tick\n"
    "string 1 \"a\"\nstring 2 \"b\"\nstring 3 \"c\"\nstring 4 \"never ends\"\n";

// A span as the model has it; what was left open hands its children to the one around it.
struct Node {
  std::string name;
  std::uint64_t thread = 0;
  std::size_t stream = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool is_complete = false;
  bool has_ended = false;
  bool is_uncertain = false;
  Node* around = nullptr;
};

struct Numbers {
  std::vector<std::uint64_t> lengths;
  std::uint64_t self_ns = 0;
  std::uint64_t subtracted_ns = 0;
  std::uint64_t unfinished = 0;
  std::uint64_t uncertain = 0;

  friend bool operator==(const Numbers&, const Numbers&) = default;
};
using ByName = std::map<std::tuple<std::string, std::uint64_t>, Numbers>;

// Makes a trace of spans within spans. All its times are even.
class NaiveSpans {
 public:
  explicit NaiveSpans(unsigned seed) : random_(seed) {
    text_ = kTypes;
    for (stream_ = 0; stream_ < 3; ++stream_) {
      text_ += fmt::format("stream {} \"s{}\" thread={}\n", stream_ + 1, stream_, 70 + stream_);
      now_ = 2;
      spent_.emplace_back();
      while (spent_.back().size() < 150) add_something(nullptr, 0);
      if (below(2) == 0) add_begin(nullptr, "never ends");
    }
  }

  const std::string& text() const { return text_; }
  std::uint64_t unmatched() const { return unmatched_; }
  std::uint64_t left_open() const { return left_open_; }
  std::int64_t some_time() { return 2 * static_cast<std::int64_t>(below(static_cast<unsigned>(now_ / 2))) + 1; }

  // Of what ended from `since` on.
  ByName expected(std::int64_t since, bool by_thread, std::optional<std::uint64_t> event_ps) const {
    ByName all;
    std::map<const Node*, std::uint64_t> inside;
    for (const auto& node : nodes_) {
      Numbers& numbers = all[{node->name, by_thread ? node->thread : 0}];
      if (!node->has_ended && !was_left_before(since, *node)) ++numbers.unfinished;
    }
    std::vector<const Node*> ended;  // the inner ones first
    for (const auto& node : nodes_) {
      if (node->has_ended && node->end >= since) ended.push_back(node.get());
    }
    std::sort(ended.begin(), ended.end(), [](const Node* a, const Node* b) { return a->end < b->end; });
    for (const Node* const node : ended) {
      Numbers& numbers = all[{node->name, by_thread ? node->thread : 0}];
      const std::int64_t start = std::max(node->start, since);
      const auto whole = static_cast<std::uint64_t>(node->end - start);
      const std::uint64_t spent = event_ps ? std::min(whole, spent_in(*node, start, *event_ps)) : 0;
      const std::uint64_t ns = whole - spent;
      numbers.lengths.push_back(ns);
      numbers.self_ns += ns - std::min(ns, inside[node]);
      numbers.subtracted_ns += spent;
      numbers.uncertain += node->is_uncertain ? 1 : 0;
      const Node* around = node->around;
      while (around != nullptr && !around->has_ended) around = around->around;
      inside[around] += ns;
    }
    for (auto& [name, numbers] : all) std::sort(numbers.lengths.begin(), numbers.lengths.end());
    std::erase_if(all, [](const auto& each) { return each.second.lengths.empty() && each.second.unfinished == 0; });
    return all;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void line(const std::string& what, std::uint64_t overhead_ns = 0) {
    now_ += 2 + 2 * below(20);
    text_ += fmt::format("0.{:09} {} {}\n", now_, stream_ + 1, what);
    if (what[0] != '!') spent_.back().emplace_back(now_, overhead_ns);
  }
  Node* add(Node* around, std::string name) {
    nodes_.push_back(std::make_unique<Node>());
    Node* const node = nodes_.back().get();
    *node = {std::move(name), 70 + stream_, stream_, now_, 0, false, false, false, around};
    return node;
  }
  Node* add_begin(Node* around, const std::string& name) {
    line(fmt::format("go name=\"{}\"", name));
    open_.push_back(add(around, name));
    return open_.back();
  }
  void end(Node* node) {
    node->end = now_;
    node->has_ended = true;
  }

  void add_something(Node* around, int depth) {
    const unsigned what = below(20);
    const std::string name(1, static_cast<char>('a' + below(3)));
    if (what < 7 && depth < 6) {
      Node* const node = add_begin(around, name);
      fill(node, depth);
      const bool left = below(8) == 0;
      if (left) {  // only a name that is not open within it ends this one
        add_begin(node, "never ends");
        fill(open_.back(), depth + 1);
      }
      line(left || below(2) == 0 ? fmt::format("end.named name=\"{}\"", name) : "end");
      end(node);
      left_open_ += left ? 1 : 0;
      while (open_.back() != node) open_.pop_back();
      open_.pop_back();
    } else if (what < 13 && depth < 6) {
      now_ += 2;
      Node* const node = add(around, name);
      node->is_complete = true;
      const std::int64_t lost = lost_;
      fill(node, depth);
      now_ += 2;
      line(fmt::format("whole name=\"{}\" duration=0.{:09}", name, now_after_step() - node->start));
      end(node);
      node->is_uncertain = lost_ != lost;
    } else if (what == 13) {
      line("end.named name=\"nobody\"");
      ++unmatched_;
    } else if (what == 14) {
      const unsigned ns = 2 * below(10);
      line(fmt::format("work duration={}", ns), ns);
    } else if (what == 15 && below(4) == 0) {
      line("!lost count=1 cause=ring_full duration=0.000000000");
      lost_ = now_;
      for (Node* const node : open_) node->is_uncertain = true;
    } else {
      line("tick");
    }
  }
  void fill(Node* node, int depth) {
    for (unsigned i = below(5); i > 0; --i) add_something(node, depth + 1);
  }
  static bool was_left_before(std::int64_t since, const Node& node) {
    const Node* around = node.around;
    while (around != nullptr && !around->has_ended) around = around->around;
    return around != nullptr && around->end < since;
  }
  // line() steps by a random length, which a duration has to know before.
  std::int64_t now_after_step() const {
    std::mt19937 same = random_;
    return now_ + 2 + 2 * static_cast<std::int64_t>(same() % 20);
  }
  std::uint64_t spent_in(const Node& node, std::int64_t start, std::uint64_t event_ps) const {
    std::uint64_t ps = node.is_complete ? 0 : event_ps;
    for (const auto& [ns, overhead_ns] : spent_[node.stream]) {
      if (ns > start && ns < node.end) ps += event_ps + overhead_ns * 1000;
    }
    return ps / 1000;
  }

  std::mt19937 random_;
  std::string text_;
  std::size_t stream_ = 0;
  std::int64_t now_ = 0;
  std::int64_t lost_ = 0;
  std::uint64_t unmatched_ = 0;
  std::uint64_t left_open_ = 0;
  std::vector<Node*> open_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::vector<std::pair<std::int64_t, std::uint64_t>>> spent_;  // of each stream: when, and overhead
};

struct Measured {
  ByName numbers;
  SpanDoubts::Counts doubts;
};

struct SpansAndDoubts {
  void take(const TimelineItem& item) {
    spans.take(item);
    doubts.take(item);
  }
  void restart(std::int64_t ns) {
    spans.restart(ns);
    doubts.restart(ns);
  }

  Spans spans;
  SpanDoubts doubts;
};

Measured measure(const std::string& bytes, std::int64_t since, const Spans::Options& options) {
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  EXPECT_TRUE(timeline.next_session());
  SpansAndDoubts all{Spans(timeline, options), {}};
  take_all(timeline, all, since);
  const Spans& spans = all.spans;
  Measured measured;
  measured.doubts = all.doubts.of(SpanKind::kSpan);
  for (const Spans::Row& row : spans.rows(SpanKind::kSpan)) {
    if (row.is_empty()) continue;
    const std::uint64_t thread = options.by_thread ? timeline.actors().threads()[row.thread].number : 0;
    Numbers& numbers = measured.numbers[{timeline.names().text(row.name), thread}];
    numbers = {
        {row.lengths.count(), row.lengths.sum(), row.lengths.min(), row.lengths.quantile(0.9), row.lengths.max()},
        row.self_ns,
        row.subtracted_ns,
        row.unfinished,
        row.uncertain};
  }
  return measured;
}

// What a histogram has of these; all are so small that it keeps them exactly, or nearly.
ByName summed(ByName all) {
  for (auto& [name, numbers] : all) {
    Histogram of;
    for (const std::uint64_t ns : numbers.lengths) of.add(ns);
    numbers.lengths = {of.count(), of.sum(), of.min(), of.quantile(0.9), of.max()};
  }
  return all;
}

TEST(Spans, AreWhatAModelSaysThatKeepsThemAll) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    NaiveSpans model(seed);
    const std::string bytes = trace_from_text(model.text());
    Spans::Options options;
    options.by_thread = seed % 2 == 0;
    if (seed % 3 == 0) options.subtract_event_ps = 700 * (seed % 5);
    const Measured whole = measure(bytes, 0, options);
    ASSERT_EQ(whole.numbers, summed(model.expected(0, options.by_thread, options.subtract_event_ps)))
        << "seed " << seed;
    EXPECT_EQ(whole.doubts.unmatched_ends, model.unmatched());
    EXPECT_EQ(whole.doubts.left_open, model.left_open());
    EXPECT_EQ(whole.doubts.overlaps, 0u);
  }
}

TEST(Spans, CountFromSomeMomentOnWhatGoesOnFromThere) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    NaiveSpans model(seed);
    const std::string bytes = trace_from_text(model.text());
    Spans::Options options;
    if (seed % 2 == 0) options.subtract_event_ps = 900;
    const std::int64_t since = model.some_time();
    Measured later = measure(bytes, since, options);
    ByName expected = model.expected(since, false, options.subtract_event_ps);
    // What was lost before that moment may matter, or not.
    for (ByName* const all : {&later.numbers, &expected}) {
      for (auto& [name, numbers] : *all) numbers.uncertain = 0;
    }
    ASSERT_EQ(later.numbers, summed(expected)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace evt::testing
