// Asynchronous spans, which begin on one stream and may end on another, and their lengths.
#include <evt/analysis/span_doubts.h>
#include <evt/analysis/spans.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "support/text_trace.h"
#include "timeline_items.h"

namespace evt::testing {
namespace {

constexpr std::string_view kAsyncSpanTypes =
    "type 1 go role=asyncBegin (name text role=name) (id u64 role=spanId)\n"
    "type 2 done role=asyncEnd (id u64 role=spanId)\n"
    "type 3 done.named role=asyncEnd (name text role=name) (id u64 role=spanId)\n"
    "type 4 unnamed role=asyncBegin (id u64 role=spanId)\n"
    "type 5 no.id role=asyncEnd (name text role=name)\n"
    "stream 1 \"a\" thread=70\nstream 2 \"b\" thread=71\nstream 3 \"c\" thread=72\n";

class AsyncSpanItems : public ::testing::Test {
 protected:
  static std::string items(const std::string& text, Timeline::Options options = {}) {
    const std::string bytes = trace_from_text(std::string(kAsyncSpanTypes) + text);
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, std::move(options));
    EXPECT_TRUE(timeline.next_session());
    std::string words;
    while (const TimelineItem* const item = timeline.next()) words += words_of(*item, timeline.names());
    return words;
  }

