// The events for which some conditions hold.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "where_expression.h"
#include "where_lengths.h"
#include "where_names.h"
#include "where_test.h"

namespace evt::tools {

// A condition as it is asked of the events of one type: tests, each of which has the place to go on at.
class WhereProgram {
 public:
  // One that is not made yet.
  WhereProgram() = default;
  // REQUIRES: no subject is kName.
  WhereProgram(const WhereExpression& expression, const EventType& type, WhereSession& session);

  bool is_made() const { return first_ != kNotMade; }
  // REQUIRES: made, for the event's type.
  bool holds_for(const Event& event) const {
    std::uint32_t at = first_;
    while (at < kNotMade) {
      const Step& step = steps_[at];
      at = step.next[step.test.holds_for(event) ? 1 : 0];
    }
    return at == kYes;
  }

 private:
  static constexpr std::uint32_t kYes = UINT32_MAX;
  static constexpr std::uint32_t kNo = UINT32_MAX - 1;
  static constexpr std::uint32_t kNotMade = UINT32_MAX - 2;
  struct Step {
    WhereTest test;
    std::uint32_t next[2];  // if it does not hold, if it does: no branch, which would be guessed wrong half of the time
  };

  // Adds the steps of an expression; where it begins.
  std::uint32_t add(const WhereExpression& expression, std::uint32_t if_true, std::uint32_t if_false,
                    const EventType& type, WhereSession& session);

  std::vector<Step> steps_;
  std::uint32_t first_ = kNotMade;  // kYes or kNo: the answer is the same for all events of the type
};

// All of the conditions must hold: first they are added, then resolved in the traces whose events are asked about, to
// which this refers from then on. One thread at a time.
class WhereFilter {
 public:
  // Errors: kInvalid, of a text that is no condition.
  Status add(std::string_view text);
  bool empty() const { return conditions_.empty(); }

  // Finds out what their names are in these traces. Errors: kInvalid, of a name that none has, or of a comparison of
  // what cannot be compared.
  Status resolve(const std::vector<const Trace*>& traces, const WantsType& wants_type);
  // Where no event passes: sentences about fields that are called as properties are. REQUIRES: resolved.
  std::vector<std::string> doubts() const { return where_doubts(all_); }
  // Whether a condition asks how long spans and calls are.
  bool has_durations() const { return !where_durations(all_).empty(); }
  // Finds that out; until then no event passes. A copy does not know it. REQUIRES: resolved in this trace among others.
  void look_at(Trace& trace);
  // Sentences about what is asked for and is in none of these traces. REQUIRES: resolved.
  std::vector<std::string> nowhere_in(const std::vector<const Trace*>& traces) const;

  // REQUIRES: resolved, in the event's trace among others.
  bool holds_for(const Event& event) const {
    // A declared type is known by its place among those of the session at hand.
    const std::uintptr_t place = place_of(event.type());
    if (place >= programs_.size() || !programs_[place].is_made()) return first_holds_for(event);
    return programs_[place].holds_for(event);
  }

 private:
  struct Condition {
    std::string text;
    WhereExpression expression;
  };

  std::uintptr_t place_of(const EventType& type) const {
    return (reinterpret_cast<std::uintptr_t>(&type) - first_type_) / sizeof(EventType);
  }
  void begin(const Session& session) const;
  // Of an event of a session or of a type that is met first, or of a type that is not among the session's.
  bool first_holds_for(const Event& event) const;
  bool other_holds_for(const Event& event) const;

  std::vector<Condition> conditions_;
  WhereExpression all_;  // of them together, resolved
  WhereLengths lengths_;

  // Of the session at hand, and of its types, by their places, as far as they were met.
  mutable const Session* session_ = nullptr;
  mutable std::optional<WhereSession> scope_;
  mutable std::uintptr_t first_type_ = 0;
  mutable std::vector<WhereProgram> programs_;
  // Types that it does not declare, by name.
  mutable std::unordered_map<std::string, WhereProgram> others_;
};

}  // namespace evt::tools
