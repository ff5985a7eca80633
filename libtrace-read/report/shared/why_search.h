// Finds the interval that a user asks evt why about.
#pragma once

#include <evt/analysis/histogram.h>
#include <evt/timeline.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace evt::report {

struct WhyAsked {
  std::string name;                                  // pattern of a span or call; empty: all that a thread does
  std::string thread;                                // pattern; empty: any
  std::uint64_t nth = 1;                             // the slowest is the first
  std::optional<double> percent;                     // the one of this percentile
  std::function<std::int64_t(const Session&)> at{};  // the one in progress at this moment; empty: at any
  std::function<TimeRange(const Session&)> range{};  // empty: all
  bool slow = false;                                 // the slowest ones, and those of median length

  // An error if an interval cannot be chosen so.
  Status check() const;
  TimeRange range_in(const Session& session) const { return range ? range(session) : TimeRange{}; }
};

// `no thread is called jib; did you mean job?`
std::string none_called(const char* what, const std::string& name, std::vector<std::string> known);

struct WhyInterval {
  std::uint32_t thread = Actor::kNone;
  TimeRange range;                         // without its last nanosecond
  std::uint32_t name = EventNames::kNone;  // in the names of the timeline that was searched
  std::string text;                        // the span or call; empty: all that the thread does
  bool has_ended = true;
  std::uint64_t rank = 0;  // among `count` by length, the slowest is 1; 0: not asked for
  std::uint64_t count = 0;

  std::uint64_t length() const {
    return static_cast<std::uint64_t>(range.to_ns) - static_cast<std::uint64_t>(range.from_ns);
  }
};

// Takes the items of one session. Memory grows with the rank that is asked for and with names and threads; for
// the slowest ones, with spans, 8 bytes for each.
class WhySearch {
 public:
  static constexpr std::uint64_t kMostNth = 10'000;

  // The timeline of the items must outlive it. `length`: of what is looked for, as another search found it.
  WhySearch(Timeline& timeline, const WhyAsked& asked, std::optional<std::uint64_t> length);

  void take(const TimelineItem& item);
  void finish();
  // REQUIRES, here and below: finish().
  const std::optional<WhyInterval>& found() const { return found_; }
  // The span or call that ends with the item, if it is asked for.
  std::optional<WhyInterval> interval_of(const TimelineItem& item);
  // The lengths of all, if the slowest are asked for.
  std::vector<std::uint64_t> take_lengths() { return std::move(all_lengths_); }
  // Nothing is found, because only now it is known how long it is.
  const std::optional<std::uint64_t>& length() const { return length_; }
  // Why nothing is found: a sentence.
  std::string nothing();

 private:
  struct KnownThread {
    std::uint64_t acted = 0;  // number of its last act of all threads; 0: none
    bool is_known = false;    // whether it is wanted, by this name
    bool is_wanted = false;
    std::string name;
  };

  void forget_folded(const TimelineItem& item);
  void take_span(const WhyInterval& found);
  bool wants_thread(std::uint32_t thread);
  bool wants_name(std::uint32_t name);
  std::vector<std::string> names_of_threads(bool only_wanted);
  std::uint32_t main_thread();
  void choose_thread();
  void choose_span();

  Timeline* timeline_;
  const WhyAsked* asked_;
  TimeRange range_;
  std::vector<KnownThread> threads_;
  std::vector<std::optional<bool>> wanted_names_;
  std::vector<WhyInterval> slowest_;  // a heap, the shortest in front
  Histogram lengths_;
  std::vector<std::uint64_t> all_lengths_;
  std::optional<std::uint64_t> length_;  // that is looked for
  std::optional<WhyInterval> found_;
  std::uint64_t acts_ = 0;
};

}  // namespace evt::report