 private:
  static std::string words_of(const TimelineItem& item, const EventNames& names) {
    const std::string at = fmt::format("{}: ", item.ns);
    switch (item.kind) {
      case ItemKind::kAsyncBegan:
        return at + fmt::format("{} {} begins on {}\n", names.text(item.name), item.value, item.stream->name);
      case ItemKind::kAsyncEnded:
        return at + fmt::format("{} {} of {} ends after {}{}{}{}\n", names.text(item.name), item.value,
                                item.stream->name, item.ended_ns - item.began_ns, item.is_open ? ", open" : "",
                                item.is_cut ? ", cut" : "", item.is_uncertain ? ", uncertain" : "");
      case ItemKind::kAsyncUnmatched:
        return at + "unmatched\n";
      default:
        return "";
    }
  }
};

TEST_F(AsyncSpanItems, EndByTheirIdOnAnyStream) {
  EXPECT_EQ(items("0.000000010 1 go name=\"req\" id=7\n0.000000020 2 go name=\"req\" id=8\n0.000000030 3 done id=7\n"
                  "0.000000040 3 done id=9\n0.000000050 3 no.id name=\"req\"\n0.000000060 1 done id=7\n"),
            "10: req 7 begins on a\n20: req 8 begins on b\n30: req 7 of a ends after 20\n40: unmatched\n"
            "50: unmatched\n60: unmatched\n60: req 8 of b ends after 40, open\n");
}

// W3C's ids of 16 bytes. Which number stands for one is nobody's business.
TEST_F(AsyncSpanItems, HaveIdsOfBytes) {
  const std::string words = items(
      "type 6 call role=asyncBegin (name text role=name) (id bytes(16) role=spanId)\n"
      "type 7 answer role=asyncEnd (id bytes(16) role=spanId)\n"
      "0.000000010 1 call name=\"x\" id=0x000102030405060708090a0b0c0d0e0f\n"
      "0.000000020 1 call name=\"y\" id=0x000102030405060708090a0b0c0d0eff\n"
      "0.000000030 2 answer id=0x000102030405060708090a0b0c0d0e0f\n"
      "0.000000040 2 answer id=0x000102030405060708090a0b0c0d0eff\n");
  std::string ends;
  for (std::size_t at = words.find(" ends "); at != std::string::npos; at = words.find(" ends ", at + 1)) {
    ends += words.substr(words.rfind('\n', at) + 1, 6) + words.substr(at, words.find('\n', at) - at + 1);
  }
  EXPECT_EQ(ends, "30: x  ends after 20\n40: y  ends after 20\n");
}

TEST_F(AsyncSpanItems, OfOneIdEndByTheirNamesAndElseTheLatestFirst) {
  EXPECT_EQ(
      items("0.000000010 1 go name=\"outer\" id=7\n0.000000020 1 go name=\"inner\" id=7\n"
            "0.000000030 1 unnamed id=7\n0.000000040 2 done.named name=\"outer\" id=7\n"
            "0.000000050 2 done.named name=\"outer\" id=7\n0.000000060 2 done.named name=\"outer\" id=7\n"
            "0.000000070 2 done id=7\n"),
      "10: outer 7 begins on a\n20: inner 7 begins on a\n30: unnamed 7 begins on a\n40: unnamed 7 of a ends after 10\n"
      "50: outer 7 of a ends after 40\n60: unmatched\n70: inner 7 of a ends after 50\n");
}

TEST_F(AsyncSpanItems, AreUncertainAfterALossOnAnyStreamOfTheProcess) {
  EXPECT_EQ(items("0.000000010 1 go name=\"req\" id=7\n0.000000020 2 !lost count=5 cause=ring_full duration=0\n"
                  "0.000000030 1 go name=\"req\" id=8\n0.000000040 1 done id=7\n0.000000050 1 done id=8\n"),
            "10: req 7 begins on a\n30: req 8 begins on a\n40: req 7 of a ends after 30, uncertain\n"
            "50: req 8 of a ends after 20\n");
}

TEST_F(AsyncSpanItems, AreOpenWhereTheRangeEnds) {
  Timeline::Options options;
  options.range = [](const Session&) { return TimeRange{INT64_MIN, 35}; };
  EXPECT_EQ(items("0.000000010 1 go name=\"req\" id=7\n0.000000020 1 go name=\"req\" id=8\n0.000000040 2 done id=7\n",
                  std::move(options)),
            "10: req 7 begins on a\n20: req 8 begins on a\n35: req 8 of a ends after 15, open\n"
            "35: req 7 of a ends after 25, open\n");
}

TEST_F(AsyncSpanItems, BeyondThoseThatMayBeOpenCutTheOldest) {
  std::string text;
  for (int i = 0; i < 65538; ++i) text += fmt::format("0.{:09} 1 go name=\"n\" id={}\n", i, i);
  const std::string said = items(text + "0.000070000 2 done id=1\n0.000070001 2 done id=2\n");
  std::string cut;
  std::size_t ends = 0;
  for (std::size_t at = 0; at < said.size();) {
    const std::size_t end = said.find('\n', at);
    const std::string line = said.substr(at, end - at);
    if (line.ends_with(", cut") || line.starts_with("70000:") || line.starts_with("70001:"))
      cut += line.ends_with("open") ? "" : line + "\n";
    ends += line.ends_with("open") ? 1 : 0;
    at = end + 1;
  }
  EXPECT_EQ(cut,
            "65536: n 0 of a ends after 65536, cut\n65537: n 1 of a ends after 65536, cut\n70000: unmatched\n"
            "70001: n 2 of a ends after 69999\n");
  EXPECT_EQ(ends, 65535u);
}

// What a model says that keeps all of them in a list.
class NaiveAsyncSpans {
 public:
  explicit NaiveAsyncSpans(unsigned seed) : random_(seed), text_(kAsyncSpanTypes) {
    for (int i = 0; i < 400; ++i) {
      now_ += 1 + below(5);
      const unsigned what = below(20);
      if (what < 9) {
        begin();
      } else if (what < 19) {
        end();
      } else {
        text_ += at() + "!lost count=1 cause=ring_full duration=0\n";
        for (Span& span : spans_) span.is_uncertain |= span.is_open;
      }
    }
    text_ += fmt::format("0.{:09} 1 no.id name=\"x\"\n", now_ += 5);
  }

  const std::string& text() const { return text_; }
  std::uint64_t unmatched() const { return unmatched_; }
  std::int64_t some_time() { return 1 + below(static_cast<unsigned>(now_) - 1); }

