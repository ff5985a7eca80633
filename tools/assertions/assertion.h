// What must hold of a trace: 'p99(span:"POST /checkout") < 5ms and lost == 0'.
#pragma once

#include <evt/trace.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assertions/measure.h"
#include "where/where_expression.h"
#include "where/where_number.h"

namespace evt::tools {

struct Verdict {
  enum class Held : std::uint8_t { kNo, kNotKnown, kYes };
  Held held = Held::kNotKnown;
  std::string value;  // of each comparison the value that decides, with the name of its row where there are several
  std::string why;    // a sentence, of kNotKnown
};
const char* held_text(Verdict::Held held);

class Assertion {
 public:
  // Errors: kInvalid, with the place in the text.
  static Result<Assertion> parse(const std::string& text);

  const std::string& text() const { return text_; }
  // The text with a unit behind each time that has none: `max(span) < 10` is about 10s.
  std::string text_with_units() const;
  void ask(RunOptions* options) const;
  bool needs_all_read() const {
    return std::ranges::any_of(comparisons_, [](const Comparison& each) { return each.measure.needs_all_read(); });
  }
  // As Measure::values() has it. An `and` holds where all its parts hold; where none fails and one is not known, the
  // whole is not known; `or` and `not` likewise.
  Verdict judge(const Trace& trace, const std::vector<SessionFindings>& sessions) const;

 private:
  struct Comparison {
    Measure measure;
    WhereOperator op;
    std::string text;                   // of the other side, for texts
    std::optional<WhereNumber> number;  // the same, for numbers: ns of times
  };

  // Adds its comparisons, in the order of the text.
  Status add(const WhereExpression& expression);
  // Of a comparison with a time: adds to ends_without_unit_.
  void note_unit(const WhereComparison& comparison);
  static Verdict::Held compare(const Comparison& comparison, const Cell& cell);
  Verdict::Held judge(const WhereExpression& expression, const Trace& trace,
                      const std::vector<SessionFindings>& sessions, std::size_t* next, Verdict* verdict) const;
  static Verdict::Held judge(const Comparison& comparison, const std::vector<Measure::Value>& values, Verdict* verdict);

  std::string text_;
  std::vector<std::size_t> ends_without_unit_;  // of times in text_, ascending
  WhereExpression expression_;
  std::vector<Comparison> comparisons_;
};

}  // namespace evt::tools
