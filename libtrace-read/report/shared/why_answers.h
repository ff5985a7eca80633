// What evt why is asked about, in each session of a trace, and what that time was spent on.
#pragma once

#include <evt/analysis/why.h>
#include <evt/report.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "why_search.h"
#include "why_table.h"
#include "why_words.h"

namespace evt::report {

inline constexpr const char* kWhyNoRuns =
    "no event records when threads run: time outside of calls for an object is running or waiting";

// What a search found in a session.
struct WhySearched {
  std::optional<WhyInterval> found;
  std::optional<std::uint64_t> length;
  std::string nothing;                   // why none is found
  std::vector<std::uint64_t> lengths{};  // two or more, if the slowest are asked for

  bool is_answer() const { return found.has_value() || !lengths.empty(); }
};

struct WhyAnswer {
  const Session* session = nullptr;
  WhyInterval interval;
  std::string thread;
  Table causes{"causes", 0, {}};
  bool has_runs = false;
};

// Takes part in the pass in which an interval is explained.
class BesideWhy {
 public:
  virtual ~BesideWhy() = default;
  // Before the first item of a session.
  virtual void begin(Timeline& timeline, Why& why, const WhyWords& words) = 0;
  // After its last one, if there is an answer.
  virtual void finish(const WhyInterval& interval) = 0;
};

class WhyAnswers {
 public:
  // Both must outlive it.
  WhyAnswers(Trace& trace, const WhyAsked& asked) : trace_(&trace), asked_(&asked) {}

  // The spans of the name that is asked for: before explain(), if there is a name.
  void search();
  // By session.
  std::vector<WhySearched>& searched() { return searched_; }
  // `beside` may be null.
  void explain(WhyTable::Form form, BesideWhy* beside, const std::function<void(WhyAnswer)>& take);
  // Why no session has an answer: a sentence; empty: one has.
  std::string nothing() const;
  // An error of reading, or of the room that this takes.
  const Status& status() const { return status_; }

  // Both passes take the same items, so that indexes of threads are the same. False at the end.
  static bool begin(Timeline& timeline);

 private:
  bool search_once();
  std::optional<WhyAnswer> explained(Timeline& timeline, WhyTable::Form form, BesideWhy* beside, WhySearched* searched);
  static void take_found(WhySearch& search, WhySearched* searched);
  static void read(Timeline& timeline, Why& why, std::uint32_t thread);
  void read_all(Timeline& timeline, Why& why, WhySearched* searched) const;
  void check(const Status& status);

  Trace* trace_;
  const WhyAsked* asked_;
  std::vector<WhySearched> searched_;
  Status status_;
};

// An error if spans cannot be paired, because events were sampled.
Status check_spans_are_paired(const Trace& trace);

// The table why.causes of each session that has what is asked for. An error: no session has, events were sampled, or a
// file could not be read.
Result<Answer> why(Trace& trace, const WhyAsked& asked);

}  // namespace evt::report