  std::map<std::string, std::vector<std::uint64_t>> expected(std::int64_t since) const {
    std::map<std::string, std::vector<std::uint64_t>> all;
    std::map<std::string, Histogram> lengths;
    for (const Span& span : spans_) {
      if (!span.is_open && span.ended < since) continue;
      std::vector<std::uint64_t>& numbers = all[span.name];
      numbers.resize(2);
      numbers[0] += span.is_open ? 1 : 0;
      numbers[1] += !span.is_open && span.is_uncertain ? 1 : 0;
      Histogram& of = lengths[span.name];
      if (!span.is_open) of.add(static_cast<std::uint64_t>(span.ended - std::max(span.began, since)));
    }
    for (auto& [name, numbers] : all) add(lengths[name], lengths[name].sum(), &numbers);
    return all;
  }

  static void add(const Histogram& of, std::uint64_t sum_ns, std::vector<std::uint64_t>* numbers) {
    for (const std::uint64_t each : {of.count(), sum_ns, of.min(), of.quantile(0.9), of.max()})
      numbers->push_back(each);
  }

 private:
  struct Span {
    std::string name;
    unsigned id = 0;
    std::int64_t began = 0;
    std::int64_t ended = 0;
    bool is_open = true;
    bool is_uncertain = false;
  };

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  std::string at() { return fmt::format("0.{:09} {} ", now_, 1 + below(3)); }

  void begin() {
    Span& span = spans_.emplace_back();
    span.id = below(6);
    span.began = now_;
    const bool is_named = below(6) > 0;
    span.name = is_named ? std::string(1, static_cast<char>('a' + below(3))) : "unnamed";
    text_ += at() + (is_named ? fmt::format("go name=\"{}\" id={}\n", span.name, span.id)
                              : fmt::format("unnamed id={}\n", span.id));
  }

  void end() {
    const unsigned id = below(6);
    const std::string name = below(2) == 0 ? std::string(1, static_cast<char>('a' + below(3))) : "";
    text_ += at() +
             (name.empty() ? fmt::format("done id={}\n", id) : fmt::format("done.named name=\"{}\" id={}\n", name, id));
    const auto ended = std::find_if(spans_.rbegin(), spans_.rend(), [&](const Span& span) {
      return span.is_open && span.id == id && (name.empty() || span.name == "unnamed" || span.name == name);
    });
    if (ended == spans_.rend()) {
      ++unmatched_;
    } else {
      ended->is_open = false;
      ended->ended = now_;
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<Span> spans_;
  std::int64_t now_ = 0;
  std::uint64_t unmatched_ = 0;
};

TEST(AsyncSpans, AreWhatAModelSaysThatKeepsThemAll) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    NaiveAsyncSpans model(seed);
    const bool is_whole = seed % 2 == 0;
    const std::int64_t since = is_whole ? INT64_MIN : model.some_time();
    const std::string bytes = trace_from_text(model.text());
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    Spans spans(timeline, {.by_thread = seed % 3 == 0, .subtract_event_ps = 700});
    take_all(timeline, spans, since);
    std::map<std::string, std::vector<std::uint64_t>> measured;
    for (const Spans::Row& row : spans.rows(SpanKind::kAsync)) {
      if (row.is_empty()) continue;
      std::vector<std::uint64_t>& numbers = measured[timeline.names().text(row.name)];
      numbers = {row.unfinished, row.uncertain};
      NaiveAsyncSpans::add(row.lengths, row.sum_ns, &numbers);
    }
    ASSERT_EQ(measured, model.expected(since)) << "seed " << seed;
    Timeline again(trace, {});
    ASSERT_TRUE(again.next_session());
    SpanDoubts doubts;
    take_all(again, doubts, since);
    EXPECT_EQ(doubts.of(SpanKind::kAsync).not_timed, 1u);
    if (is_whole) {
      EXPECT_EQ(doubts.of(SpanKind::kAsync).unmatched_ends, model.unmatched());
    }
  }
}

}  // namespace
}  // namespace evt::testing
