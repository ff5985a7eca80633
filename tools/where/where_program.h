// A condition as it is asked of the events of one type: tests, each of which has the place to go on at.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <vector>

#include "where_expression.h"
#include "where_test.h"

namespace evt::tools {

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

}  // namespace evt::tools
